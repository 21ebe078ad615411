import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { updateControl } from '../control/update-control.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { operationStatus } from '../operation/operation-status.ts';
import { submitOperation } from '../operation/submit-operation.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

test("a bulk operation whose process is gone is taken over by the store's time, not by this machine's", async () => {
  // This machine's clock is an hour behind the store's.
  const clock = virtualClock({ startMs: START_MS - 3_600_000, monotonicMs: 7_000 });
  const stores = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = memoryStore({ clock: stores });
  const mail = jobsOn(store, { mail: () => {} }, { clock: stores });
  await mail.enqueueMany('mail', [1, 2, 3], { delayMs: 86_400_000 });
  await stores.advance(1);
  const target = { jobs: { states: ['scheduled'] as const }, limit: 10 };
  await submitOperation(store, { id: 'op', act: 'cancel', target, actor: { name: 'eve' } });
  await updateControl(store, {
    of: 'operation',
    key: 'op',
    next: (course, nowMs) =>
      course && { ...course, runner: { worker: 'gone', untilMs: nowMs + 15_000 } },
  });
  const { jobs } = workBench({ other: () => {} }, { store }, clock);
  await jobs.start();
  for (let n = 0; n < 200; n += 1) {
    await stores.advance(100);
    await clock.advance(100);
  }
  expect(await operationStatus(store, 'op')).toMatchObject({ state: 'finished', acted: 3 });
});

test("a bulk operation is taken over although the store's clock was set back by an hour", async () => {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = memoryStore({ clock });
  const mail = jobsOn(store, { mail: () => {} }, { clock });
  await mail.enqueueMany('mail', [1, 2, 3], { delayMs: 86_400_000 });
  await clock.advance(1);
  const target = { jobs: { states: ['scheduled'] as const }, limit: 10 };
  await submitOperation(store, { id: 'op', act: 'cancel', target, actor: { name: 'eve' } });
  await updateControl(store, {
    of: 'operation',
    key: 'op',
    next: (course, nowMs) =>
      course && { ...course, runner: { worker: 'gone', untilMs: nowMs + 3_615_000 } },
  });
  const { jobs } = workBench({ other: () => {} }, { store }, clock);
  await jobs.start();
  await clock.advance(20_000);
  expect(await operationStatus(store, 'op')).toMatchObject({ state: 'finished', acted: 3 });
});

test('acts on many that only wait, for ever, keep no other one from its turn', async () => {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = memoryStore({ clock });
  const actor = { name: 'eve' };
  // Nobody runs these: a ramp that has sent one is never decided.
  const mail = jobsOn(store, { mail: () => {} }, { clock });
  const deadline = new Date(clock.now() + 1);
  const dead = await mail.enqueueMany('mail', [1, 2, 3, 4], { deadline });
  await mail.enqueueMany('mail', [5, 6, 7], { delayMs: 86_400_000 });
  await clock.advance(1);
  await store.apply([{ kind: 'tick', limit: 10, actor }]);
  await clock.advance(1);
  const { jobs } = workBench({ other: () => {} }, { store }, clock);
  await jobs.start();
  for (const { id } of dead) {
    await submitOperation(store, { id, act: 'requeue', target: { ids: [id] }, ramp: [1], actor });
  }
  await clock.advance(10_000);
  const target = { jobs: { states: ['scheduled'] as const }, limit: 10 };
  await submitOperation(store, { id: 'op', act: 'cancel', target, actor });
  await clock.advance(10_000);
  for (const { id } of dead) {
    expect(await operationStatus(store, id)).toMatchObject({ state: 'running', inFlight: 1 });
  }
  expect(await operationStatus(store, 'op')).toMatchObject({ state: 'finished', acted: 3 });
});
