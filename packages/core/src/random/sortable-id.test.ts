import { virtualClock } from '@redrive/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const START_MS = 1_706_534_400_000;

describe('newSortableId', () => {
  beforeEach(() => {
    // Each test is a process of its own.
    vi.resetModules();
  });

  it('draws nothing on import, and once in all', async () => {
    const draw = vi.spyOn(crypto, 'getRandomValues');
    const { newSortableId } = await import('./sortable-id.ts');
    expect(draw).not.toHaveBeenCalled();
    const clock = virtualClock();
    newSortableId(clock);
    newSortableId(clock);
    expect(draw).toHaveBeenCalledTimes(1);
  });

  it('is the millisecond, a counter, and what is random in this process', async () => {
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => array);
    const { newSortableId } = await import('./sortable-id.ts');
    const clock = virtualClock({ startMs: START_MS });
    expect(newSortableId(clock)).toBe('0lryyiqdc00000000000');
    expect(newSortableId(clock)).toBe('0lryyiqdc00100000000');
    clock.tick(1);
    expect(newSortableId(clock)).toBe('0lryyiqdd00000000000');
  });

  it('rises within a millisecond, over more than fit into one, and when the clock is set back', async () => {
    const { newSortableId } = await import('./sortable-id.ts');
    const clock = virtualClock({ startMs: START_MS });
    const ids = Array.from({ length: 100_000 }, () => newSortableId(clock));
    clock.setWall(START_MS - 3_600_000);
    ids.push(newSortableId(clock));
    clock.setWall(START_MS + 3_600_000);
    ids.push(newSortableId(clock));
    expect(ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? ''))).toBe(true);
    expect(ids.every((id) => /^[0-9a-z]{20}$/.test(id))).toBe(true);
  });

  it('sorts by time over processes, and differs in the same millisecond', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const sameTime = new Set<string>();
    let before = '';
    for (let process = 0; process < 20; process++) {
      vi.resetModules();
      const { newSortableId } = await import('./sortable-id.ts');
      sameTime.add(newSortableId(virtualClock({ startMs: START_MS })));
      clock.tick(1);
      const id = newSortableId(clock);
      expect(id > before).toBe(true);
      before = id;
    }
    expect(sameTime.size).toBe(20);
  });

  it('takes the part of a clock that has one, and still has 20 characters that sort', async () => {
    const draw = vi.spyOn(crypto, 'getRandomValues');
    const { newSortableId } = await import('./sortable-id.ts');
    const { newId } = await import('./session-random.ts');
    const ids = (seed: number): string[] => {
      const clock = virtualClock({ startMs: START_MS });
      clock.seedIds(seed);
      return [newSortableId(clock), newSortableId(clock), newId('session', clock)];
    };
    const [first = '', second = '', session] = ids(7);
    expect([first, second, session]).toEqual([
      '0lryyiqdc00000100007',
      '0lryyiqdc00000200007',
      'session_1706534400000_00000300007',
    ]);
    expect(ids(7)).toEqual([first, second, session]);
    expect(ids(8)).not.toContain(first);
    expect(draw).not.toHaveBeenCalled();
  });
});
