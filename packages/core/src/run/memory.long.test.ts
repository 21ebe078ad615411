import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { retry } from '@redrive/core';
import { settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const MEGABYTE = 1_000_000;

/**
 * What four more rounds leave on the heap, at the least of three tries: a leak is there each time, but the engine's own
 * work beside it (a function compiled, a table grown) comes once.
 */
async function growthOf(round: () => Promise<void>): Promise<number> {
  await round();
  let least = Infinity;
  for (let tries = 0; tries < 3 && least > MEGABYTE / 2; tries++) {
    const before = heapBytes();
    for (let n = 0; n < 4; n++) await round();
    await settle();
    least = Math.min(least, heapBytes() - before);
  }
  return least;
}

describe('a session of very many attempts', () => {
  it.each([
    ['plain', {}],
    ['with a signal', { signal: new AbortController().signal }],
  ])('keeps a bounded heap, %s: no promise chain grows, no history either', async (_, options) => {
    const attempts = 100_000;
    const heaps: number[] = [];
    const operation = async ({ attempt }: { attempt: number }) => {
      if (attempt % 20_000 === 0) heaps.push(heapBytes());
      if (attempt < attempts) throw new Error(`down ${attempt}`);
      return 'up';
    };
    const policy = { backoff: 'immediate', maxAttempts: attempts } as const;
    expect(await retry(operation, policy, options)).toBe('up');
    expect(heaps).toHaveLength(5);
    const [early = 0] = heaps;
    const late = heaps.at(-1) ?? Infinity;
    // 80,000 attempts in between: ten bytes for each would be too many.
    expect(late - early).toBeLessThan(0.8 * MEGABYTE);
  });
});

describe('very many sessions', () => {
  it('leave nothing behind when they are over', async () => {
    const clock = virtualClock();
    const { signal } = new AbortController();
    const policy = { baseDelayMs: 1_000, attemptTimeoutMs: 5_000, ttlMs: 60_000 };
    const round = async () => {
      const calls = Array.from({ length: 5_000 }, (_, n) =>
        retry(({ attempt }) => (attempt === 1 ? Promise.reject(n) : n), policy, { clock, signal }),
      );
      await clock.runAll();
      await Promise.all(calls);
    };
    // 20,000 sessions: fifty bytes for each would be too many.
    expect(await growthOf(round)).toBeLessThan(MEGABYTE);
  });

  it('that are aborted in their wait leave nothing behind either', async () => {
    const clock = virtualClock();
    const round = async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const calls = Array.from({ length: 5_000 }, () =>
        retry(() => Promise.reject('down'), { baseDelayMs: 60_000 }, { clock, signal }).catch(
          () => {},
        ),
      );
      await settle();
      controller.abort();
      await Promise.all(calls);
      expect(clock.pendingTimers).toBe(0);
    };
    expect(await growthOf(round)).toBeLessThan(MEGABYTE);
  });
});
