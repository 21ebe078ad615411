import { DatabaseSync } from 'node:sqlite';
import type { FullStore } from '@redrive/durable';
import { planActs } from '@redrive/durable/control';
import { type ActCommand, ActForecast } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { auditedHistory } from '@redrive/testkit/conformance/audit-store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { STATES } from '../job/states.ts';
import { openStoreWith } from '../open-store.ts';
import { enqueueOf } from '../testing/commands.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
let place: Scratch;
let store: FullStore;

beforeEach(async () => {
  place = scratch();
  store = await openStoreWith(place.path, { clock }, { audit: true, start: withoutThreads });
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
  return jobs.flatMap(({ id }) => ACTS.map((act) => ({ kind: 'act', act, id, actor }) as const));
}

async function forecast(acts: readonly ActCommand[]) {
  const all = new ActForecast();
  all.add(await store.actSubjects([...new Set(acts.map(({ id }) => id))]));
  return acts.map((command) => all.predict(command));
}

it('answers while another process holds the write lock', async () => {
  const ids = ['a', 'b', 'c'];
  await store.apply(ids.map((id) => enqueueOf(id)));
  const other = new DatabaseSync(place.path);
  other.exec('BEGIN IMMEDIATE');
  const wish = { act: 'cancel', target: { ids: [...ids, 'nobody'] }, actor } as const;
  const plan = await planActs(store, wish);
  other.exec('ROLLBACK');
  other.close();
  expect(plan).toMatchObject({ eligible: 3, ineligible: 1 });
});

it('predicts what every act on every job of a long history then does', async () => {
  await auditedHistory(store, clock, { seed: 9, rounds: 8 });
  const acts = await everyAct();
  const predicted = await forecast(acts);
  expect(new Set(predicted.map((result) => (result.ok ? 'ok' : result.refusal)))).toContain(
    'illegal',
  );
  expect(await store.apply(acts)).toEqual(predicted);
});

it('predicts that an act on a row that cannot be read is refused', async () => {
  await store.apply(['a', 'b'].map((id) => enqueueOf(id)));
  const db = new DatabaseSync(place.path);
  db.exec("UPDATE jobs SET life = '{' WHERE id = 'a'");
  db.close();
  const acts = ['a', 'b'].map((id) => ({ kind: 'act', act: 'cancel', id, actor }) as const);
  const predicted = await forecast(acts);
  expect(predicted.map(({ ok }) => ok)).toEqual([false, true]);
  expect(await store.apply(acts)).toEqual(predicted);
});
