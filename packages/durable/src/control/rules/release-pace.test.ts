import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adjustPace, isPaceIdle, openPace, paceWaitMs, takeFromPace } from './release-pace.ts';

const HOUR_MS = 3_600_000;
const CALM = { succeeded: 10, failed: 0, meanLatencyMs: 20 };

describe('taking from a pace', () => {
  it('never gives more than the rate and one second of it', () => {
    const steps = fc.array(fc.tuple(fc.nat(2_000), fc.nat(500)), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), steps, (perSecond, takes) => {
        let pace = openPace(0, perSecond);
        let nowMs = 0;
        let granted = 0;
        for (const [waitMs, wanted] of takes) {
          nowMs += waitMs;
          const taken = takeFromPace(pace, wanted, nowMs);
          expect(taken.granted).toBeLessThanOrEqual(wanted);
          granted += taken.granted;
          pace = taken.pace;
        }
        expect(granted).toBeLessThanOrEqual((perSecond * nowMs) / 1_000 + Math.max(1, perSecond));
      }),
    );
  });

  it('gives one after the wait that it names, and none before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900 }), fc.nat(100), (perSecond, passedMs) => {
        const empty = takeFromPace(openPace(0, perSecond), 1, 0).pace;
        const waitMs = paceWaitMs(empty, Math.min(passedMs, 1));
        const atMs = Math.min(passedMs, 1) + waitMs;
        expect(takeFromPace(empty, 1, atMs).granted).toBe(1);
        expect(takeFromPace(empty, 1, Math.max(0, atMs - 2)).granted).toBe(0);
      }),
    );
  });

  it('does not give tokens twice when a clock goes back a little', () => {
    const { pace } = takeFromPace(openPace(10_000, 10), 1, 10_000);
    const back = takeFromPace(pace, 10, 8_000);
    expect(back.granted).toBe(0);
    expect(takeFromPace(back.pace, 10, 10_000).granted).toBe(0);
  });

  it('goes on when a clock was set back by an hour, by no more than a second of its rate', () => {
    const { pace } = takeFromPace(openPace(HOUR_MS, 10), 1, HOUR_MS);
    expect(paceWaitMs(pace, 0)).toBe(0);
    const back = takeFromPace(pace, 100, 0);
    expect(back.granted).toBe(10);
    expect(takeFromPace(back.pace, 100, 500).granted).toBe(5);
  });
});

describe('adjusting a pace', () => {
  it('learns from what ends also after a clock was set back by an hour', () => {
    const trouble = { succeeded: 0, failed: 10, meanLatencyMs: 20 };
    const pace = openPace(HOUR_MS, 100);
    expect(adjustPace(pace, trouble, 0).perSecond).toBe(50);
    // How long nothing was taken is not known: no reason to hurry.
    expect(isPaceIdle(pace, 0)).toBe(true);
    const calm = adjustPace(pace, CALM, 0);
    expect(calm.perSecond).toBe(100);
    const { pace: taken } = takeFromPace(calm, 1, 500);
    expect(adjustPace(taken, CALM, 1_000).perSecond).toBeCloseTo(150);
  });

  it('grows by half in a second, however often it is adjusted', () => {
    const once = adjustPace(openPace(0, 10), CALM, 1_000);
    let often = openPace(0, 10);
    for (let nowMs = 100; nowMs <= 1_000; nowMs += 100) often = adjustPace(often, CALM, nowMs);
    expect(once.perSecond).toBeCloseTo(15);
    expect(often.perSecond).toBeCloseTo(15);
  });

  it('does not grow when nobody took anything: something else was the limit', () => {
    const idle = adjustPace(openPace(0, 10), CALM, 60_000);
    expect(idle.perSecond).toBe(10);
    expect(adjustPace(idle, CALM, 61_000).perSecond).toBe(10);
    const { pace } = takeFromPace(idle, 5, 61_000);
    expect(adjustPace(pace, CALM, 62_000).perSecond).toBeCloseTo(15);
  });

  it.each([
    ['failures', { succeeded: 8, failed: 2, meanLatencyMs: 20 }],
    ['latency', { succeeded: 10, failed: 0, meanLatencyMs: 271 }],
  ])('halves once a second on %s, and is gentle afterwards', (_, trouble) => {
    const calm = adjustPace(openPace(0, 100), CALM, 500);
    const once = adjustPace(calm, trouble, 600);
    expect(once.perSecond).toBeCloseTo(calm.perSecond / 2);
    expect(adjustPace(once, trouble, 700).perSecond).toBe(once.perSecond);
    expect(adjustPace(once, trouble, 1_600).perSecond).toBeCloseTo(once.perSecond / 2);
    expect(adjustPace(once, CALM, 1_600).perSecond).toBeCloseTo(once.perSecond * 1.05);
  });

  it('comes back from a low rate, too', () => {
    let pace = { ...openPace(0, 1), gentle: true };
    for (let nowMs = 100; nowMs <= 10_000; nowMs += 100) {
      pace = { ...adjustPace(pace, CALM, nowMs), countedAtMs: nowMs, gentle: true };
    }
    expect(pace.perSecond).toBeCloseTo(11);
  });

  it('learns nothing from nothing', () => {
    const pace = openPace(0, 10);
    expect(adjustPace(pace, { succeeded: 0, failed: 0, meanLatencyMs: 0 }, 1_000)).toBe(pace);
  });

  it('never falls below one a second', () => {
    let pace = openPace(0, 4);
    const down = { succeeded: 0, failed: 5, meanLatencyMs: 20 };
    for (let nowMs = 1_000; nowMs < 20_000; nowMs += 1_000) pace = adjustPace(pace, down, nowMs);
    expect(pace.perSecond).toBe(1);
  });
});
