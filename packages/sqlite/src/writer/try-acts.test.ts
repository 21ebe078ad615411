import { DatabaseSync } from 'node:sqlite';
import { verifyAudit } from '@redrive/durable';
import type { ActCommand, FullStore } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { auditedHistory } from '@redrive/testkit/conformance/audit-store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { enqueueIn } from '../enqueue-in.ts';
import { STATES } from '../job/states.ts';
import { openStoreWith } from '../open-store.ts';
import { claimOf, enqueueOf, settleOf } from '../testing/commands.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

// What the writer remembers between transactions (the head of the chain, lanes and their counts, leases, pauses) must be
// as if nothing had been tried.

const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
const open = () => openStoreWith(place.path, { clock }, { audit: true, start: withoutThreads });
let place: Scratch;
let store: FullStore;

beforeEach(async () => {
  place = scratch();
  store = await open();
});
afterEach(async () => {
  await store.close();
  place.remove();
});

const actor = { name: 'test' };
const ACTS = ['cancel', 'run_now', 'unpark', 'requeue', 'reset', 'purge', 'restore'] as const;

/** Every act on every job. */
async function everyAct(): Promise<ActCommand[]> {
  const { jobs } = await store.jobs({ states: STATES }, { limit: 100 });
  const acts = jobs.flatMap(({ id }) =>
    ACTS.map((act) => ({ kind: 'act', act, id, actor }) as const),
  );
  return acts.slice(0, 1_000);
}

/** What is in the file, but for what a commit of the log changes. */
function content(): unknown {
  const db = new DatabaseSync(place.path);
  const tables = ['jobs', 'lanes', 'dead_letters', 'dead_groups', 'purged_jobs', 'audit_blocks'];
  const rows = tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all());
  db.close();
  return rows;
}

/** The counts of the lanes are those of their jobs. */
function checkCounts(): void {
  const db = new DatabaseSync(place.path);
  const counters = STATES.map((state) => `total(${state})`).join(', ');
  const kept = Object.values(db.prepare(`SELECT ${counters} FROM lanes`).get() ?? {});
  const counted = STATES.map((_, state) =>
    Number(db.prepare('SELECT count(*) AS n FROM jobs WHERE state = ?').get(state)?.n),
  );
  db.close();
  expect(kept).toEqual(counted);
}

async function problems(): Promise<readonly unknown[]> {
  while ((await store.seal()) !== undefined);
  const reader = await store.readAudit();
  const answer = await verifyAudit(reader);
  await reader.close();
  return answer.problems;
}

it('leaves the file and what the writer remembers as they were', async () => {
  await auditedHistory(store, clock, { seed: 3, rounds: 8 });
  const other = await open();
  const db = new DatabaseSync(place.path);
  for (let round = 0; round < 5; round++) {
    const before = content();
    const tried = await store.tryActs(await everyAct());
    expect(tried.some(({ ok }) => ok)).toBe(true);
    expect(content()).toEqual(before);
    // Whoever writes next goes on where the last one was, be it this store, another process or a caller.
    await store.apply([enqueueOf(`mine-${round}`, { queue: `queue-${round}` })]);
    await other.apply([enqueueOf(`theirs-${round}`)]);
    await store.tryActs(await everyAct());
    db.exec('BEGIN IMMEDIATE');
    enqueueIn(db, enqueueOf(`leaf-${round}`), { clock });
    db.exec('COMMIT');
  }
  db.close();
  await other.close();
  checkCounts();
  expect(await problems()).toEqual([]);
});

it('takes no lease away from who has it', async () => {
  await store.apply([enqueueOf('a'), enqueueOf('b')]);
  const [{ jobs }] = await store.apply([claimOf(2)]);
  const acts = ['a', 'b'].map((id) => ({ kind: 'act', act: 'cancel', id, actor }) as const);
  expect(await store.tryActs(acts)).toEqual([
    { ok: true, state: 'leased' },
    { ok: true, state: 'leased' },
  ]);
  expect(await store.apply(jobs.map((job) => settleOf(job)))).toEqual([{ ok: true }, { ok: true }]);
  expect((await store.job('a'))?.state).toBe('succeeded');
  expect(await problems()).toEqual([]);
});

it('answers what the acts then do', async () => {
  await auditedHistory(store, clock, { seed: 9, rounds: 6 });
  const acts = await everyAct();
  const tried = await store.tryActs(acts);
  expect(await store.apply(acts)).toEqual(tried);
  checkCounts();
  expect(await problems()).toEqual([]);
});
