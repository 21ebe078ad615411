import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeGate, GATE_CEILING_MS } from './documents.ts';
import { RAMP, rampAnswer } from './ramp.ts';

describe('a gate', () => {
  it('holds until the strictest hint has passed, and not longer than the ceiling after the last one', () => {
    const hints = fc.array(fc.tuple(fc.nat(10_000), fc.nat(2 * GATE_CEILING_MS)), { minLength: 1 });
    fc.assert(
      fc.property(hints, (all) => {
        let nowMs = 0;
        let gate: ReturnType<typeof closeGate> | undefined;
        let strictestMs = 0;
        for (const [waitMs, hintMs] of all) {
          nowMs += waitMs;
          gate = closeGate(gate, hintMs, nowMs);
          strictestMs = Math.max(strictestMs, nowMs + Math.min(hintMs, GATE_CEILING_MS));
          expect(gate.untilMs).toBe(strictestMs);
          expect(gate.sinceMs).toBeLessThanOrEqual(nowMs);
        }
      }),
    );
  });

  it('says that a hint was cut', () => {
    expect(closeGate(undefined, 365 * 86_400_000, 0)).toEqual({
      untilMs: GATE_CEILING_MS,
      sinceMs: 0,
      cut: true,
    });
  });

  it('counts from its last beginning', () => {
    const first = closeGate(undefined, 1_000, 0);
    expect(closeGate(first, 5_000, 500)).toEqual({ untilMs: 5_500, sinceMs: 0, cut: false });
    expect(closeGate(first, 1_000, 2_000).sinceMs).toBe(2_000);
  });
});

describe('a ramp', () => {
  /** Sends everything that it may; `fails` says which item fails. */
  function climb(
    items: number,
    fails: (item: number) => boolean,
  ): { sent: number; stopped: boolean } {
    let at = { stage: 0, sent: 0, succeeded: 0, cameBack: 0 };
    for (let sent = 0; ; ) {
      const answer = rampAnswer(RAMP, at);
      if (answer.kind === 'stop') return { sent, stopped: true };
      if (answer.kind === 'next') at = { stage: answer.stage, sent: 0, succeeded: 0, cameBack: 0 };
      if (answer.kind === 'wait') throw new Error('everything that was sent has ended');
      if (answer.kind !== 'send') continue;
      if (sent >= items) return { sent, stopped: false };
      const failed = fails(sent);
      sent += 1;
      at = {
        ...at,
        sent: at.sent + 1,
        succeeded: at.succeeded + (failed ? 0 : 1),
        cameBack: at.cameBack + (failed ? 1 : 0),
      };
    }
  }

  it('wastes one attempt when the cause is still there', () => {
    expect(climb(10_000, () => true)).toEqual({ sent: 1, stopped: true });
  });

  it('wastes a few when it is still there for one in three', () => {
    const { sent, stopped } = climb(10_000, (item) => item % 3 === 1);
    expect(stopped).toBe(true);
    expect(sent).toBeLessThanOrEqual(11);
  });

  it('sends all when nothing comes back, in stages', () => {
    expect(climb(10_000, () => false)).toEqual({ sent: 10_000, stopped: false });
  });

  it('waits for a stage to end before the next one begins', () => {
    const at = { stage: 1, sent: 10, succeeded: 8, cameBack: 1 };
    expect(rampAnswer(RAMP, at)).toEqual({ kind: 'wait' });
    expect(rampAnswer(RAMP, { ...at, succeeded: 9 })).toEqual({ kind: 'next', stage: 2 });
  });
});
