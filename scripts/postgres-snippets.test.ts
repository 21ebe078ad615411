import { type PostgresService, startPostgres } from '@redrive/testkit/services';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { snippetRunner, snippetsMarked } from './snippets.ts';

// Every block marked `ts postgres` runs on a database of its own, whose address is in DATABASE_URL.
const snippets = snippetsMarked('ts postgres');
const run = snippetRunner();

let server: PostgresService;
beforeAll(async () => {
  server = await startPostgres();
}, 180_000);
afterAll(() => server?.stop());

test('there are snippets to run', () => {
  expect(snippets.length).toBeGreaterThan(1);
});

test.each(snippets)('$page, snippet $number', async ({ page, number, code }) => {
  const name = `${page}_${number}`.replace(/\W/g, '_');
  const client = new Client(server.url);
  await client.connect();
  await client.query(`CREATE DATABASE "${name}"`);
  await client.end();
  run(code, { DATABASE_URL: server.url.replace(/\/postgres$/, `/${name}`) });
});
