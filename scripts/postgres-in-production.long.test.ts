import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openStore } from '@redrive/postgres';
import {
  ensureBinary,
  POSTGRES_PROGRAM,
  type PostgresService,
  startPgBouncer,
  startPostgres,
} from '@redrive/testkit/services';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The page as a reader goes through it: every command in its order, on one server.
const root = dirname(import.meta.dirname);
const page = readFileSync(join(root, 'docs/how-to/postgres-in-production.md'), 'utf8');
const blocks = [...page.matchAll(/^```(sql|sh|ini)\n(.*?)^```$/gms)].map(
  ([, language = '', text = '']) => ({ language, text }),
);

let server: PostgresService;
let directory: string;
let tools: string;

beforeAll(async () => {
  server = await startPostgres();
  tools = dirname(realpathSync(await ensureBinary(POSTGRES_PROGRAM)));
  directory = mkdtempSync(join(tmpdir(), 'redrive-page-'));
  mkdirSync(join(directory, 'bin'));
  const launcher = join(root, 'packages/cli/bin/redrive.cjs');
  const file = join(directory, 'bin/redrive');
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`);
  chmodSync(file, 0o755);
  await sql('CREATE DATABASE shop', 'postgres');
}, 180_000);

afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await server?.stop();
});

function urlOf(user: string, database: string): string {
  return `postgres://${user}@${server.host}:${server.port}/${database}`;
}

/** Runs the statements of a block, each by itself: VACUUM stands in no transaction. */
async function sql(text: string, database = 'shop'): Promise<unknown[][]> {
  const client = new Client(urlOf('postgres', database));
  await client.connect();
  try {
    const rows: unknown[][] = [];
    for (const statement of text.split(/;\s*\n/).filter((part) => part.trim() !== '')) {
      rows.push((await client.query(statement)).rows);
    }
    return rows;
  } finally {
    await client.end();
  }
}

function sh(text: string): void {
  const { stdout, stderr, status, error } = spawnSync('sh', ['-euc', text], {
    cwd: directory,
    env: {
      ...process.env,
      PATH: `${join(directory, 'bin')}:${tools}:${process.env.PATH}`,
      OWNER_URL: urlOf('redrive_owner', 'shop'),
      APP_URL: urlOf('app', 'shop'),
      ADMIN_URL: urlOf('postgres', 'shop'),
      RESTORED_URL: urlOf('postgres', 'shop_restored'),
    },
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (error) throw error;
  // As one text, so that a failure shows what was printed.
  expect(`${stdout}${stderr}exit code ${status}`, text).toMatch(/exit code 0$/);
}

/** The file of the page works: the name of the jobs has a session to itself, that of the application has not. */
async function checkPooler(databases: string): Promise<void> {
  const pooler = await startPgBouncer(server, {
    poolMode: 'transaction',
    databases: databases
      .replace('[databases]\n', '')
      .replaceAll('port=5432', `port=${server.port}`),
  });
  try {
    const named = (database: string) => pooler.url.replace(/[^/]+$/, database);
    await (await openStore(named('shop_jobs'))).close();
    await expect(openStore(named('shop'))).rejects.toMatchObject({ code: 'store_behind_pooler' });
  } finally {
    await pooler.stop();
  }
}

test('every command of the page about Postgres in production works', async () => {
  expect(blocks.length).toBeGreaterThan(10);
  for (const { language, text } of blocks) {
    if (language === 'sql') await sql(text);
    else if (language === 'sh') sh(text);
    else await checkPooler(text);
  }
}, 180_000);
