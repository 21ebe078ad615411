import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { documentsOn } from '@redrive/durable/documents';
import { sqliteDocuments } from '@redrive/sqlite';
import { virtualClock } from '@redrive/testkit';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { expect, onTestFinished, test } from 'vitest';

const PAGE = readFileSync(
  join(import.meta.dirname, '../docs/reference/document-protocol.md'),
  'utf8',
);
/** The statements of the page, by the name in the comment before each. */
const STATEMENTS = new Map(
  [...PAGE.matchAll(/^-- (\w+).*\n([\s\S]*?;)$/gm)].map(([, name = '', sql = '']) => [name, sql]),
);

// The page is for services in other languages: its SQL must do to a row what documentsOn does.
test('the statements of the protocol do what documentsOn does, in every status', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-protocol-'));
  const path = join(directory, 'app.db');
  const db = new DatabaseSync(path);
  const clock = virtualClock();
  const source = sqliteDocuments(path, { clock });
  onTestFinished(async () => {
    await source.close();
    db.close();
    rmSync(directory, { recursive: true });
  });
  db.exec(`create table archives ("_id" text primary key, status text, "attemptCount" integer,
    "lastAttemptTime" text, "lastError" text, retry_sweep text)`);
  const archives = documentsOn(source, { ...testCollection('archives'), fields: FIELDS });
  const now = new Date(clock.now()).toISOString();
  const steps = {
    begin: (id: string) => archives.begin(id),
    begin_swept: (id: string) => archives.begin(id, { retry_sweep: { attempt: 2 } }),
    succeed: (id: string) => archives.succeed(id),
    fail: (id: string) => archives.fail(id, new TypeError('no header')),
  };
  expect([...STATEMENTS.keys()]).toEqual(Object.keys(steps));
  const statuses = ['pending', 'processing', 'processed', 'failed_max_retries', 'mine'];
  const cases = Object.keys(steps).flatMap((step) =>
    statuses.map((status, n) => ({
      step,
      status,
      id: `${step}-${status}`,
      count: n % 2 ? 2 : null,
    })),
  );
  // In one transaction, because every commit waits for the disk.
  db.exec('begin');
  const insert = db.prepare(`insert into archives values (?, ?, ?, null, 'Error: old', null)`);
  for (const { step, id, status, count } of cases) {
    for (const by of ['page', 'code']) insert.run(`${id}-${by}`, status, count);
    const statement = db.prepare(STATEMENTS.get(step) ?? '');
    statement.setAllowUnknownNamedParameters(true);
    statement.run({ now, error: 'TypeError: no header', id: `${id}-page` });
  }
  db.exec('commit');
  const row = (id: string) => db.prepare('select * from archives where "_id" = ?').get(id);
  for (const { step, id } of cases) {
    await steps[step as keyof typeof steps](`${id}-code`); // A key of `steps`.
    expect({ ...row(`${id}-page`), _id: '' }, id).toEqual({ ...row(`${id}-code`), _id: '' });
  }
});

const FIELDS = { ...testCollection('archives').fields, read: [] };
