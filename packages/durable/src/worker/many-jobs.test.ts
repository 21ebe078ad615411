import { systemClock } from '@redrive/core';
import { describe, expect, it } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';

/** What is left after the garbage is gone. Needs `--expose-gc`; without it, a measurement would say nothing. */
const collect = (globalThis as { gc?: () => void }).gc;

describe('many jobs', () => {
  it('leave nothing behind in the worker', async () => {
    const store = memoryStore();
    const held: WeakRef<object>[] = [];
    let done = 0;
    const jobs = jobsOn(
      store,
      {
        run: async (_: unknown, context) => {
          done += 1;
          if (done % 1_000 === 0) held.push(new WeakRef(context));
        },
      },
      { concurrency: 16 },
    );
    await jobs.start();
    for (let batch = 0; batch < 4; batch++) {
      await jobs.enqueueMany('run', Array(5_000).fill({ n: batch }));
      const { died } = await jobs.idle();
      expect(died).toBe(0);
    }
    await jobs.stop();
    expect(done).toBe(20_000);
    expect(held.length).toBe(20);
    if (collect === undefined) return;
    collect();
    await new Promise<void>((resolve) => systemClock.setTimer(1, resolve));
    collect();
    expect(held.filter((ref) => ref.deref() !== undefined)).toEqual([]);
  });
});
