import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openStore } from '@redrive/postgres';
import { type PostgresService, startPostgres, until } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';

let server: PostgresService;

beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off' } });
  const store = await openStore(server.url, { onWarning: () => {} });
  await store.migrate();
  await store.close();
}, 120_000);

afterAll(() => server?.stop());

/** The only value of the answer. */
async function ask(text: string): Promise<string> {
  const args = ['--no-psqlrc', '--tuples-only', '--no-align', '--quiet', '-c', text];
  return (await promisify(execFile)('psql', [server.url, ...args])).stdout.trim();
}

async function doctor() {
  const { exitCode, stdout } = await runMain(['doctor', '--json', '--store', server.url]);
  return { exitCode, ...JSON.parse(stdout) };
}

const found = (check: string, level: string, message: RegExp) =>
  expect.objectContaining({ check, level, message: expect.stringMatching(message) });

test('durability: a server without fsync is a problem, an asynchronous standby a warning, a synchronous one none', {
  timeout: 120_000,
}, async () => {
  const alone = await doctor();
  expect(alone.exitCode).toBe(1);
  expect(alone.findings).toContainEqual(
    found('durability', 'problem', /can lose or damage confirmed commits/),
  );
  const standby = await startPostgres({ replicaOf: server, settings: { fsync: 'off' } });
  try {
    const state = () => ask('select sync_state from pg_stat_replication');
    await until(async () => (await state()) === 'async', { timeoutMs: 30_000 });
    const lossy = found('durability', 'warning', /Commits wait for no standby/);
    expect((await doctor()).findings).toContainEqual(lossy);
    await ask("alter system set synchronous_standby_names = '*'");
    await ask('select pg_reload_conf()');
    await until(async () => (await state()) === 'sync', { timeoutMs: 30_000 });
    expect((await doctor()).findings).not.toContainEqual(lossy);
    await ask('alter system reset synchronous_standby_names');
    await ask('select pg_reload_conf()');
  } finally {
    await standby.stop();
  }
});

test('schema: tables of an older version are a problem whose remedy is the migration', async () => {
  // No released version is older than the first one, and 0 means that there are no tables.
  await ask('update redrive.meta set version = -1');
  const { exitCode, findings } = await doctor();
  expect(exitCode).toBe(1);
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'store', level: 'problem', remedy: 'redrive store migrate' }),
  );
});
