import type { Decision, ErrorClass } from '@redrive/core';
import { type AttemptEntry, DECIDE_VERSION, settleAttempt } from '@redrive/core/stored';
import { settleDetail } from '../audit/decision-detail.ts';
import { ownWaitMs } from '../control/rules/own-wait.ts';
import { deadGroupOf } from '../dead-letter/fingerprint.ts';
import {
  type AttemptLog,
  addAttempt,
  attemptsBefore,
  delayBeforeMs,
  type JobAttempt,
} from '../job/attempt-log.ts';
import type { LeasedJob } from '../job/job.ts';
import type { SettledState, Settlement } from '../job/settlement.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { Decided } from './decide-next-step.ts';
import type { JobGuards } from './guards.ts';

/** When and where the attempt ran, and by which version of its policy. */
export interface AttemptFacts {
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly worker: string;
  readonly policyId: string;
  readonly policyHash: string;
  readonly maxAttempts: number;
  /** The writer. */
  readonly by: string;
}

/** The command for the store: the state that follows from the decision, and all that is kept of the attempt. */
export function settlementOf(
  job: LeasedJob,
  by: Settlement['by'],
  end: AttemptResult,
  decided: Decided,
  guards: JobGuards,
  facts: AttemptFacts,
): Settlement {
  const { decision } = decided;
  const { entry } = decision.charge;
  const waits = decision.action === 'retry' || decision.action === 'park';
  const delayMs = waits ? decision.delayMs : undefined;
  const attempt = attemptOf(job, end, decided, delayMs, facts);
  const to = stateAfter(decision);
  const cause =
    decision.action === 'park' ? (end.cause ?? causeOf(job, end, decided, guards)) : undefined;
  let attempts: AttemptLog | undefined;
  const allAttempts = (): AttemptLog => {
    attempts ??= addAttempt(job.attempts, attempt);
    return attempts;
  };
  return {
    id: job.id,
    token: job.token,
    by,
    to,
    dueInMs: delayMs,
    cause,
    account: settleAttempt(
      job.account,
      entry,
      ownWaitMs(decision),
      decision.action === 'park' || entry === 'blocked'
        ? Math.ceil(facts.startedAtMs + facts.durationMs)
        : undefined,
    ),
    retryCount: retryCountAfter(job.retryCount, entry, waits),
    errorClass: errorClassAfter(job.errorClass, end),
    reason: decision.reason,
    // Made on demand: see `added`.
    get attempts() {
      return allAttempts();
    },
    added: { to: job.attempts, attempt },
    group: to === 'dead' ? deadGroupOf(allAttempts().kept, decision.reason) : undefined,
    result: end.result,
    resultOmittedBytes: end.resultOmittedBytes,
    ...(decision.action === 'succeed'
      ? { detail: successDetail(facts.by, facts.policyHash) }
      : settleDetail(attempt, decision, facts.by, cause)),
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

function causeOf(
  { handler }: LeasedJob,
  { outcome }: AttemptResult,
  { decision }: Decided,
  guards: JobGuards,
): string {
  if (outcome.kind === 'failure' && outcome.blockedBy && decision.charge.entry === 'blocked') {
    // The breaker or budget is inside the handler and cannot be seen here: only its time ends the wait.
    const kind = decision.reason === 'breaker_open' ? 'local-breaker' : 'budget';
    return `${kind}:${guards.dependency || handler}`;
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
  job: LeasedJob,
  { outcome, error }: AttemptResult,
  { decision, input }: Decided,
  delayMs: number | undefined,
  facts: AttemptFacts,
): JobAttempt {
  const { generation, claims } = job.account;
  return {
    generation,
    attempt: claims,
    attemptsBefore: attemptsBefore(job.account) || undefined,
    startedAtMs: facts.startedAtMs,
    durationMs: facts.durationMs,
    delayBeforeMs: delayBeforeMs(job),
    entry: decision.charge.entry,
    errorClass: outcome.kind === 'failure' ? outcome.errorClass : undefined,
    error,
    action: decision.action,
    reason: decision.reason,
    delayMs,
    worker: facts.worker,
    policyId: facts.policyId,
    policyHash: facts.policyHash,
    maxAttempts: facts.maxAttempts,
    input,
    decideVersion: input && DECIDE_VERSION,
  };
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
