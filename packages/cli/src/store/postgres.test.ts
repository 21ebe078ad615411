import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresService, startPostgres } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

let postgres: PostgresService;
beforeAll(async () => {
  postgres = await startPostgres();
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

test('a server that is not there ends with 8, and says so without the password', async () => {
  const url = 'postgres://me:hunter2@127.0.0.1:1/nowhere';
  const { exitCode, stdout, stderr } = await runMain(['status', '--store', url]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' });
  expect(stderr).not.toContain('hunter2');
});
