import type { ReasonCode } from '@redrive/core';
import { subsystemOf } from '../documents/session-facts.ts';
import type { Store } from '../store/store.ts';
import type { AuditBlock, AuditRecord } from './audit-block.ts';
import { newestSeq } from './blocks-back.ts';
import { ALL_JOBS, isIn, type JobRange } from './job-trails.ts';
import { recordsIn } from './read-body.ts';

/** Retry behaviour in a time window, over all rungs. Durations are in seconds. */
export type RetryMetrics = Readonly<ReturnType<typeof documentOf>>;

export interface RetryMetricsOptions {
  /** Sessions that ended at this time or later. */
  readonly sinceMs: number;
  /** And before this time. */
  readonly untilMs: number;
  /** Unfinished jobs that are remembered; if there are more, the log is read again for each part. Default 200,000. */
  readonly maxJobs?: number | undefined;
  /** Ends the read: it rejects with the signal's reason. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

type MetricsStore = Pick<Store, 'auditBlocks' | 'policy'>;

const MAX_JOBS = 200_000;
const PAGE = 100;
/** A policy or a handler that the log does not name. */
const UNKNOWN = 'unknown';

/**
 * Computes retry metrics from the audit log: sessions that ended in the window, of jobs and of calls with `auditSink`. A
 * cancelled session is neither a success nor a failure, and is left out; so is a message that never ran. A session that
 * was requeued and ended again counts again, with its new attempts. An event that a consumer gave up counts as its dead
 * letter, of an unknown policy and duration.
 *
 * @throws RedriveError `store_unavailable`; the reason of `signal`.
 */
export async function retryMetrics(
  store: MetricsStore,
  options: RetryMetricsOptions,
): Promise<RetryMetrics> {
  const totals = new Totals();
  const newest = await newestSeq(store);
  const ranges: JobRange[] = [ALL_JOBS];
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const part = await readPart(store, newest, options, range);
    if (part !== undefined) totals.add(part);
    else {
      const middle = (range.from + range.to) / 2;
      ranges.push({ from: range.from, to: middle }, { from: middle, to: range.to });
    }
  }
  return documentOf(totals, options, await policyNames(store, totals));
}

/** The sessions of a part of all jobs. `undefined`: there are too many unfinished jobs for one reading. */
async function readPart(
  store: MetricsStore,
  newest: number,
  { sinceMs, untilMs, maxJobs = MAX_JOBS, signal }: RetryMetricsOptions,
  range: JobRange,
): Promise<Totals | undefined> {
  const totals = new Totals();
  const jobs = new OpenJobs();
  const isInWindow = (atMs: number) => atMs >= sinceMs && atMs < untilMs;
  for await (const blocks of pagesUpTo(store, newest)) {
    signal?.throwIfAborted();
    for (const block of blocks) {
      for (const record of recordsIn(block)) {
        if (!isIn(range, record[0])) continue;
        const ended = record[2] === 'session' ? callOutcome(record) : jobs.take(record);
        if (ended !== undefined && isInWindow(record[5])) totals.count(ended);
      }
    }
    if (jobs.size > maxJobs && range.to - range.from > 1) return undefined;
  }
  return totals;
}

/** The log as it was at the start: a busy store always has more, and all parts are of one log. */
async function* pagesUpTo(
  store: MetricsStore,
  newest: number,
): AsyncGenerator<readonly AuditBlock[]> {
  for (let after = 0; after < newest; ) {
    const page = await store.auditBlocks(after, PAGE);
    yield page.filter(({ seq }) => seq <= newest);
    after = page[PAGE - 1]?.seq ?? newest;
  }
}

interface EndedSession {
  readonly success: boolean;
  readonly attempts: number;
  readonly durationMs: number;
  /** Hash of a job's policy, or the id of a call's: `#hash`, or `id`. */
  readonly policy: string;
  readonly subsystem: string;
}

/** The last record of a call in process. */
function callOutcome([, , , , , , , , , , detail]: AuditRecord): EndedSession | undefined {
  const { kind, session, success, totalAttempts, startedAtMs, atMs, reason } = detail;
  if (kind !== 'session_ended' || reason === 'cancelled' || reason === 'handed_over') return;
  const { policyId, operation, context } = Object(session);
  const isStored = success !== true && Object(context).rung === 'event';
  // It counts as the dead letter that it became.
  if (isStored && !NEVER_RAN.has(String(reason))) return;
  return {
    success: success === true,
    attempts: Number(totalAttempts),
    durationMs: Math.max(0, Number(atMs) - Number(startedAtMs)),
    policy: String(policyId ?? UNKNOWN),
    subsystem: subsystemOf(String(operation ?? UNKNOWN)),
  };
}

interface OpenJob {
  readonly subsystem: string;
  readonly submittedAtMs: number;
  policy: string;
  /** Attempts of earlier generations. */
  attemptsBefore: number;
}

/** Jobs whose end may still come. A dead or cancelled job can be requeued, so it stays until retention deletes it. */
class OpenJobs {
  readonly #jobs = new Map<string, OpenJob>();
  readonly #subsystems = new Map<string, string>();

  get size(): number {
    return this.#jobs.size;
  }

  /** The session that ends with this record. */
  take(record: AuditRecord): EndedSession | undefined {
    const [id, , event, , to, atMs, , , executions, , detail] = record;
    if (event === 'enqueue') {
      const subsystem = this.#shared(subsystemOf(String(detail.handler ?? UNKNOWN)));
      this.#jobs.set(id, { subsystem, submittedAtMs: atMs, policy: UNKNOWN, attemptsBefore: 0 });
      if (to !== 'dead' || executions === 0 || !hasRunHere(detail)) return undefined;
      const rest = { durationMs: 0, policy: UNKNOWN, subsystem };
      return { success: false, attempts: executions, ...rest };
    }
    const job = this.#jobs.get(id);
    if (job === undefined) return undefined;
    if (typeof detail.policy === 'string') job.policy = `#${detail.policy}`;
    if (to === 'succeeded' || event === 'prune') this.#jobs.delete(id);
    if (event === 'requeue' || event === 'reset') job.attemptsBefore = executions;
    const attempts = executions - job.attemptsBefore;
    const isEnd = (to === 'succeeded' || to === 'dead') && OUTCOMES.has(event);
    if (!isEnd || attempts === 0) return undefined;
    const { policy, subsystem, submittedAtMs } = job;
    const durationMs = Math.max(0, atMs - submittedAtMs);
    return { success: to === 'succeeded', attempts, durationMs, policy, subsystem };
  }

  /** One text for all jobs of a subsystem. */
  #shared(subsystem: string): string {
    const known = this.#subsystems.get(subsystem);
    if (known === undefined) this.#subsystems.set(subsystem, subsystem);
    return known ?? subsystem;
  }
}

/** Of a dead letter from the start: a consumer ran the event and gave it up. Others never ran, or were imported. */
function hasRunHere({ dead, handler }: AuditRecord[10]): boolean {
  return !NEVER_RAN.has(String(dead)) && handler !== 'events.publish';
}

const NEVER_RAN: ReadonlySet<string> = new Set<ReasonCode>([
  'invalid_message',
  'message_too_large',
  'idempotency_conflict',
]);

const OUTCOMES: ReadonlySet<string> = new Set(['settle', 'lease_lost', 'expire']);

interface Share {
  sessions: number;
  successes: number;
  attempts: number;
}

class Totals {
  readonly all: Share = newShare();
  readonly byPolicy = new Map<string, Share>();
  readonly bySubsystem = new Map<string, Share>();
  maxAttempts = 0;
  durationMs = 0;

  count({ success, attempts, durationMs, policy, subsystem }: EndedSession): void {
    const own = { sessions: 1, successes: Number(success), attempts };
    addTo(this.all, own);
    addAt(this.byPolicy, policy, own);
    addAt(this.bySubsystem, subsystem, own);
    this.maxAttempts = Math.max(this.maxAttempts, attempts);
    this.durationMs += durationMs;
  }

  add(part: Totals): void {
    addTo(this.all, part.all);
    for (const [policy, share] of part.byPolicy) addAt(this.byPolicy, policy, share);
    for (const [subsystem, share] of part.bySubsystem) addAt(this.bySubsystem, subsystem, share);
    this.maxAttempts = Math.max(this.maxAttempts, part.maxAttempts);
    this.durationMs += part.durationMs;
  }
}

function newShare(): Share {
  return { sessions: 0, successes: 0, attempts: 0 };
}

function addTo(share: Share, { sessions, successes, attempts }: Share): void {
  share.sessions += sessions;
  share.successes += successes;
  share.attempts += attempts;
}

function addAt(shares: Map<string, Share>, key: string, own: Share): void {
  const share = shares.get(key) ?? newShare();
  shares.set(key, share);
  addTo(share, own);
}

/** Jobs name the version of their policy; people know its id. Versions of one policy are one policy here. */
async function policyNames(store: MetricsStore, { byPolicy }: Totals): Promise<Map<string, Share>> {
  const named = new Map<string, Share>();
  for (const [key, share] of byPolicy) {
    const id = key.startsWith('#') ? (await store.policy(key.slice(1)))?.id : key;
    addAt(named, id || UNKNOWN, share);
  }
  return named;
}

function documentOf(
  { all, bySubsystem, maxAttempts, durationMs }: Totals,
  { sinceMs, untilMs }: RetryMetricsOptions,
  byPolicy: ReadonlyMap<string, Share>,
) {
  const { sessions, successes, attempts } = all;
  const per = (value: number) => (sessions === 0 ? 0 : value / sessions);
  return {
    time_window_start: new Date(sinceMs).toISOString(),
    time_window_end: new Date(untilMs).toISOString(),
    total_sessions: sessions,
    successful_sessions: successes,
    failed_sessions: sessions - successes,
    total_attempts: attempts,
    average_attempts_per_session: per(attempts),
    max_attempts_in_session: maxAttempts,
    total_duration: durationMs / 1_000,
    average_duration_per_session: per(durationMs / 1_000),
    by_policy: sharesOf(byPolicy),
    by_subsystem: sharesOf(bySubsystem),
  };
}

/** Sessions of each policy or subsystem, by name. Rates are from 0 to 1. */
function sharesOf(shares: ReadonlyMap<string, Share>) {
  const sorted = [...shares].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([name, { sessions, successes, attempts }]) => [
      name,
      { sessions, success_rate: successes / sessions, average_attempts: attempts / sessions },
    ]),
  );
}
