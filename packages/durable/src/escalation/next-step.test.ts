import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EscalationDocument, isAnswered, nextStep } from './next-step.ts';

const MINUTE = 60_000;
const RESOLVE = 15 * MINUTE;

/** Looks once a minute, and carries the steps out. */
function looker() {
  let document: EscalationDocument | undefined;
  let nowMs = 1_000_000;
  const raised: number[] = [];
  let resolved = 0;
  return {
    raised,
    get document() {
      return document;
    },
    get resolved() {
      return resolved;
    },
    get nowMs() {
      return nowMs;
    },
    edit(more: Partial<EscalationDocument>) {
      if (document === undefined) throw new Error('no document');
      document = { ...document, ...more };
    },
    look(tier: number, minutes = 1) {
      for (let n = 0; n < minutes; n += 1) {
        nowMs += MINUTE;
        const step = nextStep({ document, tier, nowMs, resolveAfterMs: RESOLVE });
        if (step.kind === 'raise') raised.push(tier);
        if (step.kind === 'resolve') resolved += 1;
        if (step.kind === 'resolve') document = undefined;
        else if (step.kind !== 'none') document = step.document;
      }
    },
  };
}

const ACT = { by: 'cli:eve@host', atMs: 0 };

describe('a tier is notified', () => {
  it('once, when it rises', () => {
    const it = looker();
    it.look(1, 5);
    expect(it.document).toBeUndefined();
    it.look(2, 500);
    it.look(3, 10);
    it.look(2, 10);
    it.look(3, 10);
    it.look(4, 10);
    expect(it.raised).toEqual([2, 3, 4]);
    expect(it.document).toMatchObject({ notifiedTier: 4, isEnqueued: false });
  });

  it('not again while it goes up and down, and again after it was resolved', () => {
    const it = looker();
    for (let n = 0; n < 20; n += 1) {
      it.look(2, 3);
      it.look(1, 14);
    }
    expect([it.raised, it.resolved]).toEqual([[2], 0]);
    it.look(0, 17);
    expect([it.resolved, it.document]).toEqual([1, undefined]);
    it.look(2);
    expect(it.raised).toEqual([2, 2]);
  });

  it('not while it is snoozed, then again; a higher tier is', () => {
    const it = looker();
    it.look(2);
    it.edit({ snoozed: { ...ACT, tier: 2, untilMs: it.nowMs + 60 * MINUTE } });
    it.edit({ acknowledged: { ...ACT, tier: 2 } });
    it.look(2, 59);
    expect(it.raised).toEqual([2]);
    it.look(2, 10);
    expect(it.raised).toEqual([2, 2]);
    expect(it.document).toMatchObject({ notifiedTier: 2 });
    expect(it.document).not.toHaveProperty('snoozed');
    expect(it.document).not.toHaveProperty('acknowledged');
    it.edit({ snoozed: { ...ACT, tier: 2, untilMs: it.nowMs + 60 * MINUTE } });
    it.look(3);
    expect(it.raised).toEqual([2, 2, 3]);
  });

  it('not below tier 2 for `resolveAfterMs` exactly: then it is resolved', () => {
    const document = { sinceMs: 0, notifiedTier: 2, isEnqueued: true, lowerSinceMs: 1_000 };
    const at = (nowMs: number) =>
      nextStep({ document, tier: 1, nowMs, resolveAfterMs: RESOLVE }).kind;
    expect([at(1_000 + RESOLVE - 1), at(1_000 + RESOLVE)]).toEqual(['none', 'resolve']);
    // The clock went back: the time counts anew.
    expect(at(500)).toBe('write');
  });

  it('a snooze before the first notification keeps it away, and ends at its time', () => {
    const snoozed = { ...ACT, tier: 3, untilMs: 5_000 };
    const document = { sinceMs: 0, notifiedTier: 0, isEnqueued: true, snoozed };
    const at = (nowMs: number, tier = 3) =>
      nextStep({ document, tier, nowMs, resolveAfterMs: RESOLVE }).kind;
    expect([at(4_999), at(4_999, 4), at(5_000)]).toEqual(['none', 'raise', 'raise']);
  });

  it('a higher tier keeps the acknowledgement of the lower one', () => {
    const it = looker();
    it.look(2);
    it.edit({ acknowledged: { ...ACT, tier: 2 } });
    it.look(3);
    expect(it.document).toMatchObject({ notifiedTier: 3, acknowledged: { tier: 2 } });
  });

  it('a higher tier asks for another decision', () => {
    const it = looker();
    it.look(2);
    it.edit({ decision: { ...ACT, decision: 'leave' } });
    it.look(4);
    expect(it.document?.decision).toBeUndefined();
    expect(isAnswered(it.document as EscalationDocument)).toBe(false);
  });

  it('an acknowledgement answers its tier and those below', () => {
    const document = { sinceMs: 0, notifiedTier: 3, isEnqueued: true };
    expect(isAnswered(document)).toBe(false);
    expect(isAnswered({ ...document, acknowledged: { ...ACT, tier: 2 } })).toBe(false);
    expect(isAnswered({ ...document, acknowledged: { ...ACT, tier: 3 } })).toBe(true);
    expect(isAnswered({ ...document, decision: { ...ACT, decision: 'leave' } })).toBe(true);
  });

  it('at most once per tier between two resolutions, whatever the tiers are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 200 }), (tiers) => {
        const it = looker();
        let begun = 0;
        for (const tier of tiers) {
          const before = it.resolved;
          it.look(tier);
          if (it.resolved > before) begun = it.raised.length;
          const now = it.raised.slice(begun);
          expect(now).toEqual([...new Set(now)].sort());
          expect(Math.max(0, ...now)).toBeGreaterThanOrEqual(tier >= 2 ? tier : 0);
        }
      }),
    );
  });
});
