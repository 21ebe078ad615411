import type { Decision, DecisionInput, RetryRecord } from '@redrive/core';
import { DECIDE_VERSION } from '@redrive/core/stored';
import type { JobAttempt } from '../job/attempt-log.ts';
import type { RecordDetail } from './record-detail.ts';

/** The input of `decide` without the policy, which is recorded by its hash. */
export type RecordedInput = Omit<DecisionInput, 'policy'>;

/**
 * `settle` and `lease_lost`: the attempt, the input of `decide` and its answer, so that the answer can be derived again
 * from the record alone. A success needs no input, because `decide` looks at nothing else then.
 *
 * @param by the actor. Default: the worker that had the attempt; the rescue of expired leases names itself.
 * @param cause of a job that is parked: its row forgets it when the wait is over.
 */
export function settleDetail(
  attempt: JobAttempt,
  decision: Decision,
  by = attempt.worker,
  cause?: string,
): RecordDetail {
  const { worker, policyHash, error } = attempt;
  const { action, reason, charge } = decision;
  const input = attempt.input && writableInput(attempt.input);
  // Jobs that fail together differ in these fields alone.
  const own = Object.entries({
    attempt: attempt.attempt,
    startedAtMs: attempt.startedAtMs,
    durationMs: attempt.durationMs,
    delayBeforeMs: attempt.delayBeforeMs,
    delayMs: decision.delayMs,
    'input.account.charged': input?.account.charged,
    'input.account.freeWaits': input?.account.freeWaits,
    'input.account.freeWaitMs': input?.account.freeWaitMs,
    'input.account.lastDelayMs': input?.account.lastDelayMs,
    'input.timeLeftMs': input?.timeLeftMs,
    'input.unchargedForMs': input?.unchargedForMs,
    'input.random': input?.random,
  }).filter(([, value]) => value !== undefined);
  const detail = JSON.stringify({
    by,
    worker: worker === by ? undefined : worker,
    attempt: 0,
    startedAtMs: 0,
    durationMs: 0,
    delayBeforeMs: 0,
    error: error && { type: error.type, message: error.message },
    action,
    reason,
    entry: charge.entry,
    cause,
    delayMs: zeroOf(decision.delayMs),
    policy: policyHash,
    decide: DECIDE_VERSION,
    input: input && { ...input, ...NO_NUMBERS, unchargedForMs: zeroOf(input.unchargedForMs) },
    own: own.map(([name]) => name),
  });
  return { detail, own: JSON.stringify(own.map(([, value]) => value)) };
}

const NO_NUMBERS = {
  account: { charged: 0, freeWaits: 0, freeWaitMs: 0, lastDelayMs: 0 },
  timeLeftMs: 0,
  random: 0,
};

/** The place of a number in the shared detail, if there is one. */
function zeroOf(number: number | undefined): 0 | undefined {
  return number === undefined ? undefined : 0;
}

/**
 * The input without a hint that is `NaN`, which a user's classifier may return. JSON writes `NaN` as `null`, like
 * `Infinity`, and the record would be read back with an infinite hint.
 */
export function writableInput(input: RecordedInput): RecordedInput {
  const { outcome } = input;
  if (outcome.kind !== 'failure' || Number(outcome.retryAfterMs ?? 0) >= 0) return input;
  const { retryAfterMs: _none, ...rest } = outcome;
  return { ...input, outcome: rest };
}

/** `session`: a record of a session in process, so that its decisions can be derived again like those of jobs. */
export function sessionDetail(record: RetryRecord): string {
  return JSON.stringify(
    record.kind === 'attempt_ended' ? { ...record, input: writableInput(record.input) } : record,
  );
}
