import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPgBouncer } from './pgbouncer.ts';
import { type PostgresService, startPostgres } from './postgres.ts';
import { serviceProcesses } from './service-processes.ts';

/** An installation may be part of the first start. */
const START_TIMEOUT_MS = 180_000;

let server: PostgresService;

beforeAll(async () => {
  server = await startPostgres();
}, START_TIMEOUT_MS);

afterAll(() => server?.stop());

test('it reaches the server, and settings reach it', { timeout: START_TIMEOUT_MS }, async () => {
  const pooler = await startPgBouncer(server, {
    poolMode: 'transaction',
    databases: `other = host=${server.host} port=${server.port} dbname=postgres pool_mode=session`,
    settings: { admin_users: 'postgres' },
  });
  const other = pooler.url.replace(/postgres$/, 'other');
  expect(await sql(other, 'show port')).toBe(`${server.port}`);
  const admin = pooler.url.replace(/postgres$/, 'pgbouncer');
  expect(await sql(admin, 'show config')).toMatch(/^pool_mode\|transaction\|/m);
  expect(await sql(admin, 'show databases')).toMatch(/^other\|.*\|session\|/m);
  await pooler.stop();
  expect(serviceProcesses(pooler.dir)).toEqual([]);
  expect(existsSync(pooler.dir)).toBe(false);
});

async function sql(url: string, command: string): Promise<string> {
  const args = ['--no-psqlrc', '--tuples-only', '--no-align', '--dbname', url];
  const { stdout } = await promisify(execFile)('psql', [...args, '--command', command]);
  return stdout.trim();
}
