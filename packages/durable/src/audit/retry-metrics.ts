import type { ReasonCode } from '@redrive/core';
import { subsystemOf } from '../documents/session-facts.ts';
import type { Store } from '../store/store.ts';
import type { AuditBlock, AuditRecord } from './audit-block.ts';
import { newestSeq } from './blocks-back.ts';
import { metricsIn } from './imported-metrics.ts';
import { ALL_JOBS, isIn, type JobRange } from './job-trails.ts';
import {
  type EndedSession,
  type MetricDimension,
  MetricTotals,
  type Share,
} from './metric-totals.ts';
import { NO_POLICY, nameOf, type PolicyName, PolicyNames, UNKNOWN } from './policy-names.ts';
import { recordsIn } from './read-body.ts';

/** Retry behaviour in a time window, over all rungs. Durations are in seconds. */
export type RetryMetrics = Readonly<ReturnType<typeof documentOf>>;

export interface RetryMetricsOptions {
  /** Sessions that ended at this time or later. */
  readonly sinceMs: number;
  /** And before this time. */
  readonly untilMs: number;
  /** The subsystem of an operation that ran under this policy. Default: the part of its name before a dot. */
  readonly subsystemOf?: ((operation: string, policy: string) => string) | undefined;
  /** Categories that are listed even if no session has them. Default: none. */
  readonly categories?: readonly string[] | undefined;
  /** Unfinished jobs that are remembered; if there are more, the log is read again for each part. Default 200,000. */
  readonly maxJobs?: number | undefined;
  /** Ends the read: it rejects with the signal's reason. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

type MetricsStore = Pick<Store, 'auditBlocks' | 'policy'>;

const MAX_JOBS = 200_000;
const PAGE = 100;

/**
 * Computes retry metrics from the audit log: sessions that ended in the window, of jobs and of calls with `auditSink`. A
 * cancelled session is neither a success nor a failure, and is left out; so is a message that never ran. A session that
 * was requeued and ended again counts again, with its new attempts. An event that a consumer gave up counts as its dead
 * letter. An imported session counts at its own time, and so do imported metrics, if
 * their whole window is inside and no other session ended in it.
 *
 * @throws RedriveError `store_unavailable`; the reason of `signal`.
 */
export async function retryMetrics(
  store: MetricsStore,
  options: RetryMetricsOptions,
): Promise<RetryMetrics> {
  const totals = new MetricTotals();
  const names = new PolicyNames(store);
  const newest = await newestSeq(store);
  const ranges: JobRange[] = [ALL_JOBS];
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const part = await readPart(store, names, newest, options, range);
    if (part !== undefined) totals.add(part);
    else {
      const middle = (range.from + range.to) / 2;
      ranges.push({ from: range.from, to: middle }, { from: middle, to: range.to });
    }
  }
  const imported = addImported(totals, options);
  return documentOf(totals, options, imported);
}

/** The sessions of a part of all jobs. `undefined`: there are too many unfinished jobs for one reading. */
async function readPart(
  store: MetricsStore,
  names: PolicyNames,
  newest: number,
  options: RetryMetricsOptions,
  range: JobRange,
): Promise<MetricTotals | undefined> {
  const { sinceMs, untilMs, maxJobs = MAX_JOBS, signal } = options;
  const { subsystemOf: find = subsystemOf } = options;
  const totals = new MetricTotals();
  const jobs = new OpenJobs(names);
  const isInWindow = (atMs: number) => atMs >= sinceMs && atMs < untilMs;
  for await (const blocks of pagesUpTo(store, newest)) {
    signal?.throwIfAborted();
    for (const block of blocks) {
      const records = recordsIn(block).filter(({ id }) => isIn(range, id));
      await names.know(
        records.flatMap(({ detail: { policy } }) => (typeof policy === 'string' ? [policy] : [])),
      );
      for (const record of records) {
        const metrics = metricsIn(record);
        if (metrics !== undefined) totals.metrics.push(metrics);
        const ended = record.event === 'session' ? sessionOutcome(record) : jobs.take(record);
        jobs.noteCategory(record);
        if (ended === undefined || !isInWindow(ended.atMs)) continue;
        totals.count({ ...ended, subsystem: find(ended.operation, ended.policy) });
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

type Ended = Omit<EndedSession, 'subsystem'>;

function sessionOutcome(record: AuditRecord): Ended | undefined {
  return record.detail.kind === 'imported_session' ? importedOutcome(record) : callOutcome(record);
}

/** An imported session, at the time when it ended. A session without an end has not ended, unless its result is known. */
function importedOutcome({ detail }: AuditRecord): Ended | undefined {
  const session = Object(detail.record);
  const { success, attempts, start_time: start, end_time: end, final_error: error } = session;
  const last = Object(Array.isArray(attempts) ? attempts.at(-1) : undefined);
  if (end === undefined && success !== true && error === undefined) return undefined;
  const lastMs = Date.parse(String(last.timestamp)) + Number(last.duration) * 1_000;
  const atMs = end === undefined ? lastMs : Date.parse(String(end));
  return {
    atMs,
    success: success === true,
    attempts: Number(session.total_attempts),
    durationMs: Math.max(0, atMs - Date.parse(String(start))),
    ...nameOf(String(session.policy_id || UNKNOWN)),
    operation: String(session.operation || UNKNOWN),
    tenant: '',
    isImported: true,
  };
}

/** The last record of a call in process. */
function callOutcome({ atMs: recordedMs, detail }: AuditRecord): Ended | undefined {
  const { kind, session, success, totalAttempts, startedAtMs, atMs, reason } = detail;
  if (kind !== 'session_ended' || reason === 'cancelled' || reason === 'handed_over') return;
  const { policyId, operation, context, category, tenantId } = Object(session);
  const isStored = success !== true && Object(context).rung === 'event';
  // It counts as the dead letter that it became.
  if (isStored && !NEVER_RAN.has(String(reason))) return;
  return {
    atMs: recordedMs,
    success: success === true,
    attempts: Number(totalAttempts),
    durationMs: Math.max(0, Number(atMs) - Number(startedAtMs)),
    ...nameOf(String(policyId ?? UNKNOWN)),
    ...(category === undefined ? {} : { category: String(category) }),
    operation: String(operation ?? UNKNOWN),
    tenant: String(tenantId ?? ''),
  };
}

interface OpenJob {
  readonly operation: string;
  readonly tenant: string;
  readonly submittedAtMs: number;
  policy: PolicyName;
  /** Of the call that went on as this job: it is one session. Absent: that of the policy. */
  category?: string;
  /** Attempts of earlier generations. */
  attemptsBefore: number;
}

/** Jobs whose end may still come. A dead or cancelled job can be requeued, so it stays until retention deletes it. */
class OpenJobs {
  readonly #jobs = new Map<string, OpenJob>();
  readonly #texts = new Map<string, string>();
  readonly #names: PolicyNames;

  constructor(names: PolicyNames) {
    this.#names = names;
  }

  get size(): number {
    return this.#jobs.size;
  }

  /** Reads the category of a call that went on as a job. The job has its id, and was stored before this record. */
  noteCategory({ id, detail: { kind, reason, session } }: AuditRecord): void {
    const job = this.#jobs.get(id);
    if (job === undefined || kind !== 'session_ended' || reason !== 'handed_over') return;
    const { category } = Object(session);
    if (category !== undefined) job.category = this.#shared(String(category));
  }

  /** The session that ends with this record. */
  take(record: AuditRecord): Ended | undefined {
    const { id, event, to, atMs, executions, detail } = record;
    if (event === 'enqueue') {
      const operation = this.#shared(String(detail.handler ?? UNKNOWN));
      const tenant = this.#shared(String(detail.tenant ?? ''));
      const named = { operation, tenant };
      this.#jobs.set(id, { ...named, submittedAtMs: atMs, policy: NO_POLICY, attemptsBefore: 0 });
      if (to !== 'dead' || executions === 0 || !hasRunHere(detail)) return undefined;
      const { policy, startedAtMs = atMs } = Object(detail.handedOver);
      const durationMs = Math.max(0, atMs - Number(startedAtMs));
      const ended = { atMs, success: false, attempts: executions, durationMs };
      return { ...ended, ...nameOf(String(policy || UNKNOWN)), ...named };
    }
    const job = this.#jobs.get(id);
    if (job === undefined) return undefined;
    if (typeof detail.policy === 'string') job.policy = this.#names.of(detail.policy);
    if (to === 'succeeded' || event === 'prune') this.#jobs.delete(id);
    if (event === 'requeue' || event === 'reset') job.attemptsBefore = executions;
    const attempts = executions - job.attemptsBefore;
    const isEnd = (to === 'succeeded' || to === 'dead') && OUTCOMES.has(event);
    if (!isEnd || attempts === 0) return undefined;
    const { policy, category = policy.category, operation, tenant, submittedAtMs } = job;
    const durationMs = Math.max(0, atMs - submittedAtMs);
    return {
      atMs,
      success: to === 'succeeded',
      attempts,
      durationMs,
      ...policy,
      category,
      operation,
      tenant,
    };
  }

  /** One text for all jobs that have it. */
  #shared(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }
}

/** Of a dead letter from the start: a consumer ran the event and gave it up. Others never ran, or were imported. */
function hasRunHere({ dead, handler }: AuditRecord['detail']): boolean {
  return !NEVER_RAN.has(String(dead)) && handler !== 'events.publish';
}

const NEVER_RAN: ReadonlySet<string> = new Set<ReasonCode>([
  'invalid_message',
  'message_too_large',
  'idempotency_conflict',
]);

const OUTCOMES: ReadonlySet<string> = new Set(['settle', 'lease_lost', 'expire']);

/** Adds imported metrics whose windows are inside and have no other sessions. */
function addImported(totals: MetricTotals, { sinceMs, untilMs }: RetryMetricsOptions) {
  const inside = totals.metrics.filter(({ fromMs, toMs }) => fromMs >= sinceMs && toMs <= untilMs);
  // Before any is added: an imported window is no record of another one.
  const added = inside.filter(({ fromMs, toMs }) => !totals.hasEndIn(fromMs, toMs));
  for (const metrics of added) totals.addMetrics(metrics);
  const overlaps = totals.metrics.filter(({ fromMs, toMs }) => fromMs < untilMs && toMs > sinceMs);
  return {
    sessions: totals.imported,
    windows: added.length,
    window_sessions: added.reduce((sum, { sessions }) => sum + sessions, 0),
    windows_left_out: overlaps.length - added.length,
  };
}

function documentOf(
  { all, by, maxAttempts, durationMs }: MetricTotals,
  { sinceMs, untilMs, categories = [] }: RetryMetricsOptions,
  imported: ReturnType<typeof addImported>,
) {
  const { sessions, successes, attempts } = all;
  const per = (value: number) => (sessions === 0 ? 0 : value / sessions);
  const sharesOf = (dimension: MetricDimension) =>
    shareDocuments(by.get(dimension) ?? new Map(), dimension === 'category' ? categories : []);
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
    by_policy: sharesOf('policy'),
    by_subsystem: sharesOf('subsystem'),
    by_category: sharesOf('category'),
    by_operation: sharesOf('operation'),
    by_tenant: sharesOf('tenant'),
    /**
     * `sessions` were imported one by one, `window_sessions` as the metrics of `windows`. Windows are left out that are
     * not wholly inside, or in which other sessions ended.
     */
    imported,
  };
}

/** Sessions of each name, by name. Rates are from 0 to 1; `null`: no session has the name. */
function shareDocuments(shares: ReadonlyMap<string, Share>, listed: readonly string[]) {
  const names = [...new Set([...listed, ...shares.keys()])].sort();
  return Object.fromEntries(
    names.map((name) => {
      const { sessions, successes, attempts } = shares.get(name) ?? NO_SESSION;
      const rates =
        sessions === 0
          ? { success_rate: null, average_attempts: null }
          : { success_rate: successes / sessions, average_attempts: attempts / sessions };
      return [name, { sessions, total_attempts: attempts, ...rates }];
    }),
  );
}

const NO_SESSION: Share = { sessions: 0, successes: 0, attempts: 0 };
