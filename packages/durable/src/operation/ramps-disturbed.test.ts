import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from '../store/full-store.ts';
import { deadLetters, until } from '../testing/dead-letter-bench.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import { pauseOperation, resumeOperation } from './act-on-operation.ts';
import { operationStatus } from './operation-status.ts';
import { submitOperation } from './submit-operation.ts';

const EVE = { name: 'cli:eve' };
const ALL = { filter: { handler: 'mail' }, limit: 100_000 };

async function statusOf(store: FullStore, id = 'op-1') {
  const status = await operationStatus(store, id);
  if (status === undefined) throw new Error('it was submitted');
  return status;
}

function purge(store: FullStore, id: string) {
  return store.apply([{ kind: 'act', act: 'purge', id, actor: EVE }]);
}

test.each(['filter', 'ids'] as const)(
  'one that is purged before it is acted on holds up nothing, and nothing goes in its place unseen: %s',
  async (by) => {
    const { store, clock, world, ids } = await deadLetters(30);
    world.isDown = () => false;
    const target = by === 'ids' ? { ids } : ALL;
    await submitOperation(store, { id: 'op-1', act: 'requeue', target, actor: EVE });
    await clock.advance(500);
    expect(await statusOf(store)).toMatchObject({ inFlight: 1, acted: 0 });
    await purge(store, ids[0] ?? '');
    const stages = new Set<number>();
    await until(
      clock,
      async () => {
        const { acted, state } = await statusOf(store);
        stages.add(acted);
        return state === 'finished';
      },
      50,
    );
    expect([...stages]).toEqual([0, 1, 11, 29]);
    expect(await statusOf(store)).toMatchObject({ succeeded: 29, refused: by === 'ids' ? 1 : 0 });
    expect(clock.now()).toBeLessThan(START_MS + 20_000);
  },
);

test('jobs that a stopped ramp holds stay, however long it takes', async () => {
  const { store, clock, world, ids, look, stop } = await deadLetters(20, 3);
  await submitOperation(store, { id: 'op-1', act: 'requeue', target: ALL, actor: EVE });
  await until(clock, async () => (await statusOf(store)).state === 'stopped');
  expect(world.attempts).toBe(1);
  await stop();
  await clock.advance(25 * 3_600_000);
  let attempts = 0;
  const run = async () => {
    attempts += 1;
  };
  const later = workBench({ mail: { policy: { maxAttempts: 3 }, run } }, { store }, clock);
  await later.jobs.start();
  await clock.advance(60_000);
  expect(attempts).toBe(0);
  expect(await look(ids[0] ?? '')).toMatchObject({
    state: 'parked',
    reason: 'ramp_undecided',
    cause: 'operation:op-1',
  });
  await resumeOperation(store, { id: 'op-1', actor: EVE });
  await until(clock, async () => (await statusOf(store)).state === 'finished');
  expect(attempts).toBe(20);
});

test('what was written down and not acted on does not wait for a pause to end', async () => {
  const { store, clock, world } = await deadLetters(3);
  world.isDown = () => false;
  await submitOperation(store, { id: 'op-1', act: 'requeue', target: ALL, actor: EVE });
  await clock.advance(500);
  expect(await statusOf(store)).toMatchObject({ inFlight: 1, ramp: { sent: 1 } });
  await pauseOperation(store, { id: 'op-1', actor: EVE });
  await clock.advance(5_000);
  expect(await statusOf(store)).toMatchObject({ inFlight: 0, acted: 0, ramp: { sent: 0 } });
  await resumeOperation(store, { id: 'op-1', actor: EVE });
  await until(clock, async () => (await statusOf(store)).state === 'finished');
  expect(await statusOf(store)).toMatchObject({ acted: 3, succeeded: 3 });
});

test('operations that rest keep no other one from beginning', async () => {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = memoryStore({ clock });
  // Nobody runs their jobs: what is sent stays under way.
  const jobs = jobsOn(store, { mail: async () => {} }, { clock });
  const queues = ['a', 'b', 'c', 'd', 'e'];
  for (const queue of queues) {
    await jobs.enqueueMany('mail', [1, 2, 3], { queue, deadline: new Date(clock.now() + 1) });
  }
  await clock.advance(1);
  await store.apply([{ kind: 'tick', limit: 100, actor: EVE }]);
  await clock.advance(1);
  const { jobs: working } = workBench({ other: async () => {} }, { store }, clock);
  await working.start();
  const send = (queue: string) =>
    submitOperation(store, {
      id: queue,
      act: 'requeue',
      target: { filter: { queue }, limit: 10 },
      ramp: false,
      maxInFlight: 2,
      actor: EVE,
    });
  for (const queue of queues.slice(0, 4)) await send(queue);
  await clock.advance(5_000);
  for (const id of queues.slice(0, 4)) {
    expect(await statusOf(store, id)).toMatchObject({ inFlight: 2, acted: 2 });
    await pauseOperation(store, { id, actor: EVE });
  }
  await send('e');
  await clock.advance(10_000);
  expect(await statusOf(store, 'e')).toMatchObject({ inFlight: 2, acted: 2 });
});
