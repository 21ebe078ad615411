import { DatabaseSync } from 'node:sqlite';
import type { FullStore } from '@redrive/durable';
import type { DeadFilter } from '@redrive/durable/dead-letters';
import { fingerprintOf } from '@redrive/durable/dead-letters';
import { MAX_DEAD_SCAN } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimOf, enqueueOf, settleOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

// More dead letters than one page looks at, written straight into the tables: every page must still be right.

const LETTERS = 45_000;
const GROUPS = ['disk is full', 'no route to host', 'bad gateway'].map((message) =>
  fingerprintOf({ type: 'Error', message }),
);
const QUEUES = ['red', 'green', 'blue'];

let place: Scratch;
let store: FullStore;

beforeAll(async () => {
  place = scratch();
  const clock = virtualClock({ startMs: 1_000 });
  store = await openMade(place.path, { clock }, { audit: true, start: withoutThreads });
  for (const [n, queue] of QUEUES.entries()) {
    await store.apply([enqueueOf(`template-${n}`, { queue })]);
    const [{ jobs }] = await store.apply([claimOf(1)]);
    const [job] = jobs;
    if (job === undefined) throw new Error('Nothing was claimed.');
    const { kind, settlement } = settleOf(job, 'dead');
    await store.apply([{ kind, settlement: { ...settlement, group: GROUPS[n] } }]);
  }
  multiply();
});
afterAll(async () => {
  await store.close();
  place.remove();
});

/** Letters in turn of each queue and cause, the third of which dies out; a few have a tag or another tenant. */
function multiply(): void {
  const db = new DatabaseSync(place.path);
  const columns = db
    .prepare("SELECT name FROM pragma_table_info('jobs')")
    .all()
    .map(({ name }) => String(name));
  const own: Readonly<Record<string, string>> = {
    n: '10 + i',
    // Neither in the order of their deaths nor of one length.
    id: `'job-' || (i * 7919 % ${LETTERS})`,
    tenant: "CASE WHEN i % 9000 = 7 THEN 'few' ELSE 'many' END",
    finished_at: '2000 + i / 7',
    spec: 'CASE WHEN i % 11000 < 2 THEN \'{"tags":["odd"]}\' END',
  };
  const values = columns.map((column) => own[column] ?? `t.${column}`);
  db.exec(`
    WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${LETTERS})
    INSERT INTO jobs (${columns.join(', ')})
      SELECT ${values.join(', ')} FROM numbers JOIN jobs t ON t.n = 1 + i % iif(i > 30000, 2, 3);
    INSERT INTO dead_letters SELECT finished_at, id, n, lane, tenant, life ->> '$.fingerprint', life ->> '$.reason',
      NULL, NULL, spec -> '$.tags' FROM jobs WHERE n > 10;
    UPDATE lanes SET dead = (SELECT count(*) FROM dead_letters d WHERE d.lane = lanes.lane);
  `);
  db.close();
}

/** Ids by brute force, the newest first. */
function expected(where: string): string[] {
  const db = new DatabaseSync(place.path);
  const rows = db
    .prepare(
      `SELECT id FROM dead_letters JOIN lanes USING (lane) LEFT JOIN dead_groups USING (fingerprint)
       WHERE ${where} ORDER BY died_at DESC, id DESC`,
    )
    .all();
  db.close();
  return rows.map(({ id }) => String(id));
}

/** Ids of all pages, and how many there were. */
async function walked(
  filter: DeadFilter,
  limit: number,
  first: 'newest' | 'oldest' = 'newest',
): Promise<{ readonly ids: string[]; readonly pages: number }> {
  const ids: string[] = [];
  let after: string | undefined;
  for (let pages = 1; ; pages++) {
    const page = await store.deadLetters(filter, { limit, after, first });
    expect(page.jobs.length).toBeLessThanOrEqual(limit);
    ids.push(...page.jobs.map(({ id }) => id));
    after = page.next;
    if (after === undefined) return { ids, pages };
  }
}

const FILTERS: readonly [string, DeadFilter, string][] = [
  ['a tag', { tag: 'odd' }, "tags LIKE '%odd%'"],
  ['a tag and a handler of three queues', { tag: 'odd', handler: 'mail' }, "tags LIKE '%odd%'"],
  ['a tag and a queue', { tag: 'odd', queue: 'red' }, "tags LIKE '%odd%' AND queue = 'red'"],
  ['a tenant', { tenant: 'few' }, "tenant = 'few'"],
  [
    'a tenant of many and a text of two causes',
    { tenant: 'many', text: 'O', tag: 'odd' },
    "tenant = 'many' AND instr(lower(pattern), 'o') AND tags LIKE '%odd%'",
  ],
  [
    'a cause, a tag and a time',
    { fingerprint: GROUPS[1]?.fingerprint, tag: 'odd', diedAfterMs: 2_500, diedBeforeMs: 6_000 },
    `fingerprint = '${GROUPS[1]?.fingerprint}' AND tags LIKE '%odd%' AND died_at >= 2500 AND died_at < 6000`,
  ],
  ['nothing that there is', { sessionId: 'nobody' }, 'FALSE'],
  ['a reason that all have', { reason: 'retryable_error', tenant: 'few' }, "tenant = 'few'"],
];

describe('pages of very many dead letters', () => {
  it.each(FILTERS)('%s: all that fit, each once, in order', async (_, filter, where) => {
    const all = expected(where);
    const newest = await walked(filter, 3);
    expect(newest.ids).toEqual(all);
    // Pages that find nothing are as few as can be.
    expect(newest.pages).toBeLessThanOrEqual(all.length / 3 + LETTERS / MAX_DEAD_SCAN + 2);
    expect((await walked(filter, 1_000)).ids).toEqual(all);
    expect((await walked(filter, 1_000, 'oldest')).ids).toEqual(all.toReversed());
  });

  it('without a filter, over letters that died at the same time', async () => {
    const filter = { diedAfterMs: 8_000 };
    expect((await walked(filter, 97)).ids).toEqual(expected('died_at >= 8000'));
  });
});

describe('counts of very many dead letters', () => {
  it('stop where they are told to', async () => {
    expect(await store.countDead({}, 10_000)).toEqual({ count: 10_000, bounded: true });
    expect(await store.countDead({ queue: 'red' }, 10_000)).toEqual({
      count: 10_000,
      bounded: true,
    });
    expect(await store.countDead({ tenant: 'few' }, 10_000)).toEqual({ count: 5, bounded: false });
    expect(await store.countDead({ tenant: 'few' }, 5)).toEqual({ count: 5, bounded: false });
    expect(await store.countDead({ tenant: 'few' }, 4)).toEqual({ count: 4, bounded: true });
  });

  it('say that there may be more where not everything was looked at', async () => {
    const { count, bounded } = await store.countDead({ tag: 'odd' }, 10_000);
    expect(bounded).toBe(true);
    expect(count).toBeLessThanOrEqual(expected("tags LIKE '%odd%'").length);
    expect(await store.countDead({ tag: 'odd', tenant: 'few' }, 10_000)).toMatchObject({
      bounded: false,
    });
  });
});

describe('causes of very many dead letters', () => {
  it('are counted as far as it goes, and know their first and last', async () => {
    const { groups, next } = await store.deadGroups({}, { limit: 10 });
    expect(next).toBeUndefined();
    expect(groups).toHaveLength(3);
    for (const group of groups) {
      const ids = expected(`fingerprint = '${group.fingerprint}'`);
      expect(group).toMatchObject({ count: 10_000, bounded: true, newestId: ids[0] });
    }
    const few = await store.deadGroups({ diedBeforeMs: 2_010 }, { limit: 10 });
    expect(few.groups.map(({ count, bounded }) => [count, bounded])).toEqual([
      [24, false],
      [24, false],
      [24, false],
    ]);
  });

  it('are those of the newest letters where there are too many to look at each', async () => {
    const db = new DatabaseSync(place.path);
    db.exec(`WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${MAX_DEAD_SCAN})
      INSERT INTO dead_groups (fingerprint, pattern) SELECT 'gone-' || i, 'p' FROM numbers`);
    const { groups } = await store.deadGroups({}, { limit: 10 });
    db.exec("DELETE FROM dead_groups WHERE pattern = 'p'");
    db.close();
    // The letters of the third cause are older.
    expect(groups.map(({ bounded }) => bounded)).toEqual([true, true]);
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(MAX_DEAD_SCAN);
  });

  it('are those of the newest letters where a filter needs more than an index', async () => {
    const { groups } = await store.deadGroups({ handler: 'mail' }, { limit: 10 });
    expect(groups.map(({ pattern }) => pattern).sort()).toEqual(
      GROUPS.map(({ pattern }) => pattern).sort(),
    );
    expect(groups.every(({ bounded }) => bounded)).toBe(true);
    const few = await store.deadGroups({ tenant: 'few' }, { limit: 10 });
    expect(few.groups.reduce((sum, { count }) => sum + count, 0)).toBe(5);
    expect(few.groups.every(({ bounded }) => !bounded)).toBe(true);
  });
});
