import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRunning } from './is-running.ts';
import { type PostgresService, startPostgres } from './postgres.ts';
import { until } from './until.ts';

/** An installation may be part of the first start. */
const START_TIMEOUT_MS = 180_000;

type Address = Pick<PostgresService, 'url' | 'dir' | 'dataDir'>;

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
  const pids = await serverPids(two);
  await two.kill();
  // The server's own children end by themselves, a moment after it.
  await until(() => !pids.some(isRunning), { timeoutMs: 10_000, everyMs: 20 });
  expect(pids.filter(isRunning)).toEqual([]);
  await expect(sql(two, 'select 1')).rejects.toThrow('Connection refused');
  await two.restart();
  expect(await sql(two, 'select id from kept')).toBe('7');
});

test('stopping leaves neither processes nor files, and may be asked twice', async () => {
  const server = await startPostgres();
  const pids = await serverPids(server);
  expect(pids.filter(isRunning)).toEqual(pids);
  await Promise.all([server.stop(), server.stop()]);
  expect(pids.filter(isRunning)).toEqual([]);
  expect(existsSync(server.dir)).toBe(false);
});

test('a server whose test run is killed ends by itself', async () => {
  const program = `
    import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, 'postgres.ts'))};
    console.log(JSON.stringify(await startPostgres()));
    process.stdin.resume();`;
  const run = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: run.stdout }), 'line');
  const server: Address = JSON.parse(line);
  const pids = await serverPids(server);
  expect(pids.filter(isRunning)).toEqual(pids);

  run.kill('SIGKILL');
  const isGone = () => !pids.some(isRunning) && !existsSync(server.dir);
  expect(await until(isGone, { timeoutMs: 10_000 })).toBe(true);
});

/** The server and its lasting workers. */
async function serverPids(server: Address): Promise<number[]> {
  const workers = "select pid from pg_stat_activity where backend_type <> 'client backend'";
  const postmaster = readFileSync(join(server.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0];
  const pids = [postmaster, ...(await sql(server, workers)).split('\n')].map(Number);
  expect(pids.length).toBeGreaterThan(3);
  return pids;
}

async function sql(server: Address, statement: string): Promise<string> {
  const args = ['--no-psqlrc', '--tuples-only', '--no-align', '--quiet', '-c', statement];
  const { stdout } = await promisify(execFile)('psql', [server.url, ...args]);
  return stdout.trim();
}
