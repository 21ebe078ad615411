import { expectNoTimers, virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { timekeeperOf } from './timekeeper.ts';
import { TimeoutList } from './timeouts.ts';

/** A list of timeouts of one second, and who has run out of time when. */
function setUp(lengthMs = 1_000) {
  const clock = virtualClock();
  const list = new TimeoutList(clock, lengthMs);
  const over: [string, number][] = [];
  const start = (name: string) =>
    list.start({ timeUp: () => void over.push([name, clock.monotonic()]) });
  return { clock, list, over, start };
}

describe('timeouts of one length', () => {
  it('come in the order in which they began, none early', async () => {
    const { clock, over, start } = setUp();
    start('a');
    await clock.advance(300);
    start('b');
    await clock.runAll();
    expect(over.map(([name]) => name)).toEqual(['a', 'b']);
    const [[, a] = ['', 0], [, b] = ['', 0]] = over;
    expect(a).toBeGreaterThanOrEqual(1_000);
    expect(a).toBeLessThanOrEqual(1_000 + 1_000 / 128 + 1);
    expect(b).toBeGreaterThanOrEqual(1_300);
    expect(b).toBeLessThanOrEqual(1_300 + 1_000 / 128 + 1);
    expectNoTimers(clock);
  });

  it('share one timer, which does not hold the process once all are called off', async () => {
    const { clock, over, start } = setUp();
    const [a, b] = [start('a'), start('b')];
    expect(clock.pendingTimers).toBe(1);
    a.stop();
    expect(clock.holdingTimers).toBe(1);
    b.stop();
    expect([clock.pendingTimers, clock.holdingTimers]).toEqual([1, 0]);
    start('c').stop();
    expect([clock.pendingTimers, clock.holdingTimers]).toEqual([1, 0]);
    const last = start('d');
    expect(clock.holdingTimers).toBe(1);
    last.stop();
    last.stop();
    await clock.runAll();
    expect(over).toEqual([]);
    expectNoTimers(clock);
  });

  it('can be started and stopped by what runs out of time', async () => {
    const { clock, list, over, start } = setUp();
    let other: { stop(): void } | undefined;
    list.start({
      timeUp: () => {
        other?.stop();
        start('again');
      },
    });
    other = start('other');
    await clock.runAll();
    expect(over.map(([name]) => name)).toEqual(['again']);
    expect(over[0]?.[1]).toBeGreaterThanOrEqual(2_000);
  });

  it('can be stopped after they have run out', async () => {
    const { clock, over, start } = setUp();
    const timeout = start('a');
    await clock.runAll();
    timeout.stop();
    expect(over).toHaveLength(1);
    expectNoTimers(clock);
  });

  it('are checked at least every millisecond and not more often', async () => {
    const { clock, over, start } = setUp(5);
    start('a');
    expect(clock.nextTimerInMs).toBe(1);
    await clock.runAll();
    expect(over[0]?.[1]).toBeLessThanOrEqual(7);
  });
});

describe('the timekeeper of a clock', () => {
  it('is the same one each time', () => {
    const [one, two] = [virtualClock(), virtualClock()];
    expect(timekeeperOf(one)).toBe(timekeeperOf(one));
    expect(timekeeperOf(one)).not.toBe(timekeeperOf(two));
  });

  it('has few lists: lengths that differ by less than 1/128 share one, never a shorter', () => {
    const timekeeper = timekeeperOf(virtualClock());
    expect(timekeeper.timeouts(10_000)).toBe(timekeeper.timeouts(9_990));
    expect(timekeeper.timeouts(10_000)).not.toBe(timekeeper.timeouts(10_100));
    const lists = new Set<TimeoutList>();
    for (let lengthMs = 1; lengthMs < 1_000_000; lengthMs += 7)
      lists.add(timekeeper.timeouts(lengthMs));
    expect(lists.size).toBeLessThan(128 * 20);
  });
});
