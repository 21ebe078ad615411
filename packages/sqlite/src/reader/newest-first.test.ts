import { DatabaseSync } from 'node:sqlite';
import { compareText } from '@redrive/durable/store';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { MIGRATIONS } from '../database/schema.ts';
import { type Between, type Found, NewestFirst } from './newest-first.ts';

/** The writer notes them one by one. */
const NOTE_STEPS = `INSERT INTO clock_steps (n)
  SELECT n FROM (SELECT n, submitted_at, lag(submitted_at) OVER (ORDER BY n) AS before FROM jobs)
  WHERE submitted_at < before`;

/** Ids in another order than the numbers. */
const idOf = (n: number): string => `job-${n * 7}`;

/** A file with jobs of these times, and the steps of the clock between them. */
function fileWith(jobs: readonly (readonly [n: number, atMs: number])[]): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  for (const step of MIGRATIONS) db.exec(step);
  const insert = db.prepare(
    `INSERT INTO jobs (n, id, lane, tenant, priority, submitted_at, state, revision, token, audit_block, body)
     VALUES (?, ?, 1, '', 0, ?, 4, 1, 0, 1, '1')`,
  );
  for (const [n, atMs] of jobs) insert.run(n, idOf(n), atMs);
  db.exec(NOTE_STEPS);
  return db;
}

const inOrder = (a: Found, b: Found) => b[1] - a[1] || compareText(b[2], a[2]);

it('gives the jobs by time and id, whatever the clock did, from any place on', () => {
  const place = fc.record({ atMs: fc.nat({ max: 12 }), id: fc.constantFrom('job-3', 'job-60') });
  const jobs = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat({ max: 12 })), {
    selector: ([n]) => n,
  });
  const bounds = fc.record({
    fromMs: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
    beforeMs: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
    after: fc.option(place, { nil: undefined }),
  });
  fc.assert(
    fc.property(jobs, bounds, (given, between: Between) => {
      const db = fileWith(given);
      const { fromMs = 0, beforeMs = Infinity, after } = between;
      const all = given
        .map(([n, atMs]): Found => [n, atMs, idOf(n)])
        .filter((job) => job[1] >= fromMs && job[1] < beforeMs)
        .filter((job) => after === undefined || inOrder([0, after.atMs, after.id], job) < 0)
        .sort(inOrder);
      expect([...new NewestFirst(db).jobs(between)]).toEqual(all);
      db.close();
    }),
  );
});

it('reads a page from the middle of many jobs without the others', () => {
  const db = fileWith(Array.from({ length: 30_000 }, (_, n) => [n + 1, n] as const));
  onTestFinished(() => db.close());
  const prepare = db.prepare.bind(db);
  let rows = 0;
  db.prepare = (sql) => {
    const statement = prepare(sql);
    const all = statement.all.bind(statement);
    // It takes what the statement takes.
    statement.all = (...values: never[]) => {
      const found = all(...values);
      rows += found.length;
      return found;
    };
    return statement;
  };
  const [first] = new NewestFirst(db).jobs({ after: { atMs: 12_000, id: '' } });
  expect([first?.[1], rows <= 500]).toEqual([11_999, true]);
});
