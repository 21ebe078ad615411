import { type Decision, type DecisionInput, decide } from '@redrive/core';
import {
  type AttemptOutcome,
  type DecisionPolicy,
  sessionRandom,
  settleAttempt,
  viewOf,
} from '@redrive/core/stored';
import {
  addAttempt,
  type JobAttempt,
  type LeasedJob,
  ownWaitMs,
  type Settlement,
  settleDetail,
} from '@redrive/durable/store';

/** The command of a worker after an attempt with this outcome. */
export function settleWith(
  job: LeasedJob,
  outcome: AttemptOutcome,
  policy: DecisionPolicy,
  circumstances: Partial<DecisionInput> = {},
): Settlement {
  const input = {
    account: viewOf(job.account),
    outcome,
    rung: 'job',
    horizonMs: Infinity,
    canHandOver: false,
    timeLeftMs: Infinity,
    allowance: Infinity,
    budgetAllows: true,
    breakerOpenMs: 0,
    onUnknown: 'retry',
    random: sessionRandom(job.sessionId, job.account.executions),
    ...circumstances,
  } as const;
  const decision = decide({ ...input, policy });
  const waits = decision.action === 'retry' || decision.action === 'park';
  const delayMs = waits ? decision.delayMs : undefined;
  const attempt: JobAttempt = {
    generation: job.account.generation,
    attempt: job.account.claims,
    startedAtMs: job.lease.sinceMs,
    durationMs: 5,
    delayBeforeMs: job.account.lastDelayMs,
    entry: decision.charge.entry,
    errorClass: outcome.kind === 'failure' ? outcome.errorClass : undefined,
    error: outcome.kind === 'failure' ? { type: 'Error', message: 'it failed' } : undefined,
    action: decision.action,
    reason: decision.reason,
    delayMs,
    worker: job.lease.worker,
    policyHash: job.lease.policyHash,
    maxAttempts: policy.maxAttempts,
    input: outcome.kind === 'success' ? undefined : input,
  };
  return {
    id: job.id,
    token: job.token,
    by: outcome.kind === 'lease_lost' ? 'expired' : 'held',
    to: stateAfter(decision),
    dueInMs: delayMs,
    cause: decision.action === 'park' ? decision.reason : undefined,
    account: settleAttempt(
      job.account,
      decision.charge.entry,
      ownWaitMs(decision),
      decision.action === 'park' || decision.charge.entry === 'blocked'
        ? attempt.startedAtMs + attempt.durationMs
        : undefined,
    ),
    retryCount: retryCountAfter(job.retryCount, decision, waits),
    errorClass: errorClassAfter(job.errorClass, outcome),
    reason: decision.reason,
    attempts: addAttempt(job.attempts, attempt),
    ...settleDetail(attempt, decision),
  };
}

function retryCountAfter(before: number, { charge }: Decision, waits: boolean): number {
  if (charge.entry === 'succeeded') return 0;
  return waits && (charge.entry === 'failed' || charge.entry === 'lease_lost')
    ? before + 1
    : before;
}

function errorClassAfter(
  before: Settlement['errorClass'],
  outcome: AttemptOutcome,
): Settlement['errorClass'] {
  if (outcome.kind === 'success') return undefined;
  if (outcome.kind === 'lease_lost') return 'retryable';
  if (outcome.kind !== 'failure' || outcome.errorClass === 'ignored') return before;
  return outcome.errorClass;
}

function stateAfter({ action, reason }: Decision): Settlement['to'] {
  if (action === 'succeed') return 'succeeded';
  if (action === 'park') return 'parked';
  if (action === 'give-up') return reason === 'cancelled' ? 'cancelled' : 'dead';
  return 'scheduled';
}
