import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PostgresService, startPostgres } from '@redrive/testkit/services';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

let server: PostgresService;
beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(() => server?.stop());

/** Of a database that no other test has. */
let databases = 0;
async function newDatabase(): Promise<string> {
  databases += 1;
  await query(server.url, `create database app_${databases}`);
  return server.url.replace(/\/postgres$/u, `/app_${databases}`);
}

/** The rows as psql prints them, without titles. */
async function query(url: string, text: string): Promise<string> {
  const options = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', text, url];
  return (await promisify(execFile)('psql', options)).stdout.trim();
}

const RELATIONS = `select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`;

const HANDLER =
  'version: "1.1.0"\njobs: { handlers: { shout: { command: ["./shout.sh"], idempotent: true } } }\n';

/** A directory with a handler, and commands in it. */
function project(yaml = HANDLER) {
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': yaml,
    'shout.sh': '#!/bin/sh\ntr a-z A-Z\n',
  });
  chmodSync(join(directory, 'shout.sh'), 0o755);
  const run = (...args: string[]) =>
    runMain(args, { directory, env: { PATH: process.env.PATH ?? '' } });
  return { directory, run };
}

describe('looking does not migrate', () => {
  test('on Postgres only store migrate, a worker and kill engage make a schema; everything else says that it does not exist', async () => {
    const url = await newDatabase();
    const { run } = project();
    const commands = [
      ['status'],
      ['jobs', 'list'],
      ['dlq', 'list'],
      ['audit', 'verify'],
      ['jobs', 'enqueue', 'shout', '--payload', '1'],
      ['queue', 'pause', 'default'],
      ['kill', 'engage', 'queue', 'default', '--dry-run'],
      ['store', 'migrate', '--dry-run'],
    ];
    for (const command of commands) {
      const { exitCode, stdout, stderr } = await run(...command, '--store', url);
      const isPlan = command.includes('--dry-run');
      expect(exitCode, command.join(' ')).toBe(isPlan ? 0 : 8);
      const told = (command[0] === 'kill' ? stdout : stderr).replaceAll(/\s+/gu, ' ');
      expect(told.match(/does not exist/gu), command.join(' ')).toHaveLength(1);
      if (!isPlan) expect(stderr).toContain('"redrive store migrate"');
    }
    expect(await query(url, RELATIONS)).toBe('0');

    const { exitCode, stdout } = await run('store', 'migrate', '--store', url);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(stdout).toContain('was created');
    expect((await run('status', '--store', url)).exitCode).toBe(0);
    expect((await run('store', 'migrate', '--store', url)).stdout).toContain('is up to date');
  });

  test('a worker makes the schema, unless store.migrate is false', async () => {
    const url = await newDatabase();
    const careful = project(`${HANDLER}store: { migrate: false }\n`);
    const refused = await careful.run('start', '--until-idle', '--store', url);
    expect(refused.exitCode).toBe(8);
    expect(refused.stderr).toContain('does not exist');
    expect(await query(url, RELATIONS)).toBe('0');
    const { run } = project();
    expect((await run('start', '--until-idle', '--store', url)).exitCode).toBe(0);
    expect((await careful.run('start', '--until-idle', '--store', url)).exitCode).toBe(0);
  });

  test('on SQLite a read never makes the file, the first write does', async () => {
    const { directory, run } = project();
    for (const command of [
      ['status'],
      ['jobs', 'list'],
      ['jobs', 'enqueue', 'nobody', '--payload', '1'],
    ]) {
      expect((await run(...command)).exitCode, command.join(' ')).not.toBe(0);
    }
    expect(readdirSync(directory).sort()).toEqual(['redrive.yaml', 'shout.sh']);
    expect((await run('jobs', 'enqueue', 'shout', '--payload', '1')).exitCode).toBe(0);
    expect(existsSync(join(directory, 'redrive.db'))).toBe(true);
  });
});

describe('kill engage all on a store that does not exist yet', () => {
  test('makes it on Postgres, so that it holds before the first worker comes', async () => {
    const url = await newDatabase();
    const { run } = project();
    const unconfirmed = await run('kill', 'engage', 'all', '--store', url);
    expect(unconfirmed.exitCode).not.toBe(0);
    expect(await query(url, RELATIONS)).toBe('0');
    const { exitCode, stdout } = await run(
      'kill',
      'engage',
      'all',
      '--confirm=all',
      '--store',
      url,
    );
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect((await run('jobs', 'enqueue', 'shout', '--payload', '1', '--store', url)).exitCode).toBe(
      0,
    );
    // What every claim obeys.
    expect(await query(url, 'select everything from redrive.stops')).toBe('t');
  });

  test('makes the file on SQLite', async () => {
    const { directory, run } = project();
    const { exitCode, stderr } = await run('kill', 'engage', 'all', '--confirm=all');
    expect(exitCode, stderr).toBe(0);
    expect(existsSync(join(directory, 'redrive.db'))).toBe(true);
    const { stdout } = await run('status', '--json');
    expect(stdout).toContain('"all"');
  });
});

describe('rights', () => {
  const page = readFileSync(new URL('../../../postgres/README.md', import.meta.url), 'utf8');
  const [, grants = ''] = /```sql\n([^`]*)```/u.exec(page) ?? [];

  test('a person with rights runs the SQL that --dry-run prints, and the worker’s role needs no CREATE afterwards', async () => {
    const url = await newDatabase();
    const database = url.replace(/.*\//u, '');
    await query(
      server.url,
      `create role owner login; create role app login;
      revoke all on schema public from public; grant create on database ${database} to owner`,
    );
    const as = (role: string) => url.replace('postgres@', `${role}@`);
    const { directory, run } = project();

    const refused = await run('store', 'migrate', '--store', as('app'));
    expect(refused.exitCode).toBe(6);
    expect(refused.stderr).toMatch(/permission denied.*own the schema.*--dry-run/su);

    const planned = await run('store', 'migrate', '--dry-run', '--store', as('app'));
    expect(planned.exitCode).toBe(0);
    const file = join(directory, 'migrate.sql');
    writeFileSync(file, planned.stdout);
    const psql = ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', file, as('owner')];
    const { stdout, stderr } = await promisify(execFile)('psql', psql);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
    // It was made for a database without tables.
    await expect(promisify(execFile)('psql', psql)).rejects.toThrow('is not as it was');

    const before = await run('status', '--store', as('app'));
    expect(before.exitCode).toBe(6);
    await query(as('owner'), grants);
    const enqueued = await run(
      'jobs',
      'enqueue',
      'shout',
      '--payload',
      '"hey"',
      '--json',
      '--store',
      as('app'),
    );
    expect((await run('start', '--until-idle', '--store', as('app'))).exitCode).toBe(0);
    const { id } = JSON.parse(enqueued.stdout);
    expect((await run('jobs', 'wait', id, '--store', as('app'))).stdout).toBe('"HEY"\n');
    expect((await run('store', 'migrate', '--store', as('app'))).stdout).toContain('is up to date');
    await expect(query(as('app'), 'create table redrive.x (n int)')).rejects.toThrow(
      'permission denied',
    );
    await expect(query(as('app'), 'create schema x')).rejects.toThrow('permission denied');
  });
});

test('the schema’s name is in redrive.yaml and in --store …?schema=', async () => {
  const url = await newDatabase();
  const { run } = project(`${HANDLER}store: { url: "${url}", schema: shop }\n`);
  expect((await run('store', 'migrate')).exitCode).toBe(0);
  expect((await run('store', 'migrate', '--store', `${url}?schema=other`)).exitCode).toBe(0);
  await run('jobs', 'enqueue', 'shout', '--payload', '1');
  const schemas = `select nspname as name from pg_namespace where nspname in ('shop', 'other', 'redrive') order by 1`;
  expect(await query(url, schemas)).toBe('other\nshop');
  expect(await query(url, 'select count(*) from shop.jobs')).toBe('1');
  expect(await query(url, 'select count(*) from other.jobs')).toBe('0');
  const wrong = await run('status', '--store', `${url}?schema=Shop`);
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toContain('schema must match');
  const missing = await run('status', '--store', `${url}?schema=nobody`);
  expect(missing.stderr).toContain('?schema=nobody does not exist');
});
