import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { jobsOn } from '../jobs/jobs-on.ts';
import { Waiters } from '../jobs/waiters.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { endlessStore } from '../testing/endless-store.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe('memory', () => {
  it.each([
    ['that succeed', () => 'done'],
    ['that fail', () => Promise.reject(new Error('down'))],
    [
      'that look at their signal',
      (_: unknown, { signal }: { signal: AbortSignal }) => signal.aborted,
    ],
  ])('is flat over very many jobs %s', async (_, run) => {
    const clock = virtualClock();
    const heaps: number[] = [];
    const count = 15_000;
    let next = 5_000;
    const store = endlessStore(count, (settled) => {
      if (settled < next) return;
      next += 5_000;
      heaps.push(heapBytes());
    });
    const jobs = jobsOn(store, { run }, { clock, concurrency: 16 });
    await jobs.start();
    while (next <= count) {
      await settle();
      clock.tick(1);
    }
    const stopped = jobs.stop();
    await clock.advance(10);
    await stopped;
    expect(heaps).toHaveLength(3);
    const [early = 0, , late = Infinity] = heaps;
    // 10,000 jobs in between: forty bytes for each would be too many.
    expect(late - early).toBeLessThan(400_000);
  });

  it('is what it was when nobody waits any more', async () => {
    const clock = virtualClock();
    const waiters = new Waiters(memoryStore({ clock }), clock);
    const { signal } = new AbortController();
    const round = async () => {
      const waits = Array.from({ length: 2_000 }, (_, n) =>
        waiters.wait(`job ${n}`, 1_000, signal).catch(() => {}),
      );
      await clock.advance(1_000);
      await Promise.all(waits);
      return heapBytes();
    };
    await round();
    const early = await round();
    const late = await round();
    expect(waiters.size).toBe(0);
    expect(late - early).toBeLessThan(200_000);
  });
});
