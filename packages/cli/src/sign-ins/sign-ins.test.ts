import { join } from 'node:path';
import { memoryStore } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { AccessFile } from '@redrive/server/access';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const START = Date.parse('2027-01-31T08:00:00Z');

function place() {
  const directory = scratchDirectory(onTestFinished, {});
  const clock = virtualClock({ startMs: START });
  const store = memoryStore({ clock });
  const access = new AccessFile(join(directory, 'redrive.db.access.json'));
  const byLink = () => {
    const by = { code: access.createCode(clock.now()) };
    return access.signIn({ name: 'local', from: '127.0.0.1', by }, clock.now());
  };
  const byToken = (token: string) =>
    access.signIn({ name: 'ann', from: '10.1.0.7', by: { token } }, clock.now());
  const on =
    (over = store) =>
    (...args: string[]) =>
      runMain(args, { directory, clock, store: over });
  return { access, clock, store, byLink, byToken, on, run: on() };
}

test('sign-ins are listed, and one that is revoked is worth nothing from then on', async () => {
  const { access, clock, byLink, run } = place();
  const [first, second] = [byLink(), byLink()];
  if (first === undefined || second === undefined) throw new Error('The codes are right.');
  const { sign_ins: listed } = JSON.parse((await run('sign-ins', 'list', '--json')).stdout);
  expect(listed).toMatchObject([
    {
      name: 'local',
      role: 'admin',
      from: '127.0.0.1',
      token: null,
      began: '2027-01-31T08:00:00.000Z',
    },
    { name: 'local', expires: '2027-01-31T20:00:00.000Z' },
  ]);
  const dry = await run('sign-ins', 'revoke', listed[0].id, '--dry-run');
  expect(dry.stdout).toBe('One sign-in of local would be revoked.\n');
  expect(access.signedIn(first, clock.now())).toBeDefined();
  const revoked = await run('sign-in', 'revoke', listed[0].id);
  expect(revoked.stdout).toBe('One sign-in of local is revoked.\n');
  const alive = [first, second].map((keys) => access.signedIn(keys, clock.now()) !== undefined);
  expect(alive).toEqual([false, true]);
  byLink();
  expect((await run('sign-ins', 'revoke', 'local')).stdout).toContain('2 sign-ins of local are');
  expect((await run('sign-ins', 'revoke', 'local')).exitCode).toBe(3);
  expect((await run('sign-ins', 'list')).stdout).toBe('Nobody is signed in.\n');
});

test('a sign-in ends with its token, and by itself after 12 hours', async () => {
  const { clock, byLink, byToken, run } = place();
  const made = await run('tokens', 'create', '--role', 'viewer', '--name', 'ann');
  byToken(made.stdout.trim());
  byLink();
  const names = async () => {
    const { sign_ins } = JSON.parse((await run('sign-ins', 'list', '--json')).stdout);
    return sign_ins.map(({ name }: { readonly name: string }) => name);
  };
  expect(await names()).toEqual(['ann', 'local']);
  await run('tokens', 'revoke', 'ann');
  expect(await names()).toEqual(['local']);
  await clock.advance(12 * 3_600_000);
  expect(await names()).toEqual([]);
});

test('a revocation is on record with its reason; without a store it is carried out, with a warning', async () => {
  const { byLink, store, on, run } = place();
  byLink();
  await run('sign-ins', 'revoke', 'local', '--reason', 'stolen');
  const acts = (await store.auditBlocks(0, 100))
    .flatMap((block) => recordsIn(block))
    .filter((record) => record.event === 'act');
  expect(acts.map((record) => [record.id, record.detail])).toMatchObject([
    ['sign-in', { act: 'revoke_sign_in', why: 'stolen', sign_ins: [{ name: 'local' }] }],
  ]);
  byLink();
  const away = on({ ...store, apply: () => Promise.reject(new Error('disk full')) });
  expect(await away('sign-ins', 'revoke', 'local')).toMatchObject({
    exitCode: 0,
    stderr: 'The audit log has no record of it: disk full\n',
  });
  expect((await run('sign-ins', 'list')).stdout).toBe('Nobody is signed in.\n');
});
