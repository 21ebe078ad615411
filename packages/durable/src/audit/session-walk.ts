import type { AttemptEnded, Decision, ReasonCode, RetryRecord } from '@redrive/core';
import { DECIDE_VERSION, type SanitisedError, type SessionFacts } from '@redrive/core/stored';
import { successInput } from '../documents/records-of.ts';
import { type FactsSpec, sessionFacts } from '../documents/session-facts.ts';
import { type Job, type JobOrigin, rungOf } from '../job/job.ts';
import type { StoredPolicy } from '../store/store.ts';
import type { AuditRecord } from './audit-block.ts';
import { isObject, numberOf, textOf } from './record-detail.ts';

/** A job's session as it was after one of its records. */
export interface JobSession {
  /** Starts and ends of its attempts, and its end. */
  readonly records: readonly RetryRecord[];
  /** Those that the last record of the log stands for. */
  readonly last: readonly RetryRecord[];
  /** Attempts that are not in `records`. */
  readonly omitted: number;
}

export interface WalkInput {
  /** The job's records, the oldest first. */
  readonly trail: readonly AuditRecord[];
  /** Whether the trail begins with the job's first record. */
  readonly complete: boolean;
  /** As it is stored now. Absent: retention has deleted it. */
  readonly job: Job | undefined;
  /** Its attempts on earlier rungs, as far as they are known. */
  readonly earlier: readonly AttemptEnded[];
  readonly policies: ReadonlyMap<string, StoredPolicy | undefined>;
}

const UNKNOWN = 'unknown';

/** Reads the records of a session, as a worker emits them, out of the job's records in the audit log. Pure. */
export function walkSession(input: WalkInput): JobSession {
  const walk = new SessionWalk(input);
  let last: readonly RetryRecord[] = [];
  for (const record of input.trail) last = walk.take(record);
  return { records: walk.records, last, omitted: walk.omitted };
}

class SessionWalk {
  readonly records: RetryRecord[];
  readonly #input: WalkInput;
  readonly #spec: FactsSpec;
  /** Attempts on earlier rungs: those of an event are on the rung of its job, which numbers on from them. */
  readonly #climbed: number;
  #startedAtMs: number;
  /** Executions before this generation. */
  #before: number;
  #claimedAtMs = 0;
  /** The wait before the next attempt of this generation. */
  #waitMs = 0;
  #lastError: SanitisedError | undefined;
  #executions = 0;
  #seen = 0;

  constructor(input: WalkInput) {
    const { trail, complete, job, earlier } = input;
    const [first] = trail;
    this.#input = input;
    this.#spec = specOf(first, job);
    const isEvent = this.#spec.origin?.rung === 'event';
    this.#climbed = complete && !isEvent ? (first?.executions ?? 0) : 0;
    this.#before = this.#climbed;
    this.records = [...earlier];
    this.#startedAtMs = Math.min(
      job?.submittedAtMs ?? Infinity,
      first?.atMs ?? Infinity,
      earlier[0]?.startedAtMs ?? Infinity,
    );
  }

  get omitted(): number {
    return Math.max(0, this.#executions - this.#seen - this.#input.earlier.length);
  }

  /** The records that a record of the log stands for. */
  take(record: AuditRecord): readonly RetryRecord[] {
    const { event, to, atMs, generation, executions, detail } = record;
    this.#executions = executions;
    if (event === 'claim') this.#claimedAtMs = atMs;
    if (event === 'requeue' || event === 'reset') {
      this.#before = executions;
      this.#waitMs = 0;
      this.#lastError = undefined;
      // A session that was sent back has not ended.
      const at = this.records.findIndex(({ kind }) => kind === 'session_ended');
      if (at >= 0) this.records.splice(at, 1);
    }
    const session = this.#facts(textOf(detail.policy) ?? '', generation);
    const isAttempt = event === 'settle' || event === 'lease_lost';
    const own = [
      ...(isAttempt ? this.#attempt(record, session) : []),
      ...(to === null ? [] : this.#end(record, session)),
    ];
    this.records.push(...own);
    return own;
  }

  #attempt(record: AuditRecord, session: SessionFacts): RetryRecord[] {
    const { to, atMs, generation, executions, detail } = record;
    const success = to === 'succeeded';
    // The record of a success has nothing but its end; the job keeps the rest for as long as it is stored.
    const kept = success ? this.#keptSuccess(generation) : undefined;
    const startedAtMs = kept?.startedAtMs ?? numberOf(detail.startedAtMs) ?? this.#claimedAtMs;
    const durationMs = kept?.durationMs ?? numberOf(detail.durationMs) ?? atMs - startedAtMs;
    const attempt = kept?.attempt ?? numberOf(detail.attempt) ?? executions - this.#before;
    const delayMs = kept?.delayBeforeMs ?? numberOf(detail.delayBeforeMs) ?? this.#waitMs;
    const decision = decisionIn(detail);
    const input = (detail.input ?? successInput(rungOf(this.#spec))) as AttemptEnded['input'];
    if (decision.action === 'retry') this.#waitMs = numberOf(detail.delayMs) ?? 0;
    this.#seen += 1;
    if (!success && (!RAN.has(input.outcome.kind) || startedAtMs === 0)) return [];
    const error = isObject(detail.error) ? (detail.error as unknown as SanitisedError) : undefined;
    const lastError = this.#lastError;
    this.#lastError = error;
    this.#startedAtMs = Math.min(this.#startedAtMs, startedAtMs);
    return [
      { kind: 'attempt_started', atMs: startedAtMs, session, attempt, delayMs, lastError },
      {
        kind: 'attempt_ended',
        atMs,
        session,
        attempt,
        attemptsBefore: (generation === 1 && this.#climbed) || undefined,
        startedAtMs,
        durationMs: Math.max(0, durationMs),
        delayBeforeMs: delayMs,
        success,
        error,
        decision,
        input,
        decideVersion: numberOf(detail.decide) ?? DECIDE_VERSION,
      },
    ];
  }

  #keptSuccess(generation: number) {
    return this.#input.job?.attempts.kept.findLast(
      (each) => each.generation === generation && each.action === 'succeed',
    );
  }

  #end(record: AuditRecord, session: SessionFacts): RetryRecord[] {
    const { event, to, atMs, executions, detail } = record;
    const success = to === 'succeeded';
    const reason = reasonOfEnd(record);
    if (reason === undefined) return [];
    const [startedAtMs, totalAttempts] = [this.#startedAtMs, executions];
    const { job } = this.#input;
    const before = event === 'enqueue' ? job?.attempts.kept.at(-1)?.error : this.#lastError;
    const own = isObject(detail.error) ? (detail.error as unknown as SanitisedError) : before;
    const error = success ? undefined : own;
    const base = { atMs, session, startedAtMs, totalAttempts, success, reason, error };
    return [{ kind: 'session_ended', ...base }];
  }

  #facts(hash: string, generation: number): SessionFacts {
    const { job, policies } = this.#input;
    const stored = policies.get(hash);
    const kept = job?.attempts.kept.findLast(
      ({ policyHash }) => policyHash === hash || hash === '',
    );
    const id = stored?.id || kept?.policyId || job?.policyId || hash || UNKNOWN;
    const maxAttempts = stored?.policy.maxAttempts ?? kept?.maxAttempts ?? 1;
    return sessionFacts(
      this.#spec,
      { id, hash: hash || (kept?.policyHash ?? ''), maxAttempts },
      { generation },
    );
  }
}

/** Outcomes of attempts that ran. The others ended before the handler was called. */
const RAN: ReadonlySet<string> = new Set(['failure', 'interrupted', 'lease_lost']);

/** The parts of a decision stand in the detail. */
function decisionIn({ action, reason, delayMs, entry }: AuditRecord['detail']): Decision {
  const charge = { entry, budget: action === 'retry' && entry === 'failed' };
  const wait = delayMs === undefined ? {} : { delayMs };
  return { action, reason, ...wait, charge } as Decision;
}

/** Why the session ended with this record. `undefined`: it did not, or its job never ran and was not given up here. */
function reasonOfEnd(record: AuditRecord): ReasonCode | undefined {
  const {
    event,
    from,
    to,
    executions,
    detail: { reason, dead },
  } = record;
  const isEnd = to === 'succeeded' || to === 'dead' || to === 'cancelled';
  if (!isEnd || from === to || from === 'purged') return undefined;
  if (event === 'settle' || event === 'lease_lost') return reason as ReasonCode;
  if (event === 'expire') return 'ttl_exceeded';
  if (event === 'cancel') return 'cancelled';
  return event === 'enqueue' && executions > 0 ? (dead as ReasonCode | undefined) : undefined;
}

/** What the first record says about the job; else the job itself. */
function specOf(first: AuditRecord | undefined, job: Job | undefined): FactsSpec {
  if (first?.event !== 'enqueue') {
    if (job !== undefined) return job;
    const id = first?.id ?? UNKNOWN;
    const unknown = { handler: UNKNOWN, queue: UNKNOWN, tenant: '', headers: {} };
    return { id, sessionId: id, ...unknown };
  }
  const { id, detail } = first;
  return {
    id,
    handler: textOf(detail.handler) ?? UNKNOWN,
    queue: textOf(detail.queue) ?? UNKNOWN,
    tenant: textOf(detail.tenant) ?? '',
    headers: job?.headers ?? {},
    sessionId: textOf(detail.session) ?? id,
    correlationId: textOf(detail.correlation),
    traceId: textOf(detail.trace),
    origin: isObject(detail.origin) ? (detail.origin as unknown as JobOrigin) : undefined,
  };
}
