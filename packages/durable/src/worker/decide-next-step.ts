import { type Decision, type DecisionInput, decide, type ErrorClass } from '@redrive/core';
import {
  type AttemptEntry,
  type AttemptOutcome,
  DECIDE_VERSION,
  type DecisionPolicy,
  sessionRandom,
  settleAttempt,
  viewOf,
} from '@redrive/core/stored';
import { settleDetail } from '../audit/decision-detail.ts';
import { ownWaitMs } from '../control/rules/own-wait.ts';
import { deadGroupOf } from '../dead-letter/dead-group.ts';
import { hookOf } from '../dead-letter/hook.ts';
import type { CauseRules } from '../dead-letter/rules/cause-rules.ts';
import { successInput } from '../documents/records-of.ts';
import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import { RUNS_DEFAULT } from '../handler/runs-default.ts';
import {
  attemptsBefore,
  delayBeforeMs,
  type JobAttempt,
  LongerLog,
  MAX_KEPT_ENQUEUED,
} from '../job/attempt-log.ts';
import { type LeasedJob, rungOf } from '../job/job.ts';
import type { SettledState, Settlement } from '../job/settlement.ts';
import type { EnqueueCommand } from '../store/commands.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { JobGuards } from './guards.ts';

/** An attempt with its result, and everything that the next step depends on. Also a job that could not start. */
export interface FinishedAttempt {
  readonly job: LeasedJob;
  readonly result: AttemptResult;
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** The worker that ran it. */
  readonly worker: string;
  /** The writer of the settlement. */
  readonly by: string;
  /** `expired`: its worker is gone. */
  readonly lease: Settlement['by'];
  readonly policy: DecisionPolicy;
  readonly policyId: string;
  readonly policyHash: string;
  readonly maxAttempts: number;
  readonly guards: JobGuards;
  /** The rules of people about causes, as the worker sees them. */
  readonly rules: CauseRules;
  readonly onUnknown: ResolvedHandler['onUnknown'];
  /** The attempt was a probe: it tested the dependency for all jobs that wait for it. */
  readonly probe: boolean;
  /** The store's time. */
  readonly nowMs: number;
  readonly timeLeftMs: number;
  /** Jobs that its handler has enqueued, if any. They are stored if it succeeds. */
  readonly enqueued?: readonly EnqueueCommand[] | undefined;
}

/** A decision with its input; the policy is named by its hash wherever the rest is kept. */
export interface Decided {
  readonly decision: Decision;
  /** Absent for a success, which needs none. */
  readonly input?: Omit<DecisionInput, 'policy'> | undefined;
}

/** A success has one answer, whatever the attempt was: it is made once. */
const SUCCEEDED: Decided = {
  decision: /* @__PURE__ */ decide({ ...successInput('job'), policy: RUNS_DEFAULT }),
};

/** Decides what follows an attempt of a job. Takes the budget's token, where the answer costs one. */
export function decideNextStep(attempt: FinishedAttempt): Decided {
  const { job, policy, guards } = attempt;
  const { account } = job;
  const { outcome } = attempt.result;
  if (outcome.kind === 'success') return SUCCEEDED;
  const failed = outcome.kind === 'failure';
  const input: Omit<DecisionInput, 'policy'> = {
    account: viewOf(account),
    outcome,
    rung: rungOf(job),
    // A stored job can wait for as long as it takes: it is handed to no other rung.
    horizonMs: Infinity,
    canHandOver: false,
    timeLeftMs: attempt.timeLeftMs,
    allowance: Infinity,
    budgetAllows: !failed || (guards.budget?.allows(outcome.errorClass) ?? true),
    breakerOpenMs: waitsForItself(outcome, attempt) ? 0 : (guards.breaker?.openForMs() ?? 0),
    ...(attempt.probe && { probe: true }),
    ...(account.unchargedSinceMs > 0 && {
      unchargedForMs: Math.max(0, attempt.nowMs - account.unchargedSinceMs),
    }),
    onUnknown: attempt.onUnknown,
    random: sessionRandom(job.sessionId, account.executions),
  };
  const decision = decide({ ...input, policy });
  if (failed && decision.charge.budget) guards.budget?.take(outcome.errorClass);
  return { decision, input };
}

/**
 * A failed attempt waits for its back-off or its hint, and looks at the shared breaker afterwards. Parked under it, it
 * could be released earlier by the success of another job, and die earlier than without a breaker. A probe is
 * parked again with the other jobs, unless the dependency said how long to wait.
 */
function waitsForItself(outcome: AttemptOutcome, { guards, probe }: FinishedAttempt): boolean {
  if (guards.shared === undefined || outcome.kind !== 'failure') return false;
  const isHinted = outcome.errorClass === 'rate_limited' && (outcome.retryAfterMs ?? 0) > 0;
  return isHinted || !probe;
}

/** The command for the store: the state that follows from the decision, and all that is kept of the attempt. */
export function settlementOf(finished: FinishedAttempt, decided: Decided): Settlement {
  const { job, result, startedAtMs, durationMs, by, policyHash } = finished;
  const { decision } = decided;
  const { entry } = decision.charge;
  const isParked = decision.action === 'park';
  const waits = decision.action === 'retry' || isParked;
  const delayMs = waits ? decision.delayMs : undefined;
  const attempt = attemptOf(finished, decided, delayMs);
  const to = stateAfter(decision);
  const cause = isParked ? (result.cause ?? causeOf(finished, decision)) : undefined;
  const attempts = new LongerLog(job.attempts, attempt);
  return {
    id: job.id,
    token: job.token,
    by: finished.lease,
    to,
    dueInMs: delayMs,
    cause,
    account: settleAttempt(
      job.account,
      entry,
      ownWaitMs(decision),
      isParked || entry === 'blocked' ? Math.ceil(startedAtMs + durationMs) : undefined,
    ),
    retryCount: retryCountAfter(job.retryCount, entry, waits),
    errorClass: errorClassAfter(job.errorClass, result),
    reason: decision.reason,
    attempts,
    added: { to: job.attempts, attempt },
    group:
      to === 'dead'
        ? deadGroupOf(job.handler, attempts.kept, decision.reason, finished.rules)
        : undefined,
    result: result.result,
    resultOmittedBytes: result.resultOmittedBytes,
    follow: followOf(finished, to),
    ...(decision.action === 'succeed'
      ? { detail: successDetail(by, policyHash) }
      : settleDetail(attempt, decision, by, cause)),
  };
}

function stateAfter(decision: Decision): SettledState {
  switch (decision.action) {
    case 'succeed':
      return 'succeeded';
    case 'park':
      return 'parked';
    case 'give-up':
      return decision.reason === 'cancelled' ? 'cancelled' : 'dead';
    default:
      // A job is never handed over: see `decideNextStep`.
      return decision.reason === 'interrupted' ? 'ready' : 'scheduled';
  }
}

function causeOf({ job, result, guards }: FinishedAttempt, decision: Decision): string {
  const { outcome } = result;
  if (outcome.kind === 'failure' && outcome.blockedBy && decision.charge.entry === 'blocked') {
    // The breaker or budget is inside the handler and cannot be seen here: only its time ends the wait.
    const kind = decision.reason === 'breaker_open' ? 'local-breaker' : 'budget';
    return `${kind}:${guards.dependency || job.handler}`;
  }
  if (decision.reason === 'breaker_open') return guards.breakerCause;
  return decision.reason === 'budget_exhausted' ? guards.budgetCause : decision.reason;
}

/** The job's `retry_count`: retries that follow an attempt which counted. */
function retryCountAfter(before: number, entry: AttemptEntry, waits: boolean): number {
  if (entry === 'succeeded') return 0;
  return waits && (entry === 'failed' || entry === 'lease_lost') ? before + 1 : before;
}

/** The job's `error_class`: that of the newest failure. */
function errorClassAfter(
  before: ErrorClass | undefined,
  { outcome }: AttemptResult,
): ErrorClass | undefined {
  switch (outcome.kind) {
    case 'success':
      return undefined;
    case 'failure':
      return outcome.errorClass === 'ignored' ? before : outcome.errorClass;
    case 'lease_lost':
      return 'retryable';
    default:
      return before;
  }
}

function attemptOf(
  finished: FinishedAttempt,
  { decision, input }: Decided,
  delayMs: number | undefined,
): JobAttempt {
  const { job, result } = finished;
  const { outcome, error } = result;
  const { generation, claims } = job.account;
  return {
    generation,
    attempt: claims,
    attemptsBefore: attemptsBefore(job.account) || undefined,
    startedAtMs: finished.startedAtMs,
    durationMs: finished.durationMs,
    delayBeforeMs: delayBeforeMs(job),
    entry: decision.charge.entry,
    errorClass: outcome.kind === 'failure' ? outcome.errorClass : undefined,
    error,
    action: decision.action,
    reason: decision.reason,
    delayMs,
    worker: finished.worker,
    policyId: finished.policyId,
    policyHash: finished.policyHash,
    maxAttempts: finished.maxAttempts,
    input,
    decideVersion: input && DECIDE_VERSION,
    enqueued: decision.action === 'succeed' ? enqueuedOf(finished) : undefined,
  };
}

/** Jobs that are stored with the settlement: those of a success, or the hook of a death. */
function followOf({ job, by, enqueued }: FinishedAttempt, to: SettledState): Settlement['follow'] {
  if (to === 'succeeded') return enqueued;
  if (to !== 'dead' || job.onDead === undefined) return undefined;
  const hook = hookOf(job, { name: by });
  return hook && [hook];
}

/** The ids that the attempt keeps. Under a unique key it may be another job's, and is not known yet. */
function enqueuedOf({ enqueued = [] }: FinishedAttempt): JobAttempt['enqueued'] {
  if (enqueued.length === 0) return undefined;
  const own = enqueued.filter(({ job }) => job.uniqueKey === undefined).map(({ job }) => job.id);
  return { count: enqueued.length, ids: own.slice(0, MAX_KEPT_ENQUEUED) };
}

/** The same for all successes of one worker and policy, which are most outcomes. */
function successDetail(by: string, policyHash: string): string {
  if (lastSuccess.by !== by || lastSuccess.policyHash !== policyHash) {
    const detail = JSON.stringify({
      by,
      action: 'succeed',
      reason: 'succeeded',
      entry: 'succeeded',
      policy: policyHash,
      decide: DECIDE_VERSION,
    });
    lastSuccess = { by, policyHash, detail };
  }
  return lastSuccess.detail;
}

let lastSuccess = { by: '', policyHash: '', detail: '' };
