import type { Decision, DecisionInput, ErrorClass, ReasonCode } from '@redrive/core';
import type { AttemptAccount, AttemptEntry, Rung, SanitisedError } from '@redrive/core/stored';

/** One finished attempt, as it is stored with the job. Its numbers are those of the decision's record. */
export interface JobAttempt {
  readonly generation: number;
  /** Number of the claim within its generation, or of the attempt on an earlier rung, from 1. */
  readonly attempt: number;
  /** Where on the ladder it ran. Absent: as a job. */
  readonly rung?: Rung | undefined;
  /** Attempts that its session made on earlier rungs: added to `attempt`, it is numbered through. Absent: none. */
  readonly attemptsBefore?: number | undefined;
  /** The store's time. 0: it did not start, because its worker gave the job back. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** The wait before this attempt. */
  readonly delayBeforeMs: number;
  readonly entry: AttemptEntry;
  readonly errorClass?: ErrorClass | undefined;
  readonly error?: SanitisedError | undefined;
  readonly action: Decision['action'];
  readonly reason: ReasonCode;
  /** The wait that follows; absent where none does. */
  readonly delayMs?: number | undefined;
  readonly worker: string;
  /** Names the policy. Absent in attempts from before it was kept. */
  readonly policyId?: string | undefined;
  /** Version of the policy. */
  readonly policyHash: string;
  readonly maxAttempts: number;
  /** The input of `decide` without the policy, whose hash stands above. Absent for a success, which needs none. */
  readonly input?: Omit<DecisionInput, 'policy'> | undefined;
  /** Version of `decide` that answered. Absent: 1, or a success, which is the same in every version. */
  readonly decideVersion?: number | undefined;
  /** Jobs that were stored with it: their number, and ids of the first ones. Absent: none. */
  readonly enqueued?: { readonly count: number; readonly ids: readonly string[] } | undefined;
}

/** Ids of jobs that an attempt keeps. */
export const MAX_KEPT_ENQUEUED = 20;

/** The number of an attempt over all rungs of its session, from 1 in each generation. */
export function numberedThrough({
  attempt,
  attemptsBefore = 0,
}: Pick<JobAttempt, 'attempt' | 'attemptsBefore'>): number {
  return attemptsBefore + attempt;
}

/** The attempts of a job that are kept with it: the first one and the newest. The audit log has all. */
export interface AttemptLog {
  readonly kept: readonly JobAttempt[];
  readonly omitted: number;
}

export const MAX_KEPT_ATTEMPTS = 25;

export const NO_ATTEMPTS: AttemptLog = Object.freeze({ kept: Object.freeze([]), omitted: 0 });

/**
 * The log with one more attempt. Past the limit the oldest but the first goes: the first shows when the trouble began.
 */
export function addAttempt(log: AttemptLog, attempt: JobAttempt): AttemptLog {
  const kept = [...log.kept, attempt];
  if (kept.length <= MAX_KEPT_ATTEMPTS) return { kept, omitted: log.omitted };
  kept.splice(1, 1);
  return { kept, omitted: log.omitted + 1 };
}

/** A log with one more attempt, made when somebody reads it: most stores append the attempt to the text that they have. */
export class LongerLog implements AttemptLog {
  readonly #log: AttemptLog;
  readonly #attempt: JobAttempt;
  #made: AttemptLog | undefined;

  constructor(log: AttemptLog, attempt: JobAttempt) {
    this.#log = log;
    this.#attempt = attempt;
  }

  get kept(): AttemptLog['kept'] {
    return this.#read().kept;
  }

  get omitted(): number {
    return this.#read().omitted;
  }

  #read(): AttemptLog {
    this.#made ??= addAttempt(this.#log, this.#attempt);
    return this.#made;
  }
}

/** Attempts of earlier rungs. They belong to the first generation: a requeue sends back the job, and not the call. */
export function attemptsBefore({ generation, executions, claims }: AttemptAccount): number {
  return generation === 1 ? executions - claims : 0;
}

/** How long a job was parked that starts its attempt now. Absent: it was not parked since the attempt before. */
export function parkedBeforeMs(
  { account, attempts }: { readonly account: AttemptAccount; readonly attempts: AttemptLog },
  nowMs: number,
): number | undefined {
  const before = attempts.kept.at(-1);
  if (before?.action !== 'park' || before.generation !== account.generation) return undefined;
  return Math.max(0, nowMs - before.startedAtMs - before.durationMs);
}

/** The wait before the attempt that is claimed now. The first one on a rung waited for the delay that made it climb. */
export function delayBeforeMs({
  account,
  attempts,
}: {
  readonly account: AttemptAccount;
  readonly attempts: AttemptLog;
}): number {
  const hasClimbed = account.claims === 1 && attemptsBefore(account) > 0;
  return (hasClimbed ? attempts.kept.at(-1)?.delayMs : undefined) ?? account.lastDelayMs;
}
