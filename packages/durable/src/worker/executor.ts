import type { Clock } from '@redrive/core';
import { runInAttempt } from '@redrive/core/node';
import { type AttemptOutcome, isDependencyFailure, REFUSED } from '@redrive/core/stored';
import type { ClosedGates } from '../control/closed-gates.ts';
import type { AllOutcomes } from '../control/dependency-outcomes.ts';
import { HOOK_DIGEST, letterOfHook } from '../dead-letter/hook.ts';
import type { RulesInView } from '../dead-letter/rules/rule-documents.ts';
import { refusalError } from '../jobs/enqueuer.ts';
import { decodePayload } from '../jobs/payload.ts';
import type { FollowRefused } from '../store/follow-ups.ts';
import type { FullStore } from '../store/full-store.ts';
import {
  type AttemptResult,
  resultOfBroken,
  resultOfError,
  resultOfValue,
} from './attempt-result.ts';
import { decideNextStep, settlementOf } from './decide-next-step.ts';
import {
  GIVEN_BACK,
  type Guards,
  type JobGuards,
  mayProbe,
  passOverProbe,
  recordInGuards,
  SAYS_NOTHING,
} from './guards.ts';
import type { HeldJob } from './held-job.ts';
import type { HeldJobs } from './held-jobs.ts';
import type { Reporter } from './reporter.ts';
import type { StoreTime } from './store-contact.ts';

interface ExecutorParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly worker: string;
  readonly maxResultBytes: number;
  readonly guards: Guards;
  readonly rules: RulesInView;
  readonly gates: Pick<ClosedGates, 'hint'>;
  readonly outcomes: AllOutcomes;
  readonly reporter: Reporter;
  readonly jobs: HeldJobs;
}

/**
 * The life of an attempt in this process, step by step:
 *
 * ```
 * start: preflight ─► run ─► classify ─► finish: report to guards ─► decide ─► settle
 *            └── it may not start ───────────┘
 * ```
 *
 * The claim comes before it and the write to the store after it: see `ClaimLoop`.
 */
export class Executor {
  readonly #parts: ExecutorParts;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
  }

  /** Runs a job, or finishes it at once where it may not run. */
  start(held: HeldJob): void {
    const { clock, time, guards } = this.#parts;
    const nowMs = clock.monotonic();
    held.startMs = nowMs;
    held.startedAtMs = time.nowMs();
    const obstacle = this.#orBroken(held, () => guards.preflight(held, nowMs));
    if (obstacle === undefined) this.#run(held, nowMs);
    else if (mayProbe(held, obstacle)) void this.#askProbe(held, obstacle);
    else {
      passOverProbe(held, obstacle);
      this.finish(held, obstacle);
    }
  }

  /** The breaker is open and a probe is due: the job waits here until the store says which process makes the probe. */
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
    if (permit === REFUSED) this.finish(held, obstacle);
    else this.start(held);
  }

  #run(held: HeldJob, nowMs: number): void {
    const { policy } = held.version;
    const { clock, reporter, jobs, maxResultBytes } = this.#parts;
    held.phase = 'running';
    held.limitMs = nowMs + Math.min(policy.attemptTimeoutMs, held.timeLeftMs);
    jobs.started(held);
    reporter.started(held);
    const classify = (result: () => AttemptResult): void => {
      if (this.#isAwaited(held)) this.finish(held, this.#orBroken(held, result));
    };
    call(held, this.#parts.store).then(
      (value) => classify(() => resultOfValue(held, value, clock, maxResultBytes)),
      (error) => classify(() => resultOfError(held, error, clock)),
    );
  }

  /** Waits no longer for a handler whose signal has aborted. */
  giveUp(held: HeldJob): void {
    if (!this.#isAwaited(held)) return;
    this.finish(held, resultOfError(held, held.cutReason, this.#parts.clock));
  }

  /** Whether the result of its handler still counts: the attempt runs, and no other process has the job. */
  #isAwaited(held: HeldJob): boolean {
    if (held.phase !== 'running') return false;
    if (held.isTaken) this.#forget(held);
    return !held.isTaken;
  }

  /** Another process has the job. The breaker gets its permit back without a result. */
  #forget(held: HeldJob): void {
    this.#recordInGuards(held, GIVEN_BACK);
    this.#parts.jobs.forget(held);
  }

  /** Finishes an attempt, or a job that may not start: reports to the guards, decides, and asks for the write. */
  finish(held: HeldJob, result: AttemptResult): void {
    const { clock, jobs, reporter } = this.#parts;
    const { jobId, handler } = held;
    held.ran = held.phase === 'running';
    const durationMs = held.ran ? roundMs(clock.monotonic() - held.startMs) : 0;
    const { resultLosses: losses } = result;
    if (losses !== undefined) reporter.notify({ kind: 'result_altered', jobId, handler, losses });
    this.#recordInGuards(held, result.untried ? GIVEN_BACK : result);
    if (held.ran && !result.untried) this.#recordOutcome(held, result.outcome, durationMs);
    this.#hintGate(held, result.outcome);
    this.#decide(held, result, durationMs);
    held.phase = 'finished';
    jobs.finished(held);
  }

  /** The store refused a job that the attempt enqueued: the attempt has failed, and nothing of it is stored. */
  followRefused(held: HeldJob, { at, because }: FollowRefused): void {
    const { clock, jobs } = this.#parts;
    const command = held.enqueued?.[at];
    const durationMs = held.settlement?.attempts.kept.at(-1)?.durationMs ?? 0;
    const error = command && refusalError(command, because);
    const result = this.#orBroken(held, () => resultOfError(held, error, clock));
    this.#decide(held, result, durationMs);
    jobs.settleAgain(held);
  }

  /** A guard that throws does not keep the job: then it is decided without the guards. */
  #decide(held: HeldJob, result: AttemptResult, durationMs: number): void {
    try {
      this.#settle(held, result, durationMs, held.guards);
    } catch (error) {
      this.#notifyBroken(held, error);
      const guards = { ...held.guards, breaker: undefined, shared: undefined, budget: undefined };
      try {
        this.#settle(held, result, durationMs, guards);
      } catch {
        // It was not a guard: the error is the failure.
        this.#settle(held, resultOfBroken(error, held.ran), durationMs, guards);
      }
    }
  }

  #settle(held: HeldJob, result: AttemptResult, durationMs: number, guards: JobGuards): void {
    const { job, version, lane } = held;
    const { worker, time } = this.#parts;
    const attempt = {
      job,
      result,
      startedAtMs: held.startedAtMs,
      durationMs,
      worker,
      by: worker,
      lease: 'held',
      policy: version.policy,
      policyId: version.policy.id,
      policyHash: version.hash,
      maxAttempts: version.maxAttempts,
      guards,
      rules: this.#parts.rules.rules,
      onUnknown: lane.handler.onUnknown,
      probe: held.isProbe,
      nowMs: time.nowMs(),
      timeLeftMs: held.timeLeftMs,
      enqueued: held.enqueued,
    } as const;
    held.decided = decideNextStep(attempt);
    held.settlement = settlementOf(attempt, held.decided);
  }

  /** An error of a user's function (classifier, policy, breaker) is a failure: a job without a result would run for ever. */
  #orBroken<R extends AttemptResult | undefined>(held: HeldJob, make: () => R): R | AttemptResult {
    try {
      return make();
    } catch (error) {
      this.#notifyBroken(held, error);
      return resultOfBroken(error, held.phase === 'running');
    }
  }

  /** An error that a guard throws does not change the outcome. */
  #recordInGuards(held: HeldJob, result: AttemptResult): void {
    try {
      recordInGuards(held, result);
    } catch (error) {
      this.#notifyBroken(held, error);
    }
  }

  #notifyBroken({ jobId, handler }: HeldJob, error: unknown): void {
    this.#parts.reporter.notify({ kind: 'attempt_error', jobId, handler, error });
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

/** Calls the handler; after an attempt with an unknown effect, the handler's probe first. */
function call(held: HeldJob, store: FullStore): Promise<unknown> {
  try {
    if (held.job.digest === HOOK_DIGEST) {
      return letterOfHook(held.job, store).then((letter) => runWith(held, letter));
    }
    return runWith(held, decodePayload(held.job.payload));
  } catch (error) {
    return Promise.reject(error);
  }
}

function runWith(held: HeldJob, payload: unknown): Promise<unknown> {
  const { run, probe } = held.lane.handler;
  try {
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

/** Microseconds are enough, and short in a record. */
function roundMs(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
