import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from '../store/full-store.ts';
import { deadLetters, until } from '../testing/dead-letter-bench.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import { pauseOperation } from './act-on-operation.ts';
import { operationRound } from './operation-round.ts';
import { operationStatus } from './operation-status.ts';
import { submitOperation } from './submit-operation.ts';

const EVE = { name: 'cli:eve' };
const ALL = { filter: { handler: 'mail' }, limit: 100_000 };

async function statusOf(store: FullStore, id = 'op-1') {
  const status = await operationStatus(store, id);
  if (status === undefined) throw new Error('it was submitted');
  return status;
}

test('a job that is purged before it is sent holds up nothing: another one takes its place in the stage', async () => {
  const { store, clock, world, ids } = await deadLetters(30);
  world.isDown = () => false;
  const target = { ids };
  const { stepOperation } = store;
  const stages: number[] = [];
  store.stepOperation = async (step) => {
    // Somebody purges the first one between the note and the act.
    if (stages.length === 0)
      await store.apply([{ kind: 'act', act: 'purge', id: ids[0] ?? '', actor: EVE }]);
    stages.push(step.acts.length);
    return stepOperation(step);
  };
  await submitOperation(store, { id: 'op-1', act: 'requeue', target, actor: EVE });
  await until(clock, async () => (await statusOf(store)).state === 'finished');
  expect(stages).toEqual([1, 1, 10, 18]);
  expect(await statusOf(store)).toMatchObject({ succeeded: 29, refused: 1 });
  expect(clock.now()).toBeLessThan(START_MS + 20_000);
});

test('a process that wrote a stage down and is killed loses and repeats nothing', async () => {
  const { store, clock, world } = await deadLetters(30);
  world.isDown = () => false;
  const killed: FullStore = { ...store, stepOperation: () => new Promise(() => {}) };
  await submitOperation(store, { id: 'op-1', act: 'requeue', target: ALL, actor: EVE });
  const runner = { store: killed, worker: 'killed', batch: 50 };
  void operationRound(runner, 'op-1');
  await clock.advance(500);
  expect(await statusOf(store)).toMatchObject({ inFlight: 1, acted: 0, ramp: { sent: 1 } });
  await until(clock, async () => (await statusOf(store)).state === 'finished');
  expect(await statusOf(store)).toMatchObject({ acted: 30, succeeded: 30, refused: 0 });
  expect(world.attempts).toBe(30);
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
