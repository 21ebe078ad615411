import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import type { Job } from '../job/job.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import { ARCHIVE_LIMIT_MS } from './retention.ts';

const DAY = 86_400_000;

/** A bench with dead letters, each a millisecond younger, and an archive that does what the test says. */
async function benchWithLetters(count: number, archive: (letters: readonly Job[]) => unknown) {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = faultyStore(memoryStore({ clock }));
  const bench = workBench(
    { bad: { run: () => Promise.reject(new Error('down')), policy: { maxAttempts: 1 } } },
    { store, retention: { archive: async (letters) => void (await archive(letters)) } },
    clock,
  );
  const { jobs } = bench;
  await jobs.start();
  for (let n = 0; n < count; n++) {
    await jobs.enqueue('bad', { n });
    await clock.advance(1);
  }
  await clock.advance(1_000);
  await bench.stop();
  const left = async () => (await store.countDead({}, 1_000)).count;
  expect(await left()).toBe(count);
  /** Days pass without a worker; then one works for a while. */
  const later = async (days: number, workMs = 90_000) => {
    clock.tick(days * DAY);
    await jobs.start();
    await clock.advance(workMs);
    await bench.stop();
  };
  return { ...bench, store, later, left };
}

describe('an archive of dead letters', () => {
  it('gets them when their time is over, the oldest first, in batches, before they are deleted', async () => {
    const batches: (readonly Job[])[] = [];
    const bench = await benchWithLetters(120, async (letters) => {
      batches.push(letters);
      // Whoever reads while it is archived finds it still there.
      for (const { id } of letters) expect((await bench.store.job(id))?.state).toBe('dead');
    });
    await bench.later(89);
    expect(batches).toEqual([]);
    await bench.later(1);
    expect(batches.map(({ length }) => length)).toEqual([50, 50, 20]);
    const letters = batches.flat();
    expect(letters.map(({ payload }) => payload.kind === 'json' && payload.text)).toEqual(
      Array.from({ length: 120 }, (_, n) => JSON.stringify({ n })),
    );
    expect(letters[0]?.attempts.kept).toHaveLength(1);
    expect(await bench.left()).toBe(0);
    expect(bench.noticesOf('archived')).toEqual([{ kind: 'archived', letters: 120 }]);
  });

  it('that fails keeps them, and is asked again', async () => {
    let calls = 0;
    const bench = await benchWithLetters(3, () => {
      calls += 1;
      if (calls === 1) throw new Error('no space left');
    });
    await bench.later(91, 61_000);
    expect(calls).toBe(1);
    expect(await bench.left()).toBe(3);
    const [notice] = bench.noticesOf('archive_failed');
    expect(notice).toMatchObject({ letters: 3, error: new Error('no space left') });
    await bench.later(0);
    expect([calls, await bench.left()]).toEqual([2, 0]);
  });

  it('that never answers does not stop deleting, and is reported and asked again', async () => {
    let calls = 0;
    const bench = await benchWithLetters(3, () => {
      calls += 1;
      return calls === 1 ? new Promise(() => {}) : undefined;
    });
    await bench.later(91, 60_000 + ARCHIVE_LIMIT_MS + 60_000 + 1_000);
    expect(bench.noticesOf('archive_failed')).toMatchObject([{ letters: 3 }]);
    expect([calls, await bench.left()]).toEqual([2, 0]);
  });

  it('does not lose a letter that somebody sends back while it is archived', async () => {
    const bench = await benchWithLetters(2, async ([letter]) => {
      if (letter === undefined) return;
      const actor = { name: 'eve' };
      await bench.store.apply([{ kind: 'act', act: 'purge', id: letter.id, actor }]);
      await bench.store.apply([{ kind: 'act', act: 'restore', id: letter.id, actor }]);
    });
    await bench.later(91, 60_050);
    expect(await bench.left()).toBe(1);
  });

  it('gets what was archived but not deleted again', async () => {
    const seen: string[] = [];
    const bench = await benchWithLetters(2, (letters) => {
      for (const { id } of letters) seen.push(id);
      if (seen.length === 2) bench.store.fault = { calls: ['apply'], when: 'before' };
    });
    await bench.later(91, 61_000);
    bench.store.fault = undefined;
    await bench.later(0);
    expect(seen).toHaveLength(4);
    expect(new Set(seen).size).toBe(2);
    expect(await bench.left()).toBe(0);
  });
});
