import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  breakerStateAt,
  closedBreaker,
  countReport,
  endProbe,
  forceBreaker,
  halfOpenNow,
  keepProbe,
  nextProbeInMs,
  PROBE_KEPT_MS,
  PROBE_TIMEOUT_MS,
  resetBreaker,
  type SharedBreaker,
  takeProbe,
} from './shared-breaker.ts';

const SETTINGS = { threshold: 5, timeoutMs: 60_000 };

function opened(atMs = 0, random = 0) {
  return countReport(closedBreaker(SETTINGS, 0), { failures: 5, succeeded: false }, atMs, random);
}

function probing(atMs = 60_000) {
  const breaker = takeProbe(opened(), atMs);
  if (breaker === undefined) throw new Error('it was its time');
  return breaker;
}

/** When the place of a probe is free again that runs on and on, and is kept like that of any other. */
function keptUntilMs(breaker: SharedBreaker, probe: number): number {
  let kept = breaker;
  for (let nowMs = breaker.probeSinceMs ?? 0; ; nowMs += PROBE_TIMEOUT_MS / 3) {
    if (nextProbeInMs(kept, nowMs) === 0) return kept.probeUntilMs ?? 0;
    kept = keepProbe(kept, probe, nowMs);
  }
}

describe('counting', () => {
  it('opens at the threshold of failures in a row, in however many reports they arrive', () => {
    const outcomes = fc.array(fc.boolean(), { maxLength: 60 });
    fc.assert(
      fc.property(outcomes, fc.array(fc.integer({ min: 1, max: 4 })), (failed, sizes) => {
        let breaker = closedBreaker(SETTINGS, 0);
        let inARow = 0;
        for (let at = 0, batch = 0; at < failed.length; batch += 1) {
          const report = { failures: 0, succeeded: false };
          for (const each of failed.slice(at, at + (sizes[batch] ?? 1))) {
            at += 1;
            inARow = each ? inARow + 1 : 0;
            report.succeeded ||= !each;
            report.failures = each ? report.failures + 1 : 0;
            // A process opens its own view at once, and reports no more.
            if (inARow === SETTINGS.threshold) break;
          }
          breaker = countReport(breaker, report, at, 0);
          expect(breaker.state).toBe(inARow >= SETTINGS.threshold ? 'open' : 'closed');
          if (breaker.state === 'open') return;
          expect(breaker.failures).toBe(inARow);
        }
      }),
    );
  });

  it('changes nothing while all goes well', () => {
    const breaker = closedBreaker(SETTINGS, 0);
    expect(countReport(breaker, { failures: 0, succeeded: true }, 5, 0)).toBe(breaker);
  });

  it('takes nothing from calls that an earlier closed time had let through', () => {
    const before = closedBreaker(SETTINGS, 0);
    const again = endProbe(probing(), 1, 'succeeded', 60_900, 0);
    const late = { failures: 5, succeeded: false, admittedByMs: before.changedAtMs };
    const since = { ...late, admittedByMs: again.changedAtMs };
    expect(countReport(again, late, 60_950, 0)).toBe(again);
    expect(countReport(again, since, 60_950, 0).state).toBe('open');
  });

  it('distinguishes two closed periods that begin in the same millisecond', () => {
    const first = closedBreaker(SETTINGS, 0);
    const second = resetBreaker(first, 0);
    expect(second.changedAtMs).not.toBe(first.changedAtMs);
  });
});

describe('probes', () => {
  it('begin one timeoutMs after the failure that opened it, and after each failed one, or up to a tenth later', () => {
    const timeouts = fc.integer({ min: 100, max: 86_400_000 });
    const randoms = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(timeouts, randoms, (timeoutMs, draws) => {
        const closed = closedBreaker({ threshold: 1, timeoutMs }, 0);
        const [first = 0, ...rest] = draws;
        let breaker = countReport(closed, { failures: 1, succeeded: false }, 0, first);
        let nowMs = 0;
        for (const [n, random] of rest.entries()) {
          const waitMs = nextProbeInMs(breaker, nowMs);
          expect(waitMs).toBeGreaterThanOrEqual(timeoutMs);
          expect(waitMs).toBeLessThanOrEqual(Math.ceil(timeoutMs * 1.1));
          expect(takeProbe(breaker, nowMs + waitMs - 1)).toBeUndefined();
          nowMs += waitMs;
          const taken = takeProbe(breaker, nowMs);
          expect(taken?.state).toBe('half_open');
          // It takes a while: the next one is counted from its end.
          nowMs += 7_000;
          breaker = endProbe(taken ?? breaker, n + 1, 'failed', nowMs, random);
          expect(breaker).toMatchObject({ state: 'open', failures: n + 2 });
        }
      }),
    );
  });

  it('are spread by the number that is given, and by nothing else', () => {
    expect([0, 0.5, 0.999].map((random) => opened(0, random).probes?.nextAtMs)).toEqual([
      60_000, 63_000, 65_994,
    ]);
  });

  it('come at the time in the document, however many failed before', () => {
    const kept: SharedBreaker = { ...opened(), probes: { failed: 7, nextAtMs: 5_000 } };
    expect(nextProbeInMs(kept, 1_000)).toBe(4_000);
    const taken = takeProbe(kept, 5_000);
    expect(taken && endProbe(taken, 1, 'failed', 6_000, 0).probes?.nextAtMs).toBe(66_000);
  });

  it('lose their place after a time in which nobody keeps it', () => {
    const first = probing();
    expect(takeProbe(first, 60_000 + PROBE_TIMEOUT_MS - 1)).toBeUndefined();
    const second = takeProbe(first, 60_000 + PROBE_TIMEOUT_MS);
    expect(second).toMatchObject({ probe: 2, changedAtMs: first.changedAtMs });
    if (second) expect(endProbe(second, 1, 'succeeded', 100_000, 0)).toBe(second);
  });

  it('keep their place while they run', () => {
    const kept = keepProbe(probing(), 1, 80_000);
    expect(takeProbe(kept, 60_000 + PROBE_TIMEOUT_MS)).toBeUndefined();
    expect(endProbe(kept, 1, 'succeeded', 105_000, 0).state).toBe('closed');
    expect(keepProbe(opened(), 1, 80_000)).toEqual(opened());
  });

  it('lose their place after five minutes, however well they are kept', () => {
    expect(keptUntilMs(probing(), 1)).toBe(60_000 + PROBE_KEPT_MS + PROBE_TIMEOUT_MS);
  });

  it('of work that takes hours: one of them ends in its place all the same', () => {
    const tookMs = 4 * 3_600_000;
    let breaker: SharedBreaker = probing();
    for (let number = 1; number <= 10; number += 1) {
      const beganAtMs = breaker.probeSinceMs ?? 0;
      const untilMs = keptUntilMs(breaker, number);
      if (untilMs >= beganAtMs + tookMs) {
        // The wait is of the order of the work itself.
        expect(beganAtMs).toBeLessThan(2 * tookMs);
        return;
      }
      breaker = takeProbe(breaker, untilMs) ?? breaker;
      expect(breaker.probe).toBe(number + 1);
    }
    expect.unreachable('None is kept for as long as it takes');
  });

  it('go on when the clock was set back by an hour', () => {
    const hourMs = 3_600_000;
    const ahead = (breaker: SharedBreaker): SharedBreaker => ({
      ...breaker,
      changedAtMs: hourMs,
      probes: breaker.probes && { ...breaker.probes, nextAtMs: hourMs },
      ...(breaker.probeUntilMs !== undefined && { probeSinceMs: hourMs, probeUntilMs: hourMs }),
    });
    expect(takeProbe(ahead(opened()), 0)?.probe).toBe(1);
    const hung = ahead(probing());
    expect(keepProbe(hung, 1, 0)).toBe(hung);
    expect(takeProbe(hung, 0)?.probe).toBe(2);
    // A little is nothing: two at once would be worse.
    expect(takeProbe(ahead(probing()), hourMs - PROBE_TIMEOUT_MS)).toBeUndefined();
  });

  it('that are an hour apart are not taken for a clock that was set back', () => {
    const settings = { threshold: 1, timeoutMs: 3_600_000 };
    const breaker = countReport(
      closedBreaker(settings, 0),
      { failures: 1, succeeded: false },
      1_000_000,
      0.5,
    );
    expect(nextProbeInMs(breaker, 1_000_000)).toBe(3_780_000);
    expect(nextProbeInMs(breaker, 0)).toBe(0);
  });

  it('that say nothing make room for the next one at once', () => {
    const given = endProbe(probing(), 1, 'nothing', 60_700, 0.5);
    expect(given).toMatchObject({ state: 'open', failures: 5 });
    expect(takeProbe(given, 60_700)?.probe).toBe(2);
  });
});

describe('an operator', () => {
  const forced = { sinceMs: 0, by: 'ada', untilMs: 10_000 };

  it('holds it until the end of the word, whatever a probe says', () => {
    const held = forceBreaker(probing(), { ...forced, state: 'open' });
    const ended = endProbe(held, 1, 'succeeded', 2_000, 0);
    expect(breakerStateAt(ended, 9_999)).toBe('open');
    expect(breakerStateAt(ended, 10_000)).toBe('closed');
    expect(nextProbeInMs(forceBreaker(opened(), { ...forced, state: 'open' }), 5_000)).toBe(
      Infinity,
    );
  });

  it('may hold it closed while it is open underneath', () => {
    const held = forceBreaker(opened(), { ...forced, state: 'closed' });
    expect(breakerStateAt(held, 9_999)).toBe('closed');
    expect(breakerStateAt(held, 10_000)).toBe('open');
  });

  it('may doubt a closed one, and ask for a probe now', () => {
    const doubted = halfOpenNow(closedBreaker(SETTINGS, 0), 100);
    expect(doubted.state).toBe('open');
    expect(takeProbe(doubted, 100)?.state).toBe('half_open');
    expect(takeProbe(halfOpenNow(probing(), 60_600), 60_600)?.probe).toBe(2);
  });

  it('closes it and forgets, but never a probe’s number', () => {
    const held = forceBreaker(probing(), { ...forced, state: 'open' });
    expect(resetBreaker(held, 69_000)).toEqual({
      ...closedBreaker(SETTINGS, 69_000),
      lastFailureAtMs: 0,
      probe: 1,
    });
  });
});
