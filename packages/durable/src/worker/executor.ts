import type { Classification, Clock } from '@redrive/core';
import { runInAttempt } from '@redrive/core/node';
import { type AttemptOutcome, isDependencyFailure, REFUSED } from '@redrive/core/stored';
import type { ClosedGates } from '../control/closed-gates.ts';
import type { AllOutcomes } from '../control/dependency-outcomes.ts';
import { rungOf } from '../job/job.ts';
import { decodePayload } from '../jobs/payload.ts';
import {
  type AttemptResult,
  resultOfBroken,
  resultOfError,
  resultOfValue,
} from './attempt-result.ts';
import { decideNextStep, SUCCEEDED } from './decide-next-step.ts';
import type { JobGuards } from './guards.ts';
import type { HeldJob } from './held-job.ts';
import type { HeldJobs } from './held-jobs.ts';
import type { Preflight } from './preflight.ts';
import type { Reporter } from './reporter.ts';
import { settlementOf } from './settlement-of.ts';
import type { StoreTime } from './store-contact.ts';

export interface ExecutorParts {
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly worker: string;
  readonly maxResultBytes: number;
  readonly preflight: Preflight;
  readonly gates: Pick<ClosedGates, 'hint'>;
  readonly outcomes: AllOutcomes;
  readonly reporter: Reporter;
  readonly jobs: HeldJobs;
}

/**
 * The life of an attempt in this process, step by step:
 *
 * ```
 * preflight ─► run ─► classify ─► decide ─► settle
 *     └── it may not start ─────────┘
 * ```
 *
 * The claim comes before it and the write to the store after it: see `ClaimLoop`.
 */
export class Executor {
  readonly #parts: ExecutorParts;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
  }

  /** Runs a job, or concludes it at once where it may not run. */
  start(held: HeldJob): void {
    const nowMs = this.#parts.clock.monotonic();
    held.startMs = nowMs;
    held.startedAtMs = this.#parts.time.nowMs();
    const obstacle = this.#judge(held, () => this.#parts.preflight.obstacle(held, nowMs));
    if (obstacle === undefined) this.#run(held, nowMs);
    else if (mayProbe(held, obstacle)) void this.#askProbe(held, obstacle);
    else {
      if (isPassedOver(obstacle)) held.guards.shared?.passOver();
      this.conclude(held, obstacle);
    }
  }

  /** Its breaker is open, and a probe is due: it waits here until the store says which process makes it. */
  async #askProbe(held: HeldJob, obstacle: AttemptResult): Promise<void> {
    const { shared } = held.guards;
    held.phase = 'asking';
    this.#parts.jobs.started(held);
    const permit = (await shared?.askProbe()) ?? REFUSED;
    if (held.phase !== 'asking') {
      // It was cancelled or lost meanwhile.
      if (permit !== REFUSED) shared?.record(permit, SAYS_NOTHING);
      return;
    }
    held.permit = permit;
    held.isProbe = permit !== REFUSED;
    if (permit === REFUSED) this.conclude(held, obstacle);
    else this.start(held);
  }

  #run(held: HeldJob, nowMs: number): void {
    const { policy } = held.version;
    const { clock, reporter, jobs, maxResultBytes } = this.#parts;
    held.phase = 'running';
    held.limitMs = nowMs + Math.min(policy.attemptTimeoutMs, held.timeLeftMs);
    jobs.started(held);
    reporter.started(held);
    const end = (judge: () => AttemptResult): void => {
      if (this.#isAwaited(held)) this.conclude(held, this.#judge(held, judge));
    };
    call(held).then(
      (value) => end(() => resultOfValue(held, value, clock, maxResultBytes)),
      (error) => end(() => resultOfError(held, error, clock)),
    );
  }

  /** An error of a user's function (classifier, policy, breaker) is a failure: a job without an end here would run for ever. */
  #judge<E extends AttemptResult | undefined>(held: HeldJob, judge: () => E): E | AttemptResult {
    try {
      return judge();
    } catch (error) {
      this.#notifyBroken(held, error);
      return resultOfBroken(error, held.phase === 'running');
    }
  }

  /** Waits no longer for a handler whose signal has aborted. */
  giveUp(held: HeldJob): void {
    if (!this.#isAwaited(held)) return;
    this.conclude(held, resultOfError(held, held.cutReason, this.#parts.clock));
  }

  /** Whether the end of its handler still counts: the attempt runs, and no other process has the job. */
  #isAwaited(held: HeldJob): boolean {
    if (held.phase !== 'running') return false;
    if (held.isTaken) this.#forget(held);
    return !held.isTaken;
  }

  /** Another process has the job. The breaker gets its permit back without a result. */
  #forget(held: HeldJob): void {
    this.#recordInGuards(held, { outcome: UNTRIED });
    this.#parts.jobs.forget(held);
  }

  /** Ends an attempt, or a job that may not start: records the outcome in the guards, decides, and asks for the write. */
  conclude(held: HeldJob, end: AttemptResult): void {
    const { clock, jobs } = this.#parts;
    held.ran = held.phase === 'running';
    const durationMs = held.ran ? roundMs(clock.monotonic() - held.startMs) : 0;
    if (end.resultLosses !== undefined) this.#notifyLosses(held, end.resultLosses);
    this.#recordInGuards(held, end.untried ? { outcome: UNTRIED } : end);
    if (held.ran && !end.untried) this.#recordOutcome(held, end.outcome, durationMs);
    this.#hintGate(held, end.outcome);
    try {
      this.#decide(held, end, durationMs, held.guards);
    } catch (error) {
      this.#notifyBroken(held, error);
      this.#decideAlone(held, end, durationMs, error);
    }
    held.phase = 'finished';
    jobs.finished(held);
  }

  /** Decides without the guards, because one of them threw; if it throws again, the error is the failure. */
  #decideAlone(held: HeldJob, end: AttemptResult, durationMs: number, error: unknown): void {
    const guards = { ...held.guards, breaker: undefined, shared: undefined, budget: undefined };
    try {
      this.#decide(held, end, durationMs, guards);
    } catch {
      this.#decide(held, resultOfBroken(error, held.ran), durationMs, guards);
    }
  }

  /** An error that a guard throws does not change the outcome. */
  #recordInGuards(held: HeldJob, { outcome, error: failure }: AttemptResult): void {
    const { permit, guards } = held;
    try {
      if (outcome.kind === 'success') guards.budget?.deposit();
      if (permit === REFUSED) return;
      // A breaker of this process alone has no place for an error.
      if (guards.shared === undefined) guards.breaker?.record(permit, meaningFor(outcome));
      else guards.shared.record(permit, meaningFor(outcome), failure);
    } catch (error) {
      this.#notifyBroken(held, error);
    }
  }

  #notifyLosses({ jobId, handler }: HeldJob, losses: readonly string[]): void {
    this.#parts.reporter.notify({ kind: 'result_altered', jobId, handler, losses });
  }

  #notifyBroken({ jobId, handler }: HeldJob, error: unknown): void {
    this.#parts.reporter.notify({ kind: 'attempt_error', jobId, handler, error });
  }

  #decide(held: HeldJob, end: AttemptResult, durationMs: number, guards: JobGuards): void {
    const { job, version, lane } = held;
    const { worker } = this.#parts;
    const decided =
      end.outcome.kind === 'success'
        ? SUCCEEDED
        : decideNextStep(end.outcome, {
            policy: version.policy,
            account: job.account,
            sessionId: job.sessionId,
            rung: rungOf(job),
            nowMs: this.#parts.time.nowMs(),
            timeLeftMs: held.timeLeftMs,
            guards,
            probe: held.isProbe,
            onUnknown: lane.handler.onUnknown,
          });
    const facts = {
      startedAtMs: held.startedAtMs,
      durationMs,
      worker,
      policyId: version.policy.id,
      policyHash: version.hash,
      maxAttempts: version.maxAttempts,
      by: worker,
    };
    held.decided = decided;
    held.settlement = settlementOf(job, 'held', end, decided, guards, facts);
  }

  /**
   * For the releases of parked jobs. An interrupted attempt has no outcome; a final error is an answer of the
   * dependency.
   */
  #recordOutcome({ guards }: HeldJob, outcome: AttemptOutcome, durationMs: number): void {
    if (outcome.kind !== 'success' && outcome.kind !== 'failure') return;
    const errorClass = outcome.kind === 'failure' ? outcome.errorClass : undefined;
    if (errorClass === 'ignored') return;
    const failed = isDependencyFailure(errorClass);
    this.#parts.outcomes.add(guards.dependency, failed, durationMs);
  }

  /** A dependency's Retry-After to one attempt holds for all attempts at it. A job without a dependency has no gate. */
  #hintGate(held: HeldJob, outcome: AttemptOutcome): void {
    if (outcome.kind !== 'failure' || outcome.errorClass !== 'rate_limited') return;
    const { retryAfterMs } = outcome;
    if (retryAfterMs === undefined || held.guards.dependency === '') return;
    this.#parts.gates.hint(held.gate, retryAfterMs);
  }
}

/** Whether this job may ask to be the probe. */
function mayProbe({ permit, guards, job }: HeldJob, { outcome }: AttemptResult): boolean {
  const isOpen = outcome.kind === 'blocked' && outcome.cause === 'breaker_open';
  if (!isOpen || permit !== REFUSED) return false;
  return guards.shared?.isProbeDue(job.account.unchargedSinceMs > 0) === true;
}

/** Whether a job that was released as a probe will make none. A job that is given back makes it later. */
function isPassedOver({ outcome }: AttemptResult): boolean {
  return outcome.kind === 'blocked'
    ? outcome.cause !== 'breaker_open'
    : outcome.kind === 'unstarted';
}

/** Calls the handler; after an attempt with an unknown effect, the handler's probe first. */
function call(held: HeldJob): Promise<unknown> {
  const { run, probe } = held.lane.handler;
  try {
    const payload = decodePayload(held.job.payload);
    // Calls of `retry` inside count as one attempt's retries, also where the handler does not pass `parent` along.
    return runInAttempt(held.parent, () => {
      if (probe === undefined || !followsUnknownEffect(held)) {
        return Promise.resolve(run(payload, held));
      }
      return Promise.resolve(probe(payload, held)).then((effect) =>
        effect === 'applied' ? undefined : run(payload, held),
      );
    });
  } catch (error) {
    return Promise.reject(error);
  }
}

function followsUnknownEffect({ job }: HeldJob): boolean {
  const last = job.attempts.kept.at(-1);
  switch (last?.entry) {
    case 'lease_lost':
    case 'process_lost':
    case 'interrupted':
      return true;
    case 'failed':
    case 'rate_limited': {
      const outcome = last.input?.outcome;
      // The effect of an attempt on an earlier rung is not known here.
      return outcome === undefined || (outcome.kind === 'failure' && outcome.effect !== 'none');
    }
    default:
      return false;
  }
}

/** The classification that a breaker counts. An interrupted attempt says nothing about its dependency. */
function meaningFor(outcome: AttemptOutcome): Classification | undefined {
  if (outcome.kind === 'success') return undefined;
  return outcome.kind === 'failure' ? outcome : SAYS_NOTHING;
}

const UNTRIED: AttemptOutcome = { kind: 'interrupted' };
const SAYS_NOTHING: Classification = { errorClass: 'ignored', effect: 'unknown' };

/** Microseconds are enough, and short in a record. */
function roundMs(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
