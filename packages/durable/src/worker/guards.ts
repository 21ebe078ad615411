import type { Breaker, Budget, Classification, RetryBudgets } from '@redrive/core';
import { type AttemptOutcome, chargedAttempts, REFUSED } from '@redrive/core/stored';
import type { ClaimRates } from '../control/claim-rates.ts';
import type { ClosedGates } from '../control/closed-gates.ts';
import type { ControlView } from '../control/control-view.ts';
import type { JobBreaker } from '../control/job-breaker.ts';
import { causes, gateKey, PARKED_AT_MOST_MS } from '../control/rules/documents.ts';
import { START_WITHIN_MS } from '../control/rules/rate.ts';
import type { SharedBreakers } from '../control/shared-breakers.ts';
import type { Stops } from '../control/stops.ts';
import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import type { JobsOptions } from '../jobs/jobs.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { ClaimAhead } from './claim-ahead.ts';
import type { HeldJob } from './held-job.ts';
import type { PolicyVersion } from './policy-versions.ts';

/** The breaker, gate and budget between a job and its dependency. Jobs without a dependency have no budget. */
export interface JobGuards {
  readonly dependency: string;
  readonly breaker: Breaker | undefined;
  /** The same, if it is one that all processes share: then its probe has to be asked for. */
  readonly shared: JobBreaker | undefined;
  /** The cause that jobs are parked under while the breaker is open. */
  readonly breakerCause: string;
  readonly budget: Budget | undefined;
  readonly budgetCause: string;
}

interface GuardsParts {
  /** Breakers of this process alone, where the application passes its own. */
  readonly breakers?: JobsOptions['breakers'] | undefined;
  readonly shared: SharedBreakers;
  readonly budgets: Pick<RetryBudgets, 'for'>;
  readonly view: Pick<ControlView, 'isFresh' | 'doubt'>;
  readonly stops: Stops;
  readonly gates: ClosedGates;
  readonly rates: Pick<ClaimRates, 'isRated'>;
  readonly ahead: Pick<ClaimAhead, 'answerMs'>;
}

/** Finds the guards of jobs, and asks them before an attempt. `recordInGuards` reports its outcome to them. */
export class Guards {
  readonly #parts: GuardsParts;

  constructor(parts: GuardsParts) {
    this.#parts = parts;
  }

  of(handler: ResolvedHandler, { policy }: PolicyVersion): JobGuards {
    const dependency = handler.dependency ?? policy.dependency;
    if (dependency === '' && !policy.enableCircuitBreaker) return NO_GUARDS;
    const key = dependency || policy.id;
    const own = this.#breakerOf(key, policy);
    return {
      dependency,
      ...own,
      breakerCause: own.shared === undefined ? `local-breaker:${key}` : causes.breaker(key),
      budget: dependency === '' ? undefined : found(() => this.#parts.budgets.for(dependency)),
      budgetCause: `budget:${key}`,
    };
  }

  #breakerOf(key: string, policy: PolicyVersion['policy']): Pick<JobGuards, 'breaker' | 'shared'> {
    if (!policy.enableCircuitBreaker || !policy.enabled) return NO_BREAKER;
    const settings = {
      threshold: policy.circuitBreakerThreshold,
      timeoutMs: policy.circuitBreakerTimeoutMs,
    };
    const { breakers, shared } = this.#parts;
    const own = found(() => breakers?.for(key, settings));
    if (own !== undefined && 'admit' in own) return { breaker: own, shared: undefined };
    const breaker = shared.for(key, { ...settings, ...own });
    return { breaker, shared: breaker };
  }

  /**
   * Returns the result of a job that may not start, `undefined` if it may. Checks engaged kill switches and pauses
   * first, then the job's own limits, then releases at a pace, then the gate and the breaker of its dependency.
   */
  preflight(held: HeldJob, nowMs: number): AttemptResult | undefined {
    const { job, version } = held;
    const { view, stops } = this.#parts;
    // It waited here until its lease may have run out: another process may run it by now.
    if (held.safeUntilMs <= nowMs) return GIVEN_BACK;
    if (this.#isLate(held, nowMs)) return GIVEN_BACK;
    // It waited to be a probe, and the kill switches are no longer confirmed.
    if (!view.isFresh(nowMs)) return GIVEN_BACK;
    if (stops.stop(job)) {
      // The store claims no such job. If it did, this view is out of date: the job would be claimed and given back again
      // and again.
      view.doubt();
      return GIVEN_BACK;
    }
    if (held.timeLeftMs <= 0 || chargedAttempts(job.account) > version.maxAttempts) {
      return { outcome: { kind: 'unstarted' } };
    }
    // Its kill switch was released at a pace, and its turn has not come.
    const cause = stops.holdsBack(job);
    if (cause !== undefined) return parked('kill_switch', cause);
    return this.#closedGate(held) ?? openBreaker(held);
  }

  /** It counts as a start of the time of its claim: started now, it would be one above its rate. */
  #isLate({ lane, claimedAtMs }: HeldJob, nowMs: number): boolean {
    const { rates, ahead } = this.#parts;
    if (!rates.isRated(lane.handler)) return false;
    return nowMs - claimedAtMs > START_WITHIN_MS + 2 * ahead.answerMs;
  }

  #closedGate({ guards, gate }: HeldJob): AttemptResult | undefined {
    const { gates } = this.#parts;
    if (guards.dependency === '' || !gates.hasAny(guards.dependency)) return undefined;
    const key = gateKey(gate);
    return gates.isClosed(key) ? parked('gate_closed', causes.gate(key)) : undefined;
  }
}

/** A look-up that throws knows nothing: one job without its guard is better than a claim whose other jobs are lost. */
function found<T>(lookUp: () => T): T | undefined {
  try {
    return lookUp() ?? undefined;
  } catch {
    return undefined;
  }
}

const NO_BREAKER = { breaker: undefined, shared: undefined };

export const NO_GUARDS: JobGuards = {
  dependency: '',
  ...NO_BREAKER,
  breakerCause: '',
  budget: undefined,
  budgetCause: '',
};

/** The job goes back to the queue, uncharged. */
export const GIVEN_BACK: AttemptResult = { outcome: { kind: 'interrupted' } };

/** Uncharged, until its cause is released. */
function parked(blockedBy: 'kill_switch' | 'gate_closed', cause: string): AttemptResult {
  const outcome: AttemptOutcome = {
    kind: 'blocked',
    cause: blockedBy,
    retryAfterMs: PARKED_AT_MOST_MS,
  };
  return { outcome, cause };
}

function openBreaker(held: HeldJob): AttemptResult | undefined {
  const { breaker } = held.guards;
  // A job that has asked for the probe's place, and got it, may run.
  if (breaker === undefined || held.permit !== REFUSED) return undefined;
  held.permit = breaker.admit();
  if (held.permit !== REFUSED) return undefined;
  const retryAfterMs = breaker.openForMs();
  return { outcome: { kind: 'blocked', cause: 'breaker_open', retryAfterMs } };
}

/** Whether a job that its breaker refused may ask to be the probe. */
export function mayProbe({ permit, guards, job }: HeldJob, { outcome }: AttemptResult): boolean {
  const isOpen = outcome.kind === 'blocked' && outcome.cause === 'breaker_open';
  if (!isOpen || permit !== REFUSED) return false;
  return guards.shared?.isProbeDue(job.account.unchargedSinceMs > 0) === true;
}

/** A job that was released as a probe, and will make none, lets the next one have its place. A job that is given back makes it later. */
export function passOverProbe({ guards }: HeldJob, { outcome }: AttemptResult): void {
  const isPassedOver =
    outcome.kind === 'blocked' ? outcome.cause !== 'breaker_open' : outcome.kind === 'unstarted';
  if (isPassedOver) guards.shared?.passOver();
}

/** Reports an outcome to the budget and to the breaker that has permitted the attempt. */
export function recordInGuards(
  { permit, guards: { budget, breaker, shared } }: HeldJob,
  { outcome, error }: AttemptResult,
): void {
  if (outcome.kind === 'success') budget?.deposit();
  if (permit === REFUSED) return;
  // A breaker of this process alone has no place for an error.
  if (shared === undefined) breaker?.record(permit, meaningFor(outcome));
  else shared.record(permit, meaningFor(outcome), error);
}

/** The classification that a breaker counts. An interrupted attempt says nothing about its dependency. */
function meaningFor(outcome: AttemptOutcome): Classification | undefined {
  if (outcome.kind === 'success') return undefined;
  return outcome.kind === 'failure' ? outcome : SAYS_NOTHING;
}

/** For a permit that is given back: no attempt was made with it, or none that says something about the dependency. */
export const SAYS_NOTHING: Classification = { errorClass: 'ignored', effect: 'unknown' };
