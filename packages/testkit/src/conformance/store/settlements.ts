import { deepEqual } from 'node:assert/strict';
import { type Decision, type DecisionInput, decide } from '@redrive/core';
import {
  type AttemptEntry,
  type AttemptOutcome,
  type DecisionPolicy,
  type SanitisedError,
  settleAttempt,
  viewOf,
} from '@redrive/core/stored';
import type { Store } from '@redrive/durable';
import {
  addAttempt,
  deadGroupOf,
  type JobAttempt,
  type LeasedJob,
  ownWaitMs,
  type SettledState,
  type Settlement,
  type SettleResult,
} from '@redrive/durable/store';

/** Three attempts, no jitter. Plain data, as a store gets it. */
export const POLICY: DecisionPolicy = {
  enabled: true,
  maxAttempts: 3,
  backoff: 'exponential',
  baseDelayMs: 1_000,
  maxDelayMs: 60_000,
  multiplier: 2,
  immediateFirstRetry: false,
  jitter: 'none',
  jitterAmount: 0,
  maxFreeWaits: 100,
  maxFreeWaitMs: 86_400_000,
};

export const RETRYABLE: AttemptOutcome = {
  kind: 'failure',
  errorClass: 'retryable',
  effect: 'none',
};

const ENTRIES: Readonly<Record<SettledState, AttemptEntry>> = {
  succeeded: 'succeeded',
  scheduled: 'failed',
  ready: 'interrupted',
  parked: 'blocked',
  dead: 'failed',
  cancelled: 'cancelled',
};

/** The end of a leased job's attempt, as a test wants it. The account follows from `entry`. */
export function settlementFor(
  job: LeasedJob,
  to: SettledState,
  with_: Partial<Settlement> & { readonly entry?: AttemptEntry } = {},
): Settlement {
  const { entry = ENTRIES[to], ...rest } = with_;
  return {
    id: job.id,
    token: job.token,
    by: 'held',
    to,
    account: settleAttempt(job.account, entry, Math.max(0, rest.dueInMs ?? 0)),
    retryCount: job.retryCount,
    reason: to === 'succeeded' ? 'succeeded' : 'retryable_error',
    attempts: job.attempts,
    detail: '{"reason":"test"}',
    ...rest,
  };
}

const TARGETS: Readonly<Record<Decision['action'], SettledState>> = {
  succeed: 'succeeded',
  retry: 'scheduled',
  'hand-over': 'scheduled',
  park: 'parked',
  'give-up': 'dead',
};

export interface DecidedWith {
  readonly policy?: DecisionPolicy;
  readonly by?: Settlement['by'];
  /** The error of a failure. */
  readonly error?: SanitisedError;
}

const NO_LUCK: SanitisedError = { type: 'Error', message: 'no luck' };

/** The end of an attempt as `decide` wants it: what a worker would settle. */
export function decidedEnd(
  job: LeasedJob,
  outcome: AttemptOutcome,
  nowMs: number,
  with_: DecidedWith = {},
): Settlement {
  const { policy = POLICY, by = 'held', error = NO_LUCK } = with_;
  const input: DecisionInput = {
    policy,
    account: viewOf(job.account),
    outcome,
    rung: 'job',
    horizonMs: Number.POSITIVE_INFINITY,
    canHandOver: false,
    timeLeftMs: (job.deadlineMs ?? Number.POSITIVE_INFINITY) - nowMs,
    allowance: Number.POSITIVE_INFINITY,
    budgetAllows: true,
    breakerOpenMs: 0,
    onUnknown: 'retry',
    random: 0.5,
  };
  const decision = decide(input);
  const { action, reason, delayMs = 0, charge } = decision;
  const waits = action === 'retry' || action === 'park';
  const counts = charge.entry === 'failed' || charge.entry === 'lease_lost';
  const errorClass = outcome.kind === 'failure' ? outcome.errorClass : job.errorClass;
  const to = outcome.kind === 'interrupted' ? 'ready' : TARGETS[action];
  const attempts = addAttempt(job.attempts, attemptOf(job, input, decision, error, nowMs));
  return {
    id: job.id,
    token: job.token,
    by,
    to,
    dueInMs: waits ? delayMs : undefined,
    cause: action === 'park' ? reason : undefined,
    account: settleAttempt(job.account, charge.entry, ownWaitMs(decision)),
    retryCount: action === 'succeed' ? 0 : job.retryCount + (counts && action === 'retry' ? 1 : 0),
    errorClass: action === 'succeed' ? undefined : errorClass,
    reason,
    attempts,
    group: to === 'dead' ? deadGroupOf(job.handler, attempts.kept, reason) : undefined,
    detail: JSON.stringify({ reason, entry: charge.entry }),
  };
}

function attemptOf(
  job: LeasedJob,
  { policy, ...input }: DecisionInput,
  { action, reason, delayMs, charge }: Decision,
  error: SanitisedError,
  nowMs: number,
): JobAttempt {
  const { outcome } = input;
  const waits = action === 'retry' || action === 'park';
  return {
    generation: job.account.generation,
    attempt: job.account.claims,
    startedAtMs: job.lease.sinceMs,
    durationMs: nowMs - job.lease.sinceMs,
    delayBeforeMs: job.account.lastDelayMs,
    entry: charge.entry,
    errorClass: outcome.kind === 'failure' ? outcome.errorClass : undefined,
    error: outcome.kind === 'failure' ? error : undefined,
    action,
    reason,
    delayMs: waits ? delayMs : undefined,
    worker: job.lease.worker,
    policyId: 'runs.default',
    policyHash: job.lease.policyHash,
    maxAttempts: policy.maxAttempts,
    input: action === 'succeed' ? undefined : input,
  };
}

export async function settle(store: Store, settlement: Settlement): Promise<SettleResult> {
  const [result] = await store.apply([{ kind: 'settle', settlement }]);
  return result;
}

/** Settles, and insists that it is accepted. */
export async function settled(store: Store, settlement: Settlement): Promise<void> {
  deepEqual(await settle(store, settlement), { ok: true });
}
