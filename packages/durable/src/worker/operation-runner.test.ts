import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { updateControl } from '../control/update-control.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { operationStatus } from '../operation/operation-status.ts';
import { submitOperation } from '../operation/submit-operation.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

test("an act on many whose process is gone is taken over by the store's time, not by this machine's", async () => {
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
