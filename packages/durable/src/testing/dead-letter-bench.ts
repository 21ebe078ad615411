import { type VirtualClock, virtualClock } from '@redrive/testkit';
import { memoryStore } from '../memory/memory-store.ts';
import { START_MS, workBench } from './work-bench.ts';

/** A worker with dead letters, whose dependency is down. */
export async function deadLetters(count: number, maxAttempts = 1) {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = memoryStore({ clock });
  const world = { isDown: (_: number): boolean => true, attempts: 0 };
  const bench = workBench(
    {
      mail: {
        policy: { maxAttempts, baseDelayMs: 1_000, jitter: 'none' },
        run: async (n: number) => {
          world.attempts += 1;
          if (world.isDown(n)) throw new Error('down');
        },
      },
    },
    { store, concurrency: 100 },
    clock,
  );
  // They died of old age: that costs no attempt.
  const payloads = Array.from({ length: count }, (_, n) => n);
  const deadline = new Date(clock.now() + 1);
  const ids = (await bench.jobs.enqueueMany('mail', payloads, { deadline })).map(({ id }) => id);
  await clock.advance(1);
  await store.apply([{ kind: 'tick', limit: count, actor: { name: 'cli:eve' } }]);
  await clock.advance(1);
  await bench.jobs.start();
  return { ...bench, store, ids, world };
}

/** Lets time pass until the condition holds. */
export async function until(
  clock: VirtualClock,
  isSo: () => Promise<boolean>,
  stepMs = 250,
): Promise<void> {
  for (let step = 0; step < 4_000; step += 1) {
    if (await isSo()) return;
    await clock.advance(stepMs);
  }
  throw new Error('it never came to that');
}
