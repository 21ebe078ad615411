import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresService, startPostgres } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

let postgres: PostgresService;
beforeAll(async () => {
  postgres = await startPostgres();
  await runMain(['store', 'migrate', '--store', postgres.url]);
}, 120_000);
afterAll(() => postgres.stop());

test('the same commands on Postgres, and a password in the URL is never printed', async () => {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml':
      'version: "1.1.0"\njobs: { handlers: { shout: { command: ["./shout.sh"], idempotent: true } } }\n',
    'shout.sh': '#!/bin/sh\ntr a-z A-Z\n',
  });
  chmodSync(join(directory, 'shout.sh'), 0o755);
  const url = postgres.url.replace('postgres@', 'postgres:hunter2@');
  const env = { REDRIVE_STORE: url, PATH: process.env.PATH };
  let printed = '';
  const run = async (...args: string[]) => {
    const ran = await runMain([...args, '--verbose'], { directory, env });
    printed += ran.stdout + ran.stderr;
    return ran;
  };
  const enqueued = await run('jobs', 'enqueue', 'shout', '--payload', '"hey"', '--json');
  const { id } = JSON.parse(enqueued.stdout);
  expect((await run('start', '--until-idle')).exitCode).toBe(0);
  expect((await run('jobs', 'wait', id)).stdout).toBe('"HEY"\n');
  const { stdout } = await run('status', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ states: { succeeded: 1 } });
  expect(printed).not.toContain('hunter2');
});

test('the address of --store and the file say how many connections, and a wrong number is refused', async () => {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': `version: "1.1.0"\nstore: { url: "${postgres.url}", connections: 2 }\n`,
  });
  const run = (...args: string[]) => runMain(['jobs', 'list', ...args], { directory, env: {} });
  expect((await run('--store', `${postgres.url}?connections=3`)).exitCode).toBe(0);
  const { exitCode, stderr } = await run('--verbose');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringMatching(/^store: postgres:\S+\?connections=2 \(redrive\.yaml:2\)$/m),
  });
  const wrong = await run('--store', `${postgres.url}?connections=9`);
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toContain('connections must be a whole number from 2 to 4, not 9');
});

test('a server that is not there ends with 8, and says so without the password', async () => {
  const url = 'postgres://me:hunter2@127.0.0.1:1/nowhere';
  const { exitCode, stdout, stderr } = await runMain(['status', '--store', url]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' });
  expect(stderr).not.toContain('hunter2');
});

test('dead letters and the audit log on Postgres', async () => {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml':
      'version: "1.1.0"\njobs: { handlers: { fetch: { command: ["./fetch.sh"], idempotent: true } } }\n',
    'fetch.sh': '#!/bin/sh\n[ -e there ] && exit 0\necho "nothing there" >&2\nexit 64\n',
  });
  chmodSync(join(directory, 'fetch.sh'), 0o755);
  const env = { REDRIVE_STORE: postgres.url, PATH: process.env.PATH };
  const run = (...args: string[]) => runMain(args, { directory, env });
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

  const { id } = await json('jobs', 'enqueue', 'fetch', '--payload', '{"n":1}');
  const tenant = ['--payload', '{"n":2}', '--tenant', 'acme'];
  await json('jobs', 'enqueue', 'fetch', ...tenant);
  expect((await run('start', '--until-idle')).exitCode).toBe(5);
  const { letters, total } = await json('dlq', 'list', '--handler', 'fetch');
  expect(total).toEqual({ count: 2, bounded: false });
  expect((await json('dlq', 'groups')).groups).toMatchObject([{ count: 2 }]);
  expect((await json('dlq', 'stats')).reasons).toEqual([{ reason: 'final_error', count: 2 }]);
  const group = letters[0].fingerprint;
  const planned = await json('dlq', 'requeue', '--group', group, '--dry-run');
  expect(planned).toMatchObject({ done: 2, refused: 0 });
  writeFileSync(join(directory, 'there'), '');
  const edited = await json('dlq', 'edit', id, '--payload', '{"n":3}');
  expect(edited).toMatchObject({ done: 1 });
  expect(await json('dlq', 'purge', '--group', group, '--confirm=1')).toMatchObject({ done: 1 });
  expect(await json('dlq', 'restore', '--tenant', 'acme', '--yes')).toMatchObject({ done: 1 });
  expect((await run('start', '--until-idle')).exitCode).toBe(0);
  expect((await json('jobs', 'show', id)).state).toBe('succeeded');

  const records = (await run('audit', 'list', '--tenant', 'acme', '--jsonl')).stdout;
  const events = records
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event);
  expect(events).toEqual(['restore', 'purge', 'settle', 'claim', 'enqueue']);
  expect((await json('audit', 'replay', id)).same).toBe(true);
  const { ok, sealed, head } = await json('audit', 'verify');
  expect(ok).toBe(true);
  expect(sealed).toBeGreaterThan(10);
  expect((await run('audit', 'verify', '--head', `${head.seq}:${head.hash}`)).exitCode).toBe(0);
});
