import { virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { engage } from '../testing/control-bench.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

it('while something else is stopped, documents that change all the time keep nothing from starting', async () => {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = faultyStore(memoryStore({ clock }));
  const { jobs } = workBench({ run: () => {} }, { store, concurrency: 2 }, clock);
  await jobs.start();
  await engage(store, 'queue:other');
  await clock.advance(2_000);
  const { controls } = store;
  store.controls = async () => {
    const found = await controls();
    await new Promise<void>((resolve) => void clock.setTimer(20, resolve));
    return found;
  };
  let revision = 0;
  for (let n = 0; n < 200; n += 1) {
    if (n === 10) await jobs.enqueueMany('run', Array(100).fill(null));
    const document = JSON.stringify({ sinceMs: n });
    const command = { kind: 'control', of: 'park', key: 'budget:x', document } as const;
    const [answer] = await store.apply([{ ...command, expect: revision }]);
    if (answer.ok) revision = answer.revision;
    await clock.advance(10);
  }
  const { jobs: done } = await store.jobs({ states: ['succeeded'] }, { limit: 100 });
  expect(done).toHaveLength(100);
});
