import type { AttemptEnded, Decision, RetryRecord } from '@redrive/core';
import { type SessionV1, toSessionV1 } from '@redrive/core/records';
import { DECIDE_VERSION, type Rung, type SessionFacts } from '@redrive/core/stored';
import type { JobAttempt } from '../job/attempt-log.ts';
import { isFinal, type Job, rungOf } from '../job/job.ts';
import { sessionFacts } from './session-facts.ts';

export interface RecordsOptions {
  /**
   * The id of the policy with this hash: the store knows it (`store.policy`). Default: the id that is kept with the
   * attempt, which only attempts from before it was kept do not have; then the one that the job names, or the hash.
   */
  readonly policyId?: ((hash: string) => string | undefined) | undefined;
  /** Default: the first part of the handler's name. */
  readonly subsystem?: string | undefined;
}

/**
 * The records of a job's session, in order, in the form of an in-process call: start and end of every kept attempt, and
 * the end of the session once the job is finished. For `toSessionV1`, `toAttemptV1`, `toEventV1` and
 * `toAuditV1` of '@redrive/core/records'.
 *
 * The operation is the handler's name. Attempts are numbered within their rung and generation, which is in the context,
 * as are subsystem and queue; `attemptsBefore` counts those of earlier rungs. `job.attempts.omitted` attempts are missing, between the first and the second: the audit log has
 * them all.
 */
export function recordsOf(job: Job, options: RecordsOptions = {}): RetryRecord[] {
  const { kept } = job.attempts;
  const records = kept.flatMap((attempt, index): RetryRecord[] => {
    if (attempt.startedAtMs === 0) return [];
    const session = factsAt(job, attempt, options);
    const before = kept[index - 1];
    // Behind the first attempt there may be a gap: then the error of the attempt before is not known.
    const isNext = index > 1 || job.attempts.omitted === 0;
    return [
      attemptStarted(session, attempt, isNext ? before : undefined),
      attemptEnded(session, attempt, rungOf(job)),
    ];
  });
  const ended = sessionEnded(job, options);
  return ended === undefined ? records : [...records, ended];
}

/** The facts that all records of one attempt's policy version share. */
function factsAt(
  job: Job,
  at: Pick<JobAttempt, 'policyId' | 'policyHash' | 'maxAttempts' | 'generation'>,
  { policyId, subsystem }: RecordsOptions,
): SessionFacts {
  const { policyHash: hash, maxAttempts, generation } = at;
  const id = policyId?.(hash) ?? at.policyId ?? job.policyId ?? hash;
  return sessionFacts(job, { id, hash, maxAttempts }, { generation, subsystem });
}

function attemptStarted(
  session: SessionFacts,
  { startedAtMs, attempt, delayBeforeMs }: JobAttempt,
  before: JobAttempt | undefined,
): RetryRecord {
  return {
    kind: 'attempt_started',
    atMs: startedAtMs,
    session,
    attempt,
    delayMs: delayBeforeMs,
    lastError: before?.error,
  };
}

function attemptEnded(session: SessionFacts, attempt: JobAttempt, rung: Rung): AttemptEnded {
  const { startedAtMs, durationMs, delayBeforeMs, action, error } = attempt;
  return {
    kind: 'attempt_ended',
    atMs: startedAtMs + durationMs,
    session,
    attempt: attempt.attempt,
    attemptsBefore: attempt.attemptsBefore,
    startedAtMs,
    durationMs,
    delayBeforeMs,
    success: action === 'succeed',
    error,
    decision: decisionOf(attempt),
    input: attempt.input ?? inputOf(attempt, rung),
    decideVersion: attempt.decideVersion ?? DECIDE_VERSION,
  };
}

function decisionOf({ action, reason, delayMs, entry }: JobAttempt): Decision {
  // A token of the budget is taken for a retry after a failure, and for nothing else.
  const charge = { entry, budget: action === 'retry' && entry === 'failed' };
  if (action === 'succeed') return { action, reason: 'succeeded', delayMs: 0, charge };
  const wait = delayMs === undefined ? {} : { delayMs };
  return { action, reason, ...wait, charge } as Decision; // The parts of a decision, as they were kept.
}

/** `decide` looks at nothing else of a success, and so nothing else of it is kept. */
export function successInput(rung: Rung): AttemptEnded['input'] {
  return rung === 'job' ? SUCCESS_INPUT : { ...SUCCESS_INPUT, rung };
}

const SUCCESS_INPUT: AttemptEnded['input'] = {
  account: { charged: 1, freeWaits: 0, freeWaitMs: 0, lastDelayMs: 0 },
  outcome: { kind: 'success' },
  rung: 'job',
  horizonMs: Infinity,
  canHandOver: false,
  timeLeftMs: Infinity,
  allowance: Infinity,
  budgetAllows: true,
  breakerOpenMs: 0,
  onUnknown: 'retry',
  random: 0,
};

/** Of a success, or of an attempt on an earlier rung, which are kept without their input. */
function inputOf(kept: JobAttempt, jobRung: Rung): AttemptEnded['input'] {
  const { attempt, delayBeforeMs, errorClass, action, rung = jobRung } = kept;
  if (action === 'succeed') return successInput(rung);
  return {
    ...SUCCESS_INPUT,
    rung,
    account: { ...SUCCESS_INPUT.account, charged: attempt, lastDelayMs: delayBeforeMs },
    outcome: { kind: 'failure', errorClass: errorClass ?? 'retryable', effect: 'unknown' },
  };
}

/** A job that was given up before its first attempt, or cancelled, has an end too. */
function sessionEnded(job: Job, options: RecordsOptions): RetryRecord | undefined {
  const { state, purgedFrom, attempts, finishedAtMs, reason, account } = job;
  if (!isFinal(state) || finishedAtMs === undefined || reason === undefined) return undefined;
  const last = attempts.kept.at(-1);
  const nothingRan = {
    policyId: job.policyId,
    policyHash: '',
    maxAttempts: 1,
    generation: account.generation,
  };
  const success = (purgedFrom ?? state) === 'succeeded';
  return {
    kind: 'session_ended',
    atMs: finishedAtMs,
    session: factsAt(job, last ?? nothingRan, options),
    // That of the call, where it was handed over.
    startedAtMs: Math.min(job.submittedAtMs, attempts.kept[0]?.startedAtMs || Infinity),
    totalAttempts: account.executions,
    success,
    reason,
    error: success ? undefined : last?.error,
  };
}

/**
 * A job's session as a document, `session/v1`. `undefined` before the first attempt has ended, because the shape needs at
 * least one attempt. The result is left out, because it is the user's data.
 */
export function sessionDocument(job: Job, options: RecordsOptions = {}): SessionV1 | undefined {
  return toSessionV1(recordsOf(job, options), { omittedAttempts: job.attempts.omitted });
}
