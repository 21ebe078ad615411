import { type AttemptOutcome, chargedAttempts, REFUSED } from '@redrive/core/stored';
import type { ClosedGates } from '../control/closed-gates.ts';
import type { ControlView } from '../control/control-view.ts';
import { causes, gateKey, PARKED_AT_MOST_MS } from '../control/rules/documents.ts';
import type { Stops } from '../control/stops.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { HeldJob } from './held-job.ts';

export interface PreflightParts {
  readonly view: Pick<ControlView, 'isFresh' | 'doubt'>;
  readonly stops: Stops;
  readonly gates: ClosedGates;
}

/** Says why an attempt may not start, if so: what stops it outright, then its own limits, then what it would talk to. */
export class Preflight {
  readonly #parts: PreflightParts;

  constructor(parts: PreflightParts) {
    this.#parts = parts;
  }

  obstacle(held: HeldJob, nowMs: number): AttemptResult | undefined {
    const { job, version } = held;
    const { view, stops } = this.#parts;
    // It waited here until its lease may have run out: another process may run it by now.
    if (held.safeUntilMs <= nowMs) return GIVEN_BACK;
    // It waited to be a probe, and the kill switches are no longer confirmed.
    if (!view.isFresh(nowMs)) return GIVEN_BACK;
    if (stops.stop(job)) {
      // No claim brings such a job, unless the store knows better: then it would be claimed and given back again and again.
      view.doubt();
      return GIVEN_BACK;
    }
    if (held.timeLeftMs <= 0 || chargedAttempts(job.account) > version.maxAttempts) {
      return { outcome: { kind: 'unstarted' } };
    }
    const cause = stops.holdsBack(job);
    if (cause !== undefined) return parked('kill_switch', cause);
    return this.#gate(held) ?? breakerOf(held);
  }

  #gate({ guards, gate }: HeldJob): AttemptResult | undefined {
    const { gates } = this.#parts;
    if (guards.dependency === '' || !gates.hasAny(guards.dependency)) return undefined;
    const key = gateKey(gate);
    return gates.isClosed(key) ? parked('gate_closed', causes.gate(key)) : undefined;
  }
}

const GIVEN_BACK: AttemptResult = { outcome: { kind: 'interrupted' } };

/** Uncharged, until its cause is released. */
function parked(blockedBy: 'kill_switch' | 'gate_closed', cause: string): AttemptResult {
  const outcome: AttemptOutcome = {
    kind: 'blocked',
    cause: blockedBy,
    retryAfterMs: PARKED_AT_MOST_MS,
  };
  return { outcome, cause };
}

function breakerOf(held: HeldJob): AttemptResult | undefined {
  const { breaker } = held.guards;
  // A job that has asked for the probe's place, and got it, may run.
  if (breaker === undefined || held.permit !== REFUSED) return undefined;
  held.permit = breaker.admit();
  if (held.permit !== REFUSED) return undefined;
  const retryAfterMs = breaker.openForMs();
  return { outcome: { kind: 'blocked', cause: 'breaker_open', retryAfterMs } };
}
