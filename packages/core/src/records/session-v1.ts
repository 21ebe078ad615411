import type { ReasonCode, Rung } from '../decide/decision.ts';
import type { AttemptEnded, RetryRecord, SessionEnded } from './record.ts';
import { type ErrorV1, errorV1, isoTime, seconds } from './render-parts.ts';

/** A retry attempt, in the shape `attempt/v1`. */
export interface AttemptV1 {
  /** Over all rungs of the session. */
  readonly attempt_number: number;
  readonly timestamp: string;
  /** Seconds waited before this attempt. */
  readonly delay: number;
  readonly error?: ErrorV1;
  readonly success: boolean;
  readonly duration: number;
  readonly context?: Readonly<Record<string, unknown>>;
  /** Redrive's own additions to the shape. Inside the document of a session with several rungs: the rung only. */
  readonly redrive?:
    | {
        readonly schema_version: 'attempt/v1';
        readonly session_id: string;
        readonly reason_code: ReasonCode;
      }
    | { readonly rung: Rung };
}

/** A retry session, in the shape `session/v1`, with its derived fields. */
export interface SessionV1 {
  readonly session_id: string;
  readonly policy_id: string;
  readonly operation: string;
  readonly start_time: string;
  /** Absent while the session runs. */
  readonly end_time?: string;
  readonly attempts: readonly AttemptV1[];
  /** Only where the caller asked for it: results are the caller's data. */
  readonly final_result?: unknown;
  readonly final_error?: ErrorV1;
  /** `false` while the session runs. */
  readonly success: boolean;
  readonly context?: Readonly<Record<string, unknown>>;
  /** Length of `attempts`. */
  readonly total_attempts: number;
  readonly total_duration: number;
  readonly retry_count: number;
  readonly redrive: SessionAddition;
}

/** Redrive's own additions to the shape of a session. */
export interface SessionAddition {
  readonly schema_version: 'session/v1';
  readonly policy_hash: string;
  /** Absent while the session runs. */
  readonly reason_code?: ReasonCode;
  /** Attempts that are not in `attempts` because there were too many. */
  readonly omitted_attempts: number;
}

/** A session as far as it is known. */
export interface SessionDraft {
  readonly attempts: [AttemptEnded, ...AttemptEnded[]];
  omitted: number;
  ended: SessionEnded | undefined;
}

/** One attempt in the shape `attempt/v1`. */
export function toAttemptV1(record: AttemptEnded): AttemptV1 {
  const { sessionId, context } = record.session;
  return {
    ...attemptV1(record),
    ...(context && { context }),
    redrive: {
      schema_version: 'attempt/v1',
      session_id: sessionId,
      reason_code: record.decision.reason,
    },
  };
}

/**
 * One session in the shape `session/v1`, from its records in their order; other kinds of records are passed over. The
 * session's context stands at the session, not at each attempt. `undefined` where no attempt has ended: the shape wants
 * at least one.
 *
 * @param options `finalResult` is put into the document if it is given. `omittedAttempts` is how many are known to be
 * missing among the records; default 0.
 */
export function toSessionV1(
  records: readonly RetryRecord[],
  options: { readonly finalResult?: unknown; readonly omittedAttempts?: number } = {},
): SessionV1 | undefined {
  const [first, ...others] = records.filter((record) => record.kind === 'attempt_ended');
  if (first === undefined) return undefined;
  const ended = records.findLast((record) => record.kind === 'session_ended');
  const omitted = options.omittedAttempts ?? 0;
  return renderSession({ attempts: [first, ...others], omitted, ended }, options);
}

export function renderSession(
  { attempts, omitted, ended }: SessionDraft,
  options: { readonly finalResult?: unknown } = {},
): SessionV1 {
  const [first] = attempts;
  const { session } = first;
  const startMs = ended?.startedAtMs ?? first.startedAtMs;
  return {
    session_id: session.sessionId,
    policy_id: session.policyId,
    operation: session.operation,
    start_time: isoTime(startMs),
    ...(ended && { end_time: isoTime(ended.atMs) }),
    attempts: attempts.map(hasClimbed(attempts) ? withRung : attemptV1),
    ...('finalResult' in options && { final_result: options.finalResult }),
    ...(ended?.error && { final_error: errorV1(ended.error) }),
    success: ended?.success ?? false,
    ...(session.context && { context: session.context }),
    total_attempts: attempts.length,
    // The wall clock may have been set back meanwhile.
    total_duration: seconds(
      Math.max(0, (ended ?? attempts.reduce((_, last) => last)).atMs - startMs),
    ),
    retry_count: attempts.length - 1,
    redrive: {
      schema_version: 'session/v1',
      policy_hash: session.policyHash,
      ...(ended && { reason_code: ended.reason }),
      omitted_attempts: omitted,
    },
  };
}

function hasClimbed([first, ...others]: SessionDraft['attempts']): boolean {
  return others.some(({ input }) => input.rung !== first.input.rung);
}

function withRung(record: AttemptEnded): AttemptV1 {
  return { ...attemptV1(record), redrive: { rung: record.input.rung } };
}

function attemptV1(record: AttemptEnded): AttemptV1 {
  return {
    attempt_number: (record.attemptsBefore ?? 0) + record.attempt,
    timestamp: isoTime(record.startedAtMs),
    delay: seconds(record.delayBeforeMs),
    ...(record.error && { error: errorV1(record.error) }),
    success: record.success,
    duration: seconds(record.durationMs),
  };
}
