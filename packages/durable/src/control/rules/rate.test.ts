import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterStarts,
  claimRate,
  countedValue,
  nextSliceMs,
  type Rate,
  rateOfName,
  rateRoom,
} from './rate.ts';

const rates: fc.Arbitrary<Rate> = fc.record({
  limit: fc.integer({ min: 1, max: 5_000 }),
  perMs: fc.integer({ min: 1, max: 120_000 }),
  burst: fc.option(fc.integer({ min: 1, max: 5_000 }), { nil: undefined }),
});
/** Claims: time since the last one, how many jobs it wants, and how long the worker takes to start them. */
const claims = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.nat(50), fc.nat(2_000)),
    wanted: fc.oneof(fc.nat(5), fc.nat(6_000)),
    lateMs: fc.nat(250),
  }),
  { maxLength: 60 },
);
const NOW_MS = Date.UTC(2026, 0, 29);

describe('a rate', () => {
  it('never lets more attempts start in 10 s than its limit and its burst, however late they start', () => {
    fc.assert(
      fc.property(rates, claims, (rate, all) => {
        const speed = claimRate({ handler: 'h' }, rate);
        let fullUs = 0;
        let nowMs = NOW_MS;
        const starts: number[] = [];
        for (const { afterMs, wanted, lateMs } of all) {
          nowMs += afterMs;
          const count = Math.min(wanted, rateRoom(fullUs, speed, nowMs * 1_000));
          fullUs = afterStarts(fullUs, speed, nowMs * 1_000, count);
          if (count > 0) starts.push(...new Array<number>(count).fill(nowMs + lateMs));
        }
        starts.sort((a, b) => a - b);
        const most = (rate.limit * 10_000) / rate.perMs + speed.burst;
        let first = 0;
        for (const [index, atMs] of starts.entries()) {
          while ((starts[first] ?? 0) <= atMs - 10_000) first += 1;
          expect(index - first + 1).toBeLessThanOrEqual(most);
        }
      }),
    );
  });

  it('holds where the first claims of 10 s start as late as they may, and the others at once', () => {
    const speed = claimRate({ handler: 'h' }, { limit: 100, perMs: 1_000 });
    let fullUs = 0;
    let started = 0;
    for (let atMs = 0; atMs < 10_250; atMs += 10) {
      const count = rateRoom(fullUs, speed, (NOW_MS + atMs) * 1_000);
      fullUs = afterStarts(fullUs, speed, (NOW_MS + atMs) * 1_000, count);
      // All claims of the first 250 ms start together, at their end.
      started += count;
    }
    expect(started).toBeLessThanOrEqual(1_000 + speed.burst);
  });

  it('gives out at least 95 % of its limit to workers that come when it tells them to', () => {
    fc.assert(
      fc.property(rates, fc.nat(30), (rate, lateMs) => {
        const speed = claimRate({ handler: 'h' }, rate);
        // A burst of less than what comes free while a worker is on its way is lost: that is its meaning.
        fc.pre(speed.burst * speed.everyUs >= 2_000 * (lateMs + 51) + speed.everyUs);
        let fullUs = NOW_MS * 1_000;
        let nowMs = NOW_MS;
        let started = 0;
        const untilMs = NOW_MS + Math.max(10_000, 40 * rate.perMs);
        for (let turn = 0; turn < 20_000 && nowMs < untilMs; turn++) {
          const count = rateRoom(fullUs, speed, nowMs * 1_000);
          fullUs = afterStarts(fullUs, speed, nowMs * 1_000, count);
          started += count;
          nowMs += Math.max(1, nextSliceMs(fullUs, speed, nowMs * 1_000) + lateMs);
        }
        const least = (0.95 * (rate.limit * (nowMs - NOW_MS))) / rate.perMs;
        expect(started).toBeGreaterThanOrEqual(Math.floor(least));
      }),
    );
  });

  it('stops nothing for longer than its time where the clock is set back', () => {
    fc.assert(
      fc.property(rates, fc.nat(1e9), fc.nat(5_000), (rate, backMs, starts) => {
        const speed = claimRate({ handler: 'h' }, rate);
        const fullUs = afterStarts(0, speed, NOW_MS * 1_000, Math.min(starts, speed.burst));
        const nowMs = NOW_MS - backMs;
        // The first claim after it writes what it believes.
        const believedUs = afterStarts(fullUs, speed, nowMs * 1_000, 0);
        expect(nextSliceMs(believedUs, speed, nowMs * 1_000)).toBeLessThanOrEqual(rate.perMs);
        const later = (nowMs + rate.perMs) * 1_000;
        expect(rateRoom(believedUs, speed, later)).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it('opens when it says so', () => {
    fc.assert(
      fc.property(rates, fc.nat(5_000), (rate, starts) => {
        const speed = claimRate({ handler: 'h' }, rate);
        const nowUs = NOW_MS * 1_000;
        const fullUs = afterStarts(0, speed, nowUs, Math.min(starts, speed.burst));
        const nextMs = nextSliceMs(fullUs, speed, nowUs);
        fc.pre(nextMs < rate.perMs);
        expect(rateRoom(fullUs, speed, nowUs + nextMs * 1_000)).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});

describe('the name of a rate', () => {
  it('says what it counts, whatever the handler is called', () => {
    const job = { handler: 'a/tenant/5ms', queue: 'q', tenant: 't', rateKey: 'k' };
    for (const [of, by, value] of [
      [{ handler: job.handler }, undefined, ''],
      [{ handler: job.handler }, 'handler', ''],
      [{ handler: job.handler }, 'tenant', 't'],
      [{ handler: job.handler }, 'key', 't\u0001k'],
      [{ queue: 'q' }, undefined, ''],
      [{ queue: 'q' }, 'handler', job.handler],
    ] as const) {
      const rate = claimRate(of, { limit: 1, perMs: 5, by });
      const named = rateOfName(rate.name);
      expect(named && countedValue(named, job)).toBe(value);
      expect(countedValue(rate, { ...job, handler: 'other', queue: 'other' })).toBeUndefined();
    }
  });
});
