import {
  type Classification,
  type Clock,
  type Effect,
  type ErrorClass,
  isRedriveError,
} from '@redrive/core';
import {
  type AttemptOutcome,
  classifyStored,
  judgeResult,
  type SanitisedError,
  sanitiseError,
} from '@redrive/core/stored';
import { RUNS_DEFAULT } from '../handler/runs-default.ts';
import { isVerdict, type Verdict } from '../handler/verdict.ts';
import type { LeasedJob } from '../job/job.ts';
import { lossesOf } from '../job/suspects.ts';
import { jsonLosses, lossText, objectLoss } from '../jobs/json-losses.ts';
import { measureJson, textBytes } from '../jobs/payload.ts';
import type { HeldJob } from './held-job.ts';
import { storedError } from './stored-error.ts';

/** The result of an attempt: the outcome for `decide`, and the parts that are stored. */
export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  /** `blocked` only: the cause to park under. Absent: the one that its guards name. */
  readonly cause?: string | undefined;
  /** An inner session was refused before its first attempt: the result says nothing about the dependency. */
  readonly untried?: boolean | undefined;
  readonly error?: SanitisedError | undefined;
  /** JSON. */
  readonly result?: string | undefined;
  readonly resultOmittedBytes?: number | undefined;
  /** Parts of the result that JSON has changed: `result.total is NaN`. Absent: none. */
  readonly resultLosses?: readonly string[] | undefined;
}

/** The policy's default, which accepts every value: known by identity, as core does. */
const ACCEPTS_ALL = RUNS_DEFAULT.classifyResult;

/** A returned value is a verdict, a failure by the policy's rules, or a result. */
export function resultOfValue(
  held: HeldJob,
  value: unknown,
  clock: Clock,
  maxResultBytes: number,
): AttemptResult {
  // Its time was up before: a value comes too late.
  if (held.cut === 'timeout' || held.cut === 'stalled')
    return resultOfError(held, held.cutReason, clock);
  if (value === undefined) return SUCCESS;
  if (isVerdict(value)) return resultOfVerdict(value);
  const failed = failedValue(held, value, clock);
  if (failed !== undefined) return failed;
  const { bytes: atLeast, suspect } = measureJson(value, maxResultBytes, objectLoss);
  if (atLeast > maxResultBytes) return { outcome: SUCCESS.outcome, resultOmittedBytes: atLeast };
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
    if (text === undefined) throw new TypeError(`JSON has no ${typeof value}`);
  } catch (error) {
    // The effect has happened: a result that cannot be kept, whole or at all, must not make the job run again.
    const losses = suspect ? jsonLosses(value, 'result', objectLoss) : [];
    // The first line: of a cycle, JSON draws a picture under it.
    const [message] = sanitiseError(error).message.split('\n');
    const why = losses.length > 0 ? lossText(losses) : message;
    return { outcome: SUCCESS.outcome, resultLosses: [`result is not stored: ${why}`] };
  }
  const bytes = textBytes(text, maxResultBytes);
  if (bytes > maxResultBytes) return { outcome: SUCCESS.outcome, resultOmittedBytes: bytes };
  const kept = { outcome: SUCCESS.outcome, result: text };
  const losses = suspect ? jsonLosses(value, 'result', objectLoss) : [];
  return losses.length > 0 ? { ...kept, resultLosses: losses } : kept;
}

const SUCCESS: AttemptResult = { outcome: { kind: 'success' } };

/** A thrown value. If the attempt was cut off from outside, that reason counts, and not the handler's error. */
export function resultOfError(held: HeldJob, error: unknown, clock: Clock): AttemptResult {
  switch (held.cut) {
    case 'cancel':
      return { outcome: { kind: 'failure', errorClass: 'ignored', effect: 'unknown' } };
    case 'stopping':
    case 'killed':
      return { outcome: { kind: 'interrupted' } };
    case 'lease_lost':
      return lostLease(held.job, sanitiseError(held.cutReason));
    case 'timeout':
    case 'stalled':
      return classified(held, held.cutReason, clock);
    default:
      return classified(held, error, clock);
  }
}

/** The application's code threw where it must not, and the outcome of the attempt is unknown. */
export function resultOfBroken(error: unknown, ran: boolean): AttemptResult {
  const effect = ran ? 'unknown' : 'none';
  return resultOfFailure({ errorClass: 'retryable', effect }, storedError(error));
}

/** A process that hangs or dies loses all its leases: only a job that it held alone is charged for it. */
export function lostLease({ account, lease }: LeasedJob, error: SanitisedError): AttemptResult {
  const times = lossesOf(account) + 1;
  return { outcome: { kind: 'lease_lost', times, alone: lease.alone }, error };
}

function classified(held: HeldJob, error: unknown, clock: Clock): AttemptResult {
  const context = { attempt: held.attempt, nowMs: clock.now() };
  const { meaning, blockedBy, untried } = classifyStored(error, held.version.rules, context);
  const result = resultOfFailure(meaning, storedError(error), blockedBy);
  return untried ? { ...result, untried } : result;
}

function resultOfFailure(
  { errorClass, effect, retryAfterMs }: Classification,
  error: SanitisedError | undefined,
  blockedBy?: Extract<AttemptOutcome, { readonly kind: 'failure' }>['blockedBy'],
): AttemptResult {
  // A classifier written in plain JavaScript may return anything, and databases are strict: a result that they refuse
  // would hold up all the others.
  return {
    outcome: {
      kind: 'failure',
      errorClass: CLASSES.has(errorClass) ? errorClass : 'retryable',
      effect: EFFECTS.has(effect) ? effect : 'unknown',
      retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined,
      ...(blockedBy && { blockedBy }),
    },
    error,
  };
}

const CLASSES: ReadonlySet<ErrorClass> = new Set(['final', 'retryable', 'rate_limited', 'ignored']);
const EFFECTS: ReadonlySet<Effect> = new Set(['none', 'unknown', 'applied']);

function resultOfVerdict(verdict: Verdict): AttemptResult {
  const { meaning, error } = failureOfVerdict(verdict);
  return resultOfFailure(meaning, error);
}

/** The failure that a verdict stands for. */
export function failureOfVerdict({ kind, delayMs, message, cause }: Verdict): {
  readonly meaning: Classification;
  readonly error: SanitisedError;
} {
  const error = storedError({ name: `verdict:${kind}`, message, cause });
  switch (kind) {
    case 'retry_after': {
      const meaning = {
        errorClass: 'rate_limited',
        effect: 'none',
        retryAfterMs: delayMs,
      } as const;
      return { meaning, error };
    }
    case 'final':
    case 'dead_letter':
      return { meaning: { errorClass: 'final', effect: 'none' }, error };
    case 'cancel':
      return { meaning: { errorClass: 'ignored', effect: 'none' }, error };
    default: {
      // Made by another version of this package, or by hand. The effect of the handler is unknown.
      const unknown = new TypeError(`The handler returned an unknown verdict: ${String(kind)}`);
      const meaning = { errorClass: 'final', effect: 'unknown' } as const;
      return { meaning, error: sanitiseError(unknown) };
    }
  }
}

/** A returned value that counts as a failure. */
function failedValue(held: HeldJob, value: unknown, clock: Clock): AttemptResult | undefined {
  const { policy } = held.version;
  if (policy.classifyResult === ACCEPTS_ALL) return undefined;
  const failure = judgeResult(policy, value, { attempt: held.attempt, nowMs: clock.now() });
  if (failure === undefined) return undefined;
  if (isRedriveError(failure)) {
    // The handler has done its work, and the next answer would be wrong too.
    return resultOfFailure({ errorClass: 'final', effect: 'unknown' }, sanitiseError(failure));
  }
  discard(failure);
  const { errorClass, effect = 'unknown', retryAfterMs } = failure;
  return resultOfFailure({ errorClass, effect, retryAfterMs }, undefined);
}

/** A failed attempt keeps no value, so its resources are released at once. */
function discard(failure: { readonly discard?: (() => void) | undefined }): void {
  try {
    failure.discard?.();
  } catch {
    // Its resources stay in use; the attempt has failed all the same.
  }
}
