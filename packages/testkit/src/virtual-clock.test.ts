import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { virtualClock } from './virtual-clock.ts';

describe('time', () => {
  test('stands still until it is moved', () => {
    const clock = virtualClock({ startMs: 1_000_000, monotonicMs: 50 });
    expect([clock.now(), clock.monotonic()]).toEqual([1_000_000, 50]);
    clock.tick(25);
    expect([clock.now(), clock.monotonic()]).toEqual([1_000_025, 75]);
  });

  test('starts at zero', () => {
    const clock = virtualClock();
    expect([clock.now(), clock.monotonic()]).toEqual([0, 0]);
  });

  test('gives whole milliseconds on the wall and fractions on the monotonic clock', () => {
    const clock = virtualClock();
    clock.tick(1.5);
    expect([clock.now(), clock.monotonic()]).toEqual([1, 1.5]);
  });

  test('the wall clock jumps alone', async () => {
    const clock = virtualClock({ startMs: 5_000 });
    const wake = vi.fn();
    clock.setTimer(100, wake);
    clock.setWall(1_000);
    expect([clock.now(), clock.monotonic(), wake.mock.calls.length]).toEqual([1_000, 0, 0]);
    await clock.advance(100);
    expect([clock.now(), clock.monotonic(), wake.mock.calls.length]).toEqual([1_100, 100, 1]);
  });

  test.each([-1, Number.NaN])('refuses to move by %d', async (ms) => {
    const clock = virtualClock();
    expect(() => clock.tick(ms)).toThrow(RangeError);
    await expect(clock.advance(ms)).rejects.toThrow(RangeError);
  });
});

describe('timers', () => {
  test('fire at their time, not a moment earlier, and once', () => {
    const clock = virtualClock();
    const wake = vi.fn();
    clock.setTimer(100, wake);
    clock.tick(99);
    expect(wake).not.toHaveBeenCalled();
    clock.tick(1);
    clock.tick(1_000);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('see the time they were set for', () => {
    const clock = virtualClock();
    const seenMs: number[] = [];
    for (const ms of [30, 10, 20]) clock.setTimer(ms, () => seenMs.push(clock.monotonic()));
    clock.tick(1_000);
    expect(seenMs).toEqual([10, 20, 30]);
    expect(clock.monotonic()).toBe(1_000);
  });

  test('that are set while time moves fire in the same move', () => {
    const clock = virtualClock();
    const seenMs: number[] = [];
    clock.setTimer(10, () => clock.setTimer(10, () => seenMs.push(clock.monotonic())));
    clock.setTimer(30, () => seenMs.push(clock.monotonic()));
    clock.tick(30);
    expect(seenMs).toEqual([20, 30]);
  });

  test('that are cancelled never fire, and cancelling again is harmless', () => {
    const clock = virtualClock();
    const wake = vi.fn();
    const timer = clock.setTimer(10, wake);
    const fired = clock.setTimer(5, () => {});
    timer.cancel();
    timer.cancel();
    clock.tick(20);
    fired.cancel();
    expect(wake).not.toHaveBeenCalled();
    expect(clock.pendingTimers).toBe(0);
  });

  test.each([0, -5, Number.NaN])(
    'set for %d ms are due at once, but never fire inside setTimer',
    (ms) => {
      const clock = virtualClock();
      const wake = vi.fn();
      clock.setTimer(ms, wake);
      expect(wake).not.toHaveBeenCalled();
      clock.tick(0);
      expect(wake).toHaveBeenCalledTimes(1);
    },
  );

  test.each([2 ** 31, Number.POSITIVE_INFINITY])(
    'set for %d ms are cut as the system clock does',
    (ms) => {
      const clock = virtualClock();
      clock.setTimer(ms, () => {});
      expect(clock.nextTimerInMs).toBe(2 ** 31 - 1);
    },
  );

  test('are counted', () => {
    const clock = virtualClock();
    expect([clock.pendingTimers, clock.holdingTimers, clock.nextTimerInMs]).toEqual([
      0,
      0,
      undefined,
    ]);
    clock.setTimer(40, () => {});
    const background = clock.setTimer(30, () => {});
    background.hold(false);
    clock.tick(10);
    expect([clock.pendingTimers, clock.holdingTimers, clock.nextTimerInMs]).toEqual([2, 1, 20]);
    background.hold(true);
    expect(clock.holdingTimers).toBe(2);
  });

  test('an error in a timer comes out of the move that fired it', async () => {
    const clock = virtualClock();
    const fail = () => {
      throw new Error('in a timer');
    };
    clock.setTimer(10, fail);
    clock.setTimer(10, fail);
    expect(() => clock.tick(10)).toThrow('in a timer');
    await expect(clock.advance(0)).rejects.toThrow('in a timer');
    expect(clock.pendingTimers).toBe(0);
  });

  test('fire in order of time, then of setting, whatever was cancelled', () => {
    const plan = fc.array(fc.record({ delayMs: fc.nat(20), cancelled: fc.boolean() }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(plan, (entries) => {
        const clock = virtualClock();
        const fired: number[] = [];
        const timers = entries.map((entry, id) =>
          clock.setTimer(entry.delayMs, () => fired.push(id)),
        );
        entries.forEach((entry, id) => {
          if (entry.cancelled) timers[id]?.cancel();
        });
        const expected = entries
          .map((entry, id) => ({ ...entry, id }))
          .filter((entry) => !entry.cancelled)
          .sort((a, b) => a.delayMs - b.delayMs || a.id - b.id)
          .map((entry) => entry.id);
        expect(clock.pendingTimers).toBe(expected.length);
        clock.tick(20);
        expect(fired).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('advance', () => {
  test('serves a chain of waits, each at its time', async () => {
    const clock = virtualClock();
    const seenMs: number[] = [];
    const chain = (async () => {
      for (let wait = 0; wait < 3; wait++) {
        await deepPromiseChain();
        await new Promise<void>((wake) => clock.setTimer(100, wake));
        seenMs.push(clock.monotonic());
      }
    })();
    await clock.advance(299);
    expect(seenMs).toEqual([100, 200]);
    await clock.advance(1);
    await chain;
    expect(seenMs).toEqual([100, 200, 300]);
  });

  test('lets reactions to one timer settle before the next one fires', async () => {
    const clock = virtualClock();
    const log: string[] = [];
    for (const name of ['a', 'b']) {
      void new Promise<void>((wake) => clock.setTimer(10, wake))
        .then(deepPromiseChain)
        .then(() => log.push(`${name} settled`));
      clock.setTimer(10, () => log.push(`${name} fired`));
    }
    await clock.advance(10);
    expect(log).toEqual(['a settled', 'a fired', 'b settled', 'b fired']);
  });

  test('works under faked timers', async () => {
    vi.useFakeTimers();
    try {
      const clock = virtualClock();
      const wake = vi.fn();
      clock.setTimer(10, wake);
      await clock.advance(10);
      expect(wake).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('runAll', () => {
  test('goes on until nothing is pending', async () => {
    const clock = virtualClock();
    const yearMs = 365 * 24 * 3_600_000;
    let left = 20;
    const again = (): void => {
      left -= 1;
      if (left > 0) clock.setTimer(yearMs / 20, again);
    };
    again();
    await clock.runAll();
    expect([left, clock.pendingTimers, clock.monotonic()]).toEqual([0, 0, (yearMs / 20) * 19]);
  });

  test('sees timers that are set only after some promises', async () => {
    const clock = virtualClock();
    const wake = vi.fn();
    void deepPromiseChain().then(() => clock.setTimer(10, wake));
    await clock.runAll();
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test('gives up on a timer that always sets another', async () => {
    const clock = virtualClock();
    let fired = 0;
    const again = (): void => {
      fired += 1;
      clock.setTimer(1, again);
    };
    clock.setTimer(1, again);
    await expect(clock.runAll(50)).rejects.toThrow('1 timers still pending after 50');
    expect(fired).toBe(50);
  });
});

/** More rounds of microtasks than any fixed number of `await Promise.resolve()` would wait for. */
async function deepPromiseChain(): Promise<void> {
  for (let round = 0; round < 500; round++) await Promise.resolve();
}
