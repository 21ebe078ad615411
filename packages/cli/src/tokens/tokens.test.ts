import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type FullStore, memoryStore } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const START = Date.parse('2027-01-31T08:00:00Z');

function place() {
  const directory = scratchDirectory(onTestFinished, {});
  const clock = virtualClock({ startMs: START });
  const store = memoryStore({ clock });
  const on =
    (over: FullStore) =>
    (...args: string[]) =>
      runMain(['tokens', ...args], { directory, clock, store: over });
  return { directory, clock, store, on, tokens: on(store) };
}

test('a token is created with role, tenant, end and rate, is listed, and is revoked', async () => {
  const { directory, tokens } = place();
  const wish = ['--role', 'operator', '--tenant', 'acme', '--expires', '+30d', '--rate', '10/s'];
  const made = JSON.parse((await tokens('create', ...wish, '--json')).stdout);
  expect(made).toMatchObject({
    token: expect.stringMatching(/^redrive_[0-9a-f]{12}_[\w-]{43}$/),
    role: 'operator',
    tenant: 'acme',
    expires: '2027-03-02T08:00:00.000Z',
    rate: 10,
  });
  const file = join(directory, 'redrive.db.access.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { tokens: listed } = JSON.parse((await tokens('list', '--json')).stdout);
  expect(listed).toMatchObject([{ id: made.id, name: made.id, tenant: 'acme' }]);
  expect((await tokens('revoke', made.id, '--dry-run')).stdout).toContain('would be revoked');
  expect((await tokens('revoke', made.id)).exitCode).toBe(0);
  expect((await tokens('revoke', made.id)).exitCode).toBe(3);
  expect((await tokens('list')).stdout).toContain('There are no tokens.');
});

test.each([
  [[], '--role is missing', 2],
  [['--role', 'root'], 'Allowed choices are viewer, operator, admin', 2],
  [['--role', 'viewer', '--expires', '2020-01-01T00:00:00Z'], '--expires is in the past', 2],
  [['--role', 'viewer', '--name', 'a b'], 'This is no name of a token', 2],
  [['--role', 'viewer', '--name', 'ann'], 'Another token has the name ann', 7],
])('%j is refused', async (args, message, code) => {
  const { tokens } = place();
  await tokens('create', '--role', 'admin', '--name', 'ann');
  const { exitCode, stderr } = await tokens('create', ...args);
  expect([exitCode, stderr]).toEqual([code, expect.stringContaining(message)]);
});

test('the access file can be named, and one that others can read is refused', async () => {
  const { directory, tokens } = place();
  const named = ['--access-file', 'keys.json'];
  await tokens('create', '--role', 'viewer', '--name', 'ann', ...named);
  expect((await tokens('list', '--plain', ...named)).stdout).toContain('\tann\tviewer\t');
  chmodSync(join(directory, 'keys.json'), 0o644);
  const { exitCode, stderr } = await tokens('list', ...named);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('chmod 600')]);
});

test('creating and revoking a token is on record, with the actor and the reason, before the token exists', async () => {
  const { tokens, store, on } = place();
  const wish = ['--role', 'operator', '--name', 'ann', '--tenant', 'acme', '--reason', 'new shop'];
  const { stdout } = await tokens('create', ...wish);
  await tokens('revoke', 'ann', '--reason', 'left');
  const acts = (await store.auditBlocks(0, 100))
    .flatMap((block) => recordsIn(block))
    .filter((record) => record.event === 'act');
  const ann = { name: 'ann', role: 'operator', tenant: 'acme', by: expect.stringMatching(/^cli:/) };
  expect(acts.map((record) => [record.id, record.detail])).toMatchObject([
    ['token:ann', { ...ann, act: 'create_token', why: 'new shop' }],
    ['token:ann', { ...ann, act: 'revoke_token', why: 'left' }],
  ]);
  expect(JSON.stringify(acts)).not.toContain(stdout.trim().slice(-43));
  const away = on({ ...store, apply: () => Promise.reject(new Error('disk full')) });
  expect((await away('create', ...wish)).exitCode).not.toBe(0);
  expect((await tokens('list')).stdout).toContain('There are no tokens.');
});

test('a stolen token is revoked also while the store does not answer, with a warning', async () => {
  const { tokens, store, on } = place();
  await tokens('create', '--role', 'admin', '--name', 'ann');
  const away = on({ ...store, apply: () => Promise.reject(new Error('disk full')) });
  expect(await away('revoke', 'ann')).toMatchObject({
    exitCode: 0,
    stdout: 'The token ann is revoked.\n',
    stderr: 'The audit log has no record of it: disk full\n',
  });
  expect((await tokens('list')).stdout).toContain('There are no tokens.');
});

test('on Postgres the access file is beside the configuration, wherever the command is started, and the path is printed', async () => {
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': 'version: "1.1.0"\n' });
  const below = join(directory, 'below');
  mkdirSync(below);
  const env = { REDRIVE_STORE: 'postgres://db.example/app' };
  const given = { env, store: memoryStore() };
  const create = ['tokens', 'create', '--role', 'viewer', '--name', 'ann', '--verbose'];
  const made = await runMain(create, { ...given, directory });
  expect(made.stderr).toContain(`access file: ${join(directory, 'redrive.access.json')}\n`);
  const list = ['tokens', 'list', '--plain', '--config', '../redrive.yaml'];
  const listed = await runMain(list, { ...given, directory: below });
  expect(listed.stdout).toContain('\tann\tviewer\t');
});
