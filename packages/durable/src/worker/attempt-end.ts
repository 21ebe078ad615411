import type {
  AttemptOutcome,
  Classification,
  Clock,
  Effect,
  ErrorClass,
  InnerBlock,
  ResultAnswer,
  SanitisedError,
} from '@redrive/core';
import { classifyStored } from '@redrive/core/control';
import { sanitiseError } from '@redrive/core/records';
import { RUNS_DEFAULT } from '../handler/runs-default.ts';
import { isVerdict, type Verdict } from '../handler/verdict.ts';
import type { LeasedJob } from '../job/job.ts';
import { lossesOf } from '../job/suspects.ts';
import { jsonLosses, lossText } from '../jobs/json-losses.ts';
import { measureJson } from '../jobs/measure-json.ts';
import { textBytes } from '../jobs/payload.ts';
import type { HeldJob } from './held-job.ts';

/** What came of an attempt: what `decide` needs to know of it, and what is kept. */
export interface AttemptEnd {
  readonly outcome: AttemptOutcome;
  /** `blocked` only: what the job is parked under. Absent: what its guards say. */
  readonly cause?: string | undefined;
  /** An inner session was refused before its first attempt: the end says nothing about the dependency. */
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

/** What a returned value means: a verdict, a failure by the policy's rules, or a result. */
export function endOfValue(
  held: HeldJob,
  value: unknown,
  clock: Clock,
  maxResultBytes: number,
): AttemptEnd {
  // Its time was up before: what it does afterwards comes too late.
  if (held.cut === 'timeout') return endOfError(held, held.cutReason, clock);
  if (value === undefined) return SUCCESS;
  if (isVerdict(value)) return endOfVerdict(value);
  const failure = failureOf(held, value, clock);
  if (failure !== undefined) return endOfFailure(failure, undefined);
  const { bytes: atLeast, suspect } = measureJson(value, maxResultBytes);
  if (atLeast > maxResultBytes) return { outcome: SUCCESS.outcome, resultOmittedBytes: atLeast };
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
    if (text === undefined) throw new TypeError(`JSON has no ${typeof value}`);
  } catch (error) {
    // The effect has happened: a result that cannot be kept, whole or at all, must not make the job run again.
    const losses = suspect ? jsonLosses(value, 'result') : [];
    // The first line: of a cycle, JSON draws a picture under it.
    const [message] = sanitiseError(error).message.split('\n');
    const why = losses.length > 0 ? lossText(losses) : message;
    return { outcome: SUCCESS.outcome, resultLosses: [`result is not stored: ${why}`] };
  }
  const bytes = textBytes(text, maxResultBytes);
  if (bytes > maxResultBytes) return { outcome: SUCCESS.outcome, resultOmittedBytes: bytes };
  const kept = { outcome: SUCCESS.outcome, result: text };
  const losses = suspect ? jsonLosses(value, 'result') : [];
  return losses.length > 0 ? { ...kept, resultLosses: losses } : kept;
}

const SUCCESS: AttemptEnd = { outcome: { kind: 'success' } };

/** What a thrown value means. What ended the attempt from outside counts for more than what the handler made of it. */
export function endOfError(held: HeldJob, error: unknown, clock: Clock): AttemptEnd {
  switch (held.cut) {
    case 'cancel':
      return { outcome: { kind: 'failure', errorClass: 'ignored', effect: 'unknown' } };
    case 'stopping':
    case 'killed':
      return { outcome: { kind: 'interrupted' } };
    case 'lease_lost':
      return lostLease(held.job, sanitiseError(held.cutReason));
    case 'timeout':
      return classified(held, held.cutReason, clock);
    default:
      return classified(held, error, clock);
  }
}

/** Code of the application threw where it must not, and nobody can tell any more what came of the attempt. */
export function endOfBroken(error: unknown, ran: boolean): AttemptEnd {
  const effect = ran ? 'unknown' : 'none';
  return endOfFailure({ errorClass: 'retryable', effect }, sanitiseError(error));
}

/** A process that stands still or ends loses all its leases: only one that it held alone says something about its job. */
export function lostLease({ account, lease }: LeasedJob, error: SanitisedError): AttemptEnd {
  const times = lossesOf(account) + 1;
  return { outcome: { kind: 'lease_lost', times, alone: lease.alone }, error };
}

function classified(held: HeldJob, error: unknown, clock: Clock): AttemptEnd {
  const context = { attempt: held.attempt, nowMs: clock.now() };
  const { meaning, blockedBy, untried } = classifyStored(error, held.version.rules, context);
  const end = endOfFailure(meaning, sanitiseError(error), blockedBy);
  return untried ? { ...end, untried } : end;
}

function endOfFailure(
  { errorClass, effect, retryAfterMs }: Classification,
  error: SanitisedError | undefined,
  blockedBy?: InnerBlock,
): AttemptEnd {
  // A classifier written in plain JavaScript may answer anything, and databases are strict: an end that they do not take
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

function endOfVerdict({ kind, delayMs, message }: Verdict): AttemptEnd {
  const error = sanitiseError({ name: `verdict:${kind}`, message });
  switch (kind) {
    case 'retry_after':
      return endOfFailure(
        { errorClass: 'rate_limited', effect: 'none', retryAfterMs: delayMs },
        error,
      );
    case 'final':
    case 'dead_letter':
      return endOfFailure({ errorClass: 'final', effect: 'none' }, error);
    case 'cancel':
      return endOfFailure({ errorClass: 'ignored', effect: 'none' }, error);
    default: {
      // Made by another version of this package, or by hand. What the handler has done meanwhile, nobody knows.
      const unknown = new TypeError(
        `The handler answered with an unknown verdict: ${String(kind)}`,
      );
      return endOfFailure({ errorClass: 'final', effect: 'unknown' }, sanitiseError(unknown));
    }
  }
}

function failureOf(held: HeldJob, value: unknown, clock: Clock): Classification | undefined {
  const { classifyResult } = held.version.policy;
  if (classifyResult === ACCEPTS_ALL) return undefined;
  try {
    const failure = classifyResult(value, { attempt: held.attempt, nowMs: clock.now() });
    // Plain JavaScript may answer anything.
    if (!failure?.errorClass) return undefined;
    discard(failure);
    const { errorClass, effect = 'unknown', retryAfterMs } = failure;
    return { errorClass, effect, retryAfterMs };
  } catch {
    // Who cannot judge a value has nothing against it.
    return undefined;
  }
}

/** A failed attempt keeps no value, so what the value holds is freed at once. */
function discard(failure: ResultAnswer): void {
  try {
    failure.discard?.();
  } catch {
    // What it holds stays held; the attempt has failed all the same.
  }
}
