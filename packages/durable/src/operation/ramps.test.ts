import type { VirtualClock } from '@redrive/testkit';
import { describe, expect, test } from 'vitest';
import type { FullStore } from '../store/full-store.ts';
import { deadLetters, until } from '../testing/dead-letter-bench.ts';
import { abortOperation, resumeOperation } from './act-on-operation.ts';
import { operationStatus } from './operation-status.ts';
import { submitOperation } from './submit-operation.ts';

const EVE = { name: 'cli:eve', why: 'it should be back' };

function requeueAll(with_: object = {}) {
  const target = { filter: { handler: 'mail' }, limit: 100_000 };
  return { id: 'op-1', act: 'requeue', target, actor: EVE, ...with_ } as const;
}

async function stateOf(store: FullStore) {
  return (await operationStatus(store, 'op-1'))?.state;
}

async function untilState(clock: VirtualClock, store: FullStore, state: string): Promise<void> {
  await until(clock, async () => (await stateOf(store)) === state);
}

describe('a requeue of 10,000 dead letters whose cause is still there', {
  timeout: 120_000,
}, () => {
  test('wastes at most eleven attempts with the ramp', async () => {
    const { store, clock, world } = await deadLetters(10_000);
    await submitOperation(store, requeueAll());
    await untilState(clock, store, 'stopped');
    await clock.advance(60_000);
    expect(world.attempts).toBe(1);
    // One of the first goes well by chance: still no more than eleven.
    await resumeOperation(store, { id: 'op-1', actor: EVE });
    let first = true;
    world.isDown = () => {
      const isDown = !first;
      first = false;
      return isDown;
    };
    world.attempts = 0;
    await untilState(clock, store, 'stopped');
    await clock.advance(60_000);
    expect(world.attempts).toBe(11);
    const status = await operationStatus(store, 'op-1');
    expect(status).toMatchObject({
      acted: 12,
      succeeded: 1,
      inFlight: 0,
      total: { count: 10_000 },
    });
    expect(status?.why).toMatch(/^\d+ of 10 jobs of stage 2 failed again$/);
  });

  test('wastes 10,000 without it', async () => {
    const { store, clock, world } = await deadLetters(10_000);
    await submitOperation(store, requeueAll({ ramp: false }));
    await untilState(clock, store, 'finished');
    await until(clock, async () => (await store.countDead({}, 10_000)).count === 10_000);
    expect(world.attempts).toBe(10_000);
  });
});

describe('with more attempts allowed', () => {
  test('an item has come back with its first failed attempt, and the rest of them wait', async () => {
    const { store, clock, world, ids, look } = await deadLetters(20, 3);
    await submitOperation(store, requeueAll());
    await untilState(clock, store, 'stopped');
    await clock.advance(60_000);
    expect(world.attempts).toBe(1);
    expect(await look(ids[0] ?? '')).toMatchObject({
      state: 'parked',
      cause: 'operation:op-1',
      reason: 'ramp_undecided',
    });
    expect(await operationStatus(store, 'op-1')).toMatchObject({ cameBack: 1, held: 1, acted: 1 });
  });

  test('what waited goes on when the ramp is decided', async () => {
    const { store, clock, world, ids, look } = await deadLetters(150, 3);
    // Of the second stage one fails once: a tenth is no reason to stop.
    const failed = new Set<number>();
    world.isDown = (n) => n === 5 && failed.size < 1 && failed.add(n).size > 0;
    await submitOperation(store, requeueAll());
    await until(clock, async () => (await look(ids[5] ?? '')).state === 'parked');
    await until(clock, async () => (await operationStatus(store, 'op-1'))?.ramp?.stage === 2);
    expect((await look(ids[5] ?? '')).state).toBe('parked');
    await untilState(clock, store, 'finished');
    await until(clock, async () => (await look(ids[5] ?? '')).state === 'succeeded');
    expect(world.attempts).toBe(151);
    expect(await operationStatus(store, 'op-1')).toMatchObject({
      acted: 150,
      succeeded: 149,
      cameBack: 1,
      held: 0,
    });
  });

  test('a resumed one begins with what came back', async () => {
    const { store, clock, world, ids, look } = await deadLetters(30, 3);
    await submitOperation(store, requeueAll());
    await untilState(clock, store, 'stopped');
    world.isDown = () => false;
    const resumed = await resumeOperation(store, { id: 'op-1', actor: { name: 'bob' } });
    expect(resumed).toMatchObject({ state: 'running', by: 'bob', held: 1, ramp: { stage: 0 } });
    await until(clock, async () => (await look(ids[0] ?? '')).state === 'succeeded');
    await untilState(clock, store, 'finished');
    expect(world.attempts).toBe(1 + 30);
    expect(await operationStatus(store, 'op-1')).toMatchObject({ succeeded: 30, acted: 30 });
  });

  test('an aborted one lets them go by themselves', async () => {
    const { store, clock, world, ids, look } = await deadLetters(30, 3);
    await submitOperation(store, requeueAll());
    await untilState(clock, store, 'stopped');
    world.isDown = () => false;
    expect(await abortOperation(store, { id: 'op-1', actor: EVE })).toMatchObject({
      state: 'aborted',
      held: 0,
      acted: 1,
    });
    await until(clock, async () => (await look(ids[0] ?? '')).state === 'succeeded');
    expect((await store.operation('op-1'))?.state).toBe('finished');
    await clock.advance(60_000);
    expect((await store.countDead({}, 100)).count).toBe(29);
    const resume = resumeOperation(store, { id: 'op-1', actor: EVE });
    await expect(resume).rejects.toMatchObject({ code: 'operation_conflict' });
  });
});
