import type { VirtualClock } from '@redrive/testkit';
import { describe, expect, test } from 'vitest';
import { engageKill } from '../control/kill-switches.ts';
import { endHold, holdPark } from '../control/park-acts.ts';
import { releaseKill } from '../control/release-kill.ts';
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
    expect(status?.changes.at(-1)?.why).toMatch(/^\d+ of 10 jobs of stage 2 failed again$/);
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
  test('the first failed attempt of a job counts, and the job goes on with its own attempts', async () => {
    const { store, clock, world, ids, look } = await deadLetters(20, 3);
    await submitOperation(store, requeueAll());
    await untilState(clock, store, 'stopped');
    expect(world.attempts).toBe(1);
    expect(await look(ids[0] ?? '')).toMatchObject({
      state: 'scheduled',
      reason: 'retryable_error',
    });
    expect(await operationStatus(store, 'op-1')).toMatchObject({
      cameBack: 1,
      acted: 1,
      inFlight: 0,
    });
    await clock.advance(60_000);
    expect(await look(ids[0] ?? '')).toMatchObject({ state: 'dead' });
    expect(world.attempts).toBe(3);
  });

  test('a job that fails once and succeeds then has failed, and does not hold up the next stage', async () => {
    const { store, clock, world, ids, look } = await deadLetters(150, 3);
    // Of the second stage one fails once: a tenth is no reason to stop.
    const failed = new Set<number>();
    world.isDown = (n) => n === 5 && failed.size < 1 && failed.add(n).size > 0;
    await submitOperation(store, requeueAll());
    await untilState(clock, store, 'finished');
    await until(clock, async () => (await look(ids[5] ?? '')).state === 'succeeded');
    expect(world.attempts).toBe(151);
    expect(await operationStatus(store, 'op-1')).toMatchObject({
      acted: 150,
      succeeded: 149,
      cameBack: 1,
    });
  });

  test('a parked job is awaited', async () => {
    const { store, clock, world, ids, look } = await deadLetters(20, 3);
    world.isDown = () => false;
    await engageKill(store, { scope: 'operation', name: 'mail', actor: EVE });
    await submitOperation(store, requeueAll());
    await until(clock, async () => (await operationStatus(store, 'op-1'))?.inFlight === 1);
    const cause = 'kill:operation:mail';
    await holdPark(store, { cause, actor: EVE });
    const pace = { perSecond: 10 };
    await releaseKill(store, { scope: 'operation', name: 'mail', pace, actor: EVE });
    await until(clock, async () => (await look(ids[0] ?? '')).state === 'parked');
    await clock.advance(60_000);
    expect(await operationStatus(store, 'op-1')).toMatchObject({ inFlight: 1, succeeded: 0 });
    await endHold(store, { cause, actor: EVE });
    await untilState(clock, store, 'finished');
    expect(await operationStatus(store, 'op-1')).toMatchObject({ succeeded: 20, cameBack: 0 });
  });

  test('a resumed one begins its ramp again with the next jobs', async () => {
    const { store, clock, world, ids, look } = await deadLetters(30, 3);
    await submitOperation(store, requeueAll());
    await untilState(clock, store, 'stopped');
    world.isDown = () => false;
    const resumed = await resumeOperation(store, { id: 'op-1', actor: { name: 'bob' } });
    expect(resumed).toMatchObject({ state: 'running', inFlight: 0, ramp: { stage: 0 } });
    expect(resumed.changes.at(-1)?.by).toBe('bob');
    await untilState(clock, store, 'finished');
    await until(clock, async () => (await look(ids[0] ?? '')).state === 'succeeded');
    expect(world.attempts).toBe(1 + 30);
    expect(await operationStatus(store, 'op-1')).toMatchObject({
      succeeded: 29,
      cameBack: 1,
      acted: 30,
    });
  });

  test('an aborted one sends nothing more', async () => {
    const { store, clock, world, ids, look } = await deadLetters(30, 3);
    await submitOperation(store, requeueAll());
    await untilState(clock, store, 'stopped');
    world.isDown = () => false;
    expect(await abortOperation(store, { id: 'op-1', actor: EVE })).toMatchObject({
      state: 'aborted',
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
