import { virtualClock } from '@redrive/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const clock = virtualClock({ startMs: 1_706_534_400_000 });

describe('newId', () => {
  beforeEach(() => {
    // Each test is a process of its own.
    vi.resetModules();
  });

  it('draws nothing on import, because edge runtimes refuse it there', async () => {
    const draw = vi.spyOn(crypto, 'getRandomValues');
    const { newId } = await import('./session-random.ts');
    expect(draw).not.toHaveBeenCalled();
    newId('session', clock);
    newId('session', clock);
    expect(draw).toHaveBeenCalledTimes(1);
  });

  it('is the prefix, the time, what is random in this process, and a counter', async () => {
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => array);
    const { newId } = await import('./session-random.ts');
    expect(newId('session', clock)).toBe('session_1706534400000_000000000000001');
    expect(newId('event', clock)).toBe('event_1706534400000_000000000000002');
  });

  it('is unique while the clock stands still', async () => {
    const { newId } = await import('./session-random.ts');
    const ids = Array.from({ length: 100_000 }, () => newId('session', clock));
    expect(new Set(ids).size).toBe(100_000);
  });

  it('is unique over processes that start at the same time', async () => {
    const ids = new Set<string>();
    for (let process = 0; process < 20; process++) {
      vi.resetModules();
      const { newId } = await import('./session-random.ts');
      ids.add(newId('session', clock));
    }
    expect(ids.size).toBe(20);
  });
});
