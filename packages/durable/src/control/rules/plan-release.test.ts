import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParkedCause } from './documents.ts';
import { type CauseFacts, planRelease } from './plan-release.ts';
import { openPace } from './release-pace.ts';

const NOW_MS = 100_000;
const NOTHING: CauseFacts = { lastsMs: 0, park: undefined, parked: 0 };

const anyPark: fc.Arbitrary<ParkedCause | undefined> = fc.option(
  fc.record(
    {
      sinceMs: fc.nat(NOW_MS),
      held: fc.constant({ by: 'ada' }),
      probeAtMs: fc.nat(NOW_MS),
      pace: fc.integer({ min: 1, max: 2_000 }).map((perSecond) => openPace(NOW_MS, perSecond)),
    },
    { requiredKeys: ['sinceMs'] },
  ),
  { nil: undefined },
);
const anyFacts: fc.Arbitrary<CauseFacts> = fc.record({
  lastsMs: fc.constantFrom(0, 1, 5_000, Infinity),
  probeAtMs: fc.option(fc.oneof(fc.nat(2 * NOW_MS), fc.constant(Infinity)), { nil: undefined }),
  park: anyPark,
  parked: fc.constantFrom(0, 1, 7, 10_000),
});

describe('for any facts', () => {
  it('what is held stays, and keeps its document', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const park = { sinceMs: 0, ...facts.park, held: { by: 'ada' } };
        expect(planRelease({ ...facts, park }, NOW_MS)).toEqual({ kind: 'wait', forMs: Infinity });
      }),
    );
  });

  it('releases no more jobs than there are, in bounds, and keeps the other fields of the document', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const plan = planRelease(facts, NOW_MS);
        if (plan.kind === 'wait') expect(plan.forMs).toBeGreaterThan(0);
        if (plan.kind === 'probe') {
          expect(facts.lastsMs).toBeGreaterThan(0);
          expect(plan.park.probeAtMs).toBe(NOW_MS);
          expect(plan.park.pace).toBeUndefined();
        }
        if (plan.kind === 'release') {
          expect(facts.lastsMs).toBe(0);
          expect(plan.jobs).toBeGreaterThan(0);
          expect(plan.jobs).toBeLessThanOrEqual(Math.min(facts.parked, 1_000));
        }
        if (plan.kind === 'probe' || plan.kind === 'release') {
          expect(facts.parked).toBeGreaterThan(0);
          expect(plan.park.sinceMs).toBe(facts.park?.sinceMs ?? NOW_MS);
        }
      }),
    );
  });

  it('a document goes only when its cause is gone, and nothing waits for it', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const isOver =
          facts.park !== undefined &&
          facts.park.held === undefined &&
          facts.lastsMs === 0 &&
          facts.parked === 0;
        expect(planRelease(facts, NOW_MS).kind === 'forget').toBe(isOver);
      }),
    );
  });
});

describe('while the cause is there', () => {
  const there = { ...NOTHING, lastsMs: Infinity, parked: 10 };

  it('waits until the cause is over, where only time ends it', () => {
    expect(planRelease({ ...there, lastsMs: 700 }, NOW_MS)).toEqual({ kind: 'wait', forMs: 700 });
  });

  it('lets one go when a probe is due, and not another one for it at once', () => {
    const due = { ...there, probeAtMs: NOW_MS };
    expect(planRelease({ ...there, probeAtMs: NOW_MS + 1 }, NOW_MS)).toEqual({
      kind: 'wait',
      forMs: 1,
    });
    const plan = planRelease(due, NOW_MS);
    expect(plan).toMatchObject({ kind: 'probe', park: { probeAtMs: NOW_MS, sinceMs: NOW_MS } });
    const park = plan.kind === 'probe' ? plan.park : undefined;
    expect(planRelease({ ...due, park }, NOW_MS + 100)).toEqual({ kind: 'wait', forMs: 4_900 });
    // It was lost on its way.
    expect(planRelease({ ...due, park }, NOW_MS + 5_000).kind).toBe('probe');
    // The clock was set back by more than anybody waits for.
    expect(planRelease({ ...due, probeAtMs: 0, park }, NOW_MS - 6_000).kind).toBe('probe');
    // The probe after it.
    expect(planRelease({ ...due, probeAtMs: NOW_MS + 500, park }, NOW_MS + 500).kind).toBe('probe');
  });
});

describe('when the cause is gone', () => {
  /** Ten thousand wait; several processes take from the same document whenever they look. */
  it('gives no more than the pace, however many look', () => {
    const looks = fc.array(fc.nat(300), { minLength: 5, maxLength: 200 });
    fc.assert(
      fc.property(looks, (waits) => {
        let park: ParkedCause | undefined;
        let released = 0;
        let nowMs = NOW_MS;
        for (const waitMs of waits) {
          nowMs += waitMs;
          const plan = planRelease({ ...NOTHING, parked: 10_000, park }, nowMs);
          if (plan.kind !== 'release') continue;
          released += plan.jobs;
          park = plan.park;
        }
        // Five a second at first, without feedback.
        expect(released).toBeLessThanOrEqual(1 + (5 * (nowMs - NOW_MS)) / 1_000);
      }),
    );
  });

  it('grows with what goes well, and halves with what does not', () => {
    let park: ParkedCause | undefined;
    const after = (failed: number) => {
      let nowMs = NOW_MS;
      for (; nowMs <= NOW_MS + 10_000; nowMs += 100) {
        const feedback = { succeeded: 10, failed, meanLatencyMs: 20 };
        const plan = planRelease({ ...NOTHING, parked: 10_000, park, feedback }, nowMs);
        if (plan.kind === 'release') park = plan.park;
      }
      return park?.pace?.perSecond ?? 0;
    };
    // 1.5 to the power of ten.
    expect(after(0)).toBeGreaterThan(5 * 45);
    park = undefined;
    expect(after(5)).toBeLessThan(5);
  });

  it('begins anew when it has rested, as behind a gate that closed again, and not with a burst', () => {
    const park = { sinceMs: 0, pace: { ...openPace(NOW_MS, 500), tokens: 0 } };
    const plan = planRelease({ ...NOTHING, parked: 1_000, park }, NOW_MS + 5_000);
    expect(plan).toMatchObject({ kind: 'release', jobs: 1, park: { pace: { perSecond: 5 } } });
    // A moment is no rest.
    const soon = planRelease({ ...NOTHING, parked: 1_000, park }, NOW_MS + 500);
    expect(soon).toMatchObject({ kind: 'release', jobs: 250, park: { pace: { perSecond: 500 } } });
  });

  it('begins with what an operator asked for, also after probes that failed, and after a rest', () => {
    const asked: ParkedCause = { sinceMs: 0, pace: openPace(NOW_MS, 20), askedPerSecond: 20 };
    const facts = { ...NOTHING, parked: 1_000, park: asked };
    const probe = planRelease({ ...facts, lastsMs: Infinity, probeAtMs: NOW_MS }, NOW_MS);
    expect(probe).toMatchObject({ kind: 'probe', park: { askedPerSecond: 20 } });
    const park = probe.kind === 'probe' ? probe.park : undefined;
    const began = { kind: 'release', park: { askedPerSecond: 20, pace: { perSecond: 20 } } };
    expect(planRelease({ ...facts, park }, NOW_MS + 10)).toMatchObject(began);
    expect(planRelease(facts, NOW_MS + 60_000)).toMatchObject({ ...began, jobs: 1 });
  });

  it('goes on when the clock was set back by an hour', () => {
    const park = { sinceMs: 0, pace: { ...openPace(NOW_MS + 3_600_000, 10), tokens: 0 } };
    const plan = planRelease({ ...NOTHING, parked: 3, park }, NOW_MS);
    expect(plan).toMatchObject({ kind: 'release', jobs: 1 });
    const next = plan.kind === 'release' ? plan.park : undefined;
    expect(planRelease({ ...NOTHING, parked: 2, park: next }, NOW_MS)).toEqual({
      kind: 'wait',
      forMs: 200,
    });
  });

  it('says how long until the next one', () => {
    const pace = { ...openPace(NOW_MS, 10), tokens: 0 };
    const park = { sinceMs: 0, pace };
    expect(planRelease({ ...NOTHING, parked: 3, park }, NOW_MS)).toEqual({
      kind: 'wait',
      forMs: 100,
    });
  });
});
