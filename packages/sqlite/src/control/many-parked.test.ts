import { DatabaseSync } from 'node:sqlite';
import type { FullStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { claimOf, enqueueOf, settleOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';
import { ReadyJobs } from '../writer/tenant-jobs.ts';
import { FIRST_IN_TURN } from './parked-jobs.ts';

// More jobs than anybody should look at, written straight into the table.

const MANY = 25_000;
const actor = { name: 'test' };

let place: Scratch;
let store: FullStore;

beforeAll(async () => {
  place = scratch();
  const clock = virtualClock({ startMs: 1_000 });
  store = await openMade(place.path, { clock }, { audit: true, start: withoutThreads });
  await store.apply([enqueueOf('ready', { tenant: 'acme' }), enqueueOf('parked')]);
  const [{ jobs }] = await store.apply([claimOf(1)]);
  const [job] = jobs;
  if (job === undefined) throw new Error('Nothing was claimed.');
  const { kind, settlement } = settleOf(job, 'parked');
  const parked = { ...settlement, dueInMs: 50_000, cause: 'breaker:api' };
  await store.apply([{ kind, settlement: parked }]);
  multiply();
});
afterAll(async () => {
  await store.close();
  place.remove();
});
afterEach(() => vi.restoreAllMocks());

/** Of the job that is ready and of the one that is parked, so many each. */
function multiply(): void {
  const db = new DatabaseSync(place.path);
  const columns = db
    .prepare("SELECT name FROM pragma_table_info('jobs')")
    .all()
    .map(({ name }) => String(name));
  const own: Readonly<Record<string, string>> = {
    n: '10 + i',
    id: "t.id || '-' || i",
    cause: "CASE WHEN t.cause IS NOT NULL THEN 'breaker:api-' || (i / 2 % 2) END",
  };
  const values = columns.map((column) => own[column] ?? `t.${column}`);
  db.exec(`
    WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${2 * MANY})
    INSERT INTO jobs (${columns.join(', ')})
      SELECT ${values.join(', ')} FROM numbers JOIN jobs t ON t.n = 1 + i % 2;
    UPDATE lanes SET ready = (SELECT count(*) FROM jobs WHERE ready_lane IS NOT NULL),
      parked = (SELECT count(*) FROM jobs WHERE cause IS NOT NULL);
  `);
  db.close();
}

/** How SQLite would carry it out. */
function planOf(sql: string): string {
  const db = new DatabaseSync(place.path);
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  db.close();
  return plan.map(({ detail }) => String(detail)).join('\n');
}

describe('beside many parked jobs', () => {
  it('a release goes by the index, in its order', () => {
    const plan = planOf(
      "SELECT id FROM jobs WHERE cause = 'x' ORDER BY priority DESC, release_at, id LIMIT 5",
    );
    expect(plan).toBe('SEARCH jobs USING COVERING INDEX jobs_parked (cause=?)');
  });

  it('a release in turn asks the index once for each priority, and sorts what that gives', () => {
    const plan = planOf(FIRST_IN_TURN.replaceAll('?1', "'x'").replaceAll('?2', '5'));
    expect(plan.split('\n').filter((line) => /jobs_|TEMP|SCAN j/.test(line))).toEqual([
      'SEARCH jobs USING COVERING INDEX jobs_parked (cause=?)',
      'SEARCH j USING COVERING INDEX jobs_parked (cause=? AND priority<?)',
      'SEARCH j USING INDEX sqlite_autoindex_jobs_1 (id=?)',
      'SEARCH f USING COVERING INDEX jobs_parked (cause=? AND priority=?)',
      'USE TEMP B-TREE FOR ORDER BY',
    ]);
  });

  it('causes are counted one after the other, as far as that is asked for', async () => {
    const count = 10_000;
    expect(await store.parks()).toEqual([
      { cause: 'breaker:api', count: 1, bounded: false },
      ...[0, 1].map((n) => ({ cause: `breaker:api-${n}`, count, bounded: true })),
    ]);
  });

  it('some are let go of, and the rest stay', async () => {
    const [released] = await store.apply([
      { kind: 'release', cause: 'breaker:api-1', limit: 1_000, actor },
    ]);
    expect(released).toEqual({ ok: true, released: 1_000, more: true });
  });
});

describe('a stopped tenant with many ready jobs', () => {
  it('costs a claim no look at its jobs, and hides nobody', async () => {
    await store.apply([
      { kind: 'control', of: 'kill', key: 'tenant:acme', expect: 0, document: '{}' },
      { kind: 'control', of: 'kill', key: 'tenant:', expect: 0, document: '{}' },
      enqueueOf('other', { tenant: 'other' }),
    ]);
    const jobs = vi.spyOn(ReadyJobs.prototype, 'jobs');
    const [claimed] = await store.apply([claimOf(10)]);
    expect(claimed.jobs.map(({ id }) => id)).toEqual(['other']);
    expect(jobs).toHaveBeenCalledTimes(1);
  });
});
