import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresService, startPostgres } from './postgres.ts';
import { serviceProcesses } from './service-processes.ts';
import { until } from './until.ts';

/** An installation may be part of the first start. */
const START_TIMEOUT_MS = 180_000;

let one: PostgresService;
let two: PostgresService;

beforeAll(async () => {
  [one, two] = await Promise.all([
    startPostgres(),
    startPostgres({ settings: { work_mem: '7MB' } }),
  ]);
}, START_TIMEOUT_MS);

afterAll(() => Promise.all([one?.stop(), two?.stop()]));

test('two servers run side by side, each with its own data', async () => {
  expect(one.port).not.toBe(two.port);
  await sql(one, 'create table only_in_one (id int)');
  const tables = "select count(*) from pg_tables where tablename = 'only_in_one'";
  expect([await sql(one, tables), await sql(two, tables)]).toEqual(['1', '0']);
});

test('settings reach the server, and commits stay durable by default', async () => {
  expect(await sql(two, 'show work_mem')).toBe('7MB');
  expect(await sql(one, 'show fsync')).toBe('on');
  expect(await sql(one, 'show synchronous_commit')).toBe('on');
});

test('it listens on the loopback interface only, as an unprivileged user', async () => {
  expect(await sql(one, 'show listen_addresses')).toBe('127.0.0.1');
  expect(statSync(one.dataDir).uid).not.toBe(0);
});

test('a killed server has lost nothing that was committed when it runs again', async () => {
  await sql(two, 'create table kept (id int); insert into kept values (7)');
  await two.kill();
  expect(serviceProcesses(two.dir)).toEqual([]);
  await expect(sql(two, 'select 1')).rejects.toThrow('Connection refused');
  await two.restart();
  expect(await sql(two, 'select id from kept')).toBe('7');
});

test('stopping leaves neither processes nor files, and may be asked twice', async () => {
  const server = await startPostgres();
  expect(serviceProcesses(server.dir).length).toBeGreaterThan(1);
  await Promise.all([server.stop(), server.stop()]);
  expect(serviceProcesses(server.dir)).toEqual([]);
  expect(existsSync(server.dir)).toBe(false);
});

test('a server whose test run is killed ends by itself', async () => {
  const program = `
    import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, 'postgres.ts'))};
    console.log((await startPostgres()).dir);
    process.stdin.resume();`;
  const run = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [dir] = await once(createInterface({ input: run.stdout }), 'line');
  expect(readdirSync(dir)).toContain('data');
  expect(serviceProcesses(dir).length).toBeGreaterThan(1);

  run.kill('SIGKILL');
  const isGone = () => serviceProcesses(dir).length === 0 && !existsSync(dir);
  expect(await until(isGone, { timeoutMs: 10_000 })).toBe(true);
});

async function sql(server: PostgresService, statement: string): Promise<string> {
  const args = ['--no-psqlrc', '--tuples-only', '--no-align', '--quiet', '-c', statement];
  const { stdout } = await promisify(execFile)('psql', [server.url, ...args]);
  return stdout.trim();
}
