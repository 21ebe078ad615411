import { type Decision, type EventSink, type RetryRecord, syncSink } from '@redrive/core';
import type { SessionFacts } from '@redrive/core/stored';
import { PARKED_AT_MOST_MS } from '../control/rules/documents.ts';
import { abandonedReason } from '../dead-letter/envelope.ts';
import { durationText } from './duration-text.ts';
import type { WorkerLogger } from './worker-log.ts';

type RecordOf<K extends RetryRecord['kind']> = Extract<RetryRecord, { readonly kind: K }>;

/** A sink that logs attempts, retries, waits, dead jobs and changes of breakers, as `redrive start` does. */
export function logRecords(log: WorkerLogger): EventSink {
  return syncSink((record) => {
    switch (record.kind) {
      case 'attempt_started':
      case 'attempt_blocked':
      case 'attempt_ended':
        // There are two of these per job: no text is made that nobody reads.
        if (log.isLevelEnabled?.('info') ?? true) logAttempt(log, record);
        if (record.kind === 'attempt_started') warnOfLast(log, record);
        else if (record.kind === 'attempt_ended') warnOfTime(log, record);
        break;
      case 'session_ended':
        logGivenUp(log, record);
        break;
      case 'breaker_changed':
        logBreaker(log, record);
        break;
    }
  });
}

function logAttempt(
  log: WorkerLogger,
  record: RecordOf<'attempt_started' | 'attempt_blocked' | 'attempt_ended'>,
): void {
  if (record.kind === 'attempt_started') logStart(log, record);
  else if (record.kind === 'attempt_blocked') logBlocked(log, record);
  else logEnd(log, record);
}

function facts(session: SessionFacts, attempt: number) {
  const { operation, sessionId, maxAttempts, context, traceId } = session;
  return {
    handler: operation,
    job: String(context?.job_id ?? sessionId),
    attempt,
    max_attempts: maxAttempts,
    ...(traceId !== undefined && TRACE_ID.test(traceId) && { trace_id: traceId }),
  };
}

/** Of W3C trace context. Another id of the application may be anything, and stays out of the log. */
const TRACE_ID = /^[0-9a-f]{32}$/;

function logStart(log: WorkerLogger, record: RecordOf<'attempt_started'>): void {
  const { session, attempt, delayMs, parkedMs, probe = false } = record;
  const about = facts(session, attempt);
  if (attempt === 1) log.info({ event: 'attempt.started', ...about }, 'Initial attempt started');
  else {
    const fields = {
      delay_ms: delayMs,
      ...(parkedMs !== undefined && { parked_ms: parkedMs }),
      ...(probe && { probe }),
    };
    const what = probe ? `Probe of ${dependencyOf(session)}` : 'Retry';
    const text = isEvent(session)
      ? `Retry attempt ${attempt}/${about.max_attempts} for event with idempotency key: ${about.job}`
      : `${what} started: attempt ${attempt}${waitText(delayMs, parkedMs)}`;
    log.info({ event: 'retry.started', ...about, ...fields }, text);
  }
}

/** The delay was chosen before the job was parked, so it says nothing about the time since then. */
function waitText(delayMs: number, parkedMs: number | undefined): string {
  if (parkedMs !== undefined) return `, after it was parked for ${durationText(parkedMs)}`;
  return delayMs === 0 ? '' : `, after a wait of ${durationText(delayMs)}`;
}

function logBlocked(
  log: WorkerLogger,
  { session, attempt, decision }: RecordOf<'attempt_blocked'>,
): void {
  const { reason, delayMs = 0 } = decision;
  const text = `Attempt ${attempt} did not start (${reason}): ${blockText(session, decision)}`;
  const fields = { ...facts(session, attempt), reason, delay_ms: delayMs };
  log.info({ event: 'job.parked', ...fields }, text);
}

/** The obstacle, and the event that ends the wait. */
function blockText(session: SessionFacts, { reason, delayMs = 0 }: Decision): string {
  const dependency = dependencyOf(session);
  // A time below the longest is the obstacle's own: only that time ends the wait.
  const isTimed = delayMs < PARKED_AT_MOST_MS;
  const runs = `Parked for ${durationText(delayMs)}`;
  switch (reason) {
    case 'breaker_open':
      return `the breaker of ${dependency} is open. ${isTimed ? runs : UNTIL_CLOSED}`;
    case 'gate_closed':
      return `the gate of ${dependency} is closed. Parked until it opens`;
    case 'kill_switch':
      return 'a kill switch was released at a pace. Parked until it is the turn of this job';
    case 'budget_exhausted':
      return `the retry budget of ${dependency} is used up. ${runs}`;
    default:
      return isTimed ? runs : 'Parked until its cause is gone: "redrive park list"';
  }
}

const UNTIL_CLOSED = 'Parked until it closes, or until this job is its probe';

/** A breaker without a dependency has the name of its policy. */
function dependencyOf({ dependency, policyId }: SessionFacts): string {
  return dependency ?? policyId;
}

function logEnd(log: WorkerLogger, record: RecordOf<'attempt_ended'>): void {
  const { session, attempt, decision, error, durationMs } = record;
  const about = {
    ...facts(session, attempt),
    duration_ms: durationMs,
    reason: decision.reason,
    ...(error === undefined ? {} : { error: `${error.type}: ${error.message}` }),
  };
  const what = error === undefined ? '' : `: ${error.message}`;
  // That of an event has its total latency: `logEventSuccess` reports it at the end of the session.
  if (decision.action === 'succeed') {
    if (!isEvent(session) || attempt === 1) logSuccess(log, about, attempt);
  } else if (decision.action === 'park') logParked(log, about, record, what);
  // A job may also be given up without an attempt: `logGivenUp` reports both.
  else if (decision.action !== 'give-up') logWait(log, about, record, what);
}

function logSuccess(log: WorkerLogger, about: object, attempt: number): void {
  if (attempt === 1) {
    log.info({ event: 'job.succeeded', ...about }, 'Succeeded at the initial attempt');
  } else {
    log.info({ event: 'retry.succeeded', ...about }, `Retry succeeded: attempt ${attempt}`);
  }
}

function logParked(
  log: WorkerLogger,
  about: object,
  { session, attempt, decision, input: { probe = false } }: RecordOf<'attempt_ended'>,
  what: string,
): void {
  const who = probe ? `Probe of ${dependencyOf(session)}` : `Attempt ${attempt}`;
  const isCharged = decision.charge.entry === 'failed';
  const charged = isCharged ? '' : ' and is not charged';
  const why = probe
    ? `The breaker stays open. ${UNTIL_CLOSED}`
    : capital(blockText(session, decision));
  const text = `${who} failed${charged} (${decision.reason})${what}. ${why}`;
  const fields = { ...about, ...(probe && { probe }), delay_ms: decision.delayMs ?? 0 };
  log.info({ event: 'job.parked', ...fields }, text);
}

function logWait(
  log: WorkerLogger,
  about: object,
  { attempt, decision }: RecordOf<'attempt_ended'>,
  what: string,
): void {
  const delayMs = decision.delayMs ?? 0;
  const when = delayMs === 0 ? 'at once' : `in ${durationText(delayMs)}`;
  const text = `Retry scheduled: attempt ${attempt + 1} ${when} (${decision.reason})${what}`;
  const fields = { ...about, next_attempt: attempt + 1, delay_ms: delayMs };
  log.info({ event: 'retry.scheduled', ...fields }, text);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function isEvent({ context }: SessionFacts): boolean {
  return context?.rung === 'event';
}

/** The last attempt of an event: people may still mend its cause. */
function warnOfLast(log: WorkerLogger, record: RecordOf<'attempt_started'>): void {
  const { session, attempt, probe } = record;
  // A probe that fails is not charged, so others follow it.
  if (!isEvent(session) || probe || attempt === 1 || attempt !== session.maxAttempts) return;
  const about = facts(session, attempt);
  const text = `Last attempt ${attempt}/${attempt} for event with idempotency key: ${about.job}`;
  log.warn({ event: 'retry.last', ...about }, text);
}

/** An event that waits has used up 80 % of its time: once, at the wait that passes them. */
function warnOfTime(log: WorkerLogger, record: RecordOf<'attempt_ended'>): void {
  const { session, attempt, decision, input, durationMs } = record;
  const ttlMs = session.context?.ttl_ms;
  if (!isEvent(session) || typeof ttlMs !== 'number' || ttlMs === Infinity) return;
  if (decision.action === 'succeed' || decision.action === 'give-up') return;
  const usedMs = ttlMs - input.timeLeftMs;
  const limitMs = TIME_WARNED_OF * ttlMs;
  // A parked event waits for its cause: its delay is only the longest that it may take.
  const waitMs = decision.action === 'park' ? 0 : (decision.delayMs ?? 0);
  if (usedMs - durationMs >= limitMs || usedMs + waitMs < limitMs) return;
  const about = facts(session, attempt);
  const text = `80 % of ${durationText(ttlMs)} are over for event with idempotency key: ${about.job}`;
  log.warn({ event: 'retry.late', ...about, ttl_ms: ttlMs }, text);
}

const TIME_WARNED_OF = 0.8;

/** An event that succeeded after retries, with the time since it was stored. */
function logEventSuccess(log: WorkerLogger, record: RecordOf<'session_ended'>): void {
  const { session, totalAttempts, startedAtMs, atMs } = record;
  if (!isEvent(session) || totalAttempts === 1) return;
  const latencyMs = Math.max(0, atMs - startedAtMs);
  const about = { ...facts(session, totalAttempts), latency_ms: latencyMs };
  const text = `Event processed successfully after ${totalAttempts} retry attempts (total latency: ${(latencyMs / 1_000).toFixed(2)}s)`;
  log.info({ event: 'retry.succeeded', ...about }, text);
}

function logGivenUp(log: WorkerLogger, record: RecordOf<'session_ended'>): void {
  const { session, success, reason, error, totalAttempts } = record;
  if (success) {
    logEventSuccess(log, record);
    return;
  }
  const about = {
    ...facts(session, totalAttempts),
    reason,
    ...(error === undefined ? {} : { error: `${error.type}: ${error.message}` }),
  };
  const what = error === undefined ? '' : `: ${error.message}`;
  if (reason === 'cancelled') {
    log.info({ event: 'job.cancelled', ...about }, 'Cancelled');
  } else if (reason === 'handed_over') {
    log.info({ event: 'retry.handed_over', ...about }, 'Handed over to the store');
  } else if (isEvent(session)) {
    const event = reason === 'max_attempts_exceeded' ? 'retry.exhausted' : 'job.dead';
    const count = `${totalAttempts} ${totalAttempts === 1 ? 'attempt' : 'attempts'}`;
    const text = `Event sent to DLQ after ${count} (reason: ${abandonedReason(reason)})${what}`;
    log.error({ event, ...about }, text);
  } else if (reason === 'max_attempts_exceeded') {
    const count = attemptsText(totalAttempts, session.maxAttempts);
    log.error({ event: 'retry.exhausted', ...about }, `Gave up after ${count}${what}`);
  } else {
    log.error({ event: 'job.dead', ...about }, `Given up (${reason})${what}`);
  }
}

/** `made` has all attempts, also those that the limit does not count. */
function attemptsText(made: number, limit: number): string {
  if (made === limit) return `${made} of ${limit} attempts`;
  return `${made} attempts; the limit of ${limit} leaves out uncharged ones and those before a requeue`;
}

function logBreaker(log: WorkerLogger, record: RecordOf<'breaker_changed'>): void {
  const { key, from, to, failureCount, nextProbeInMs, forcedBy } = record;
  const fields = {
    event: `breaker.${to}`,
    dependency: key,
    from,
    failures: failureCount,
    ...(nextProbeInMs !== undefined && { next_probe_in_ms: nextProbeInMs }),
    ...(forcedBy !== undefined && { forced_by: forcedBy }),
  };
  const text = `Circuit breaker of ${key}: ${from} to ${to}${breakerNext(record)}`;
  // A failed probe is not a new outage: there is one per timeout for as long as a dependency is down.
  if (to === 'open' && from === 'closed') log.warn(fields, text);
  else log.info(fields, text);
}

function breakerNext({ to, nextProbeInMs, forcedBy }: RecordOf<'breaker_changed'>): string {
  if (forcedBy !== undefined) return `, forced by ${forcedBy}`;
  if (to === 'half_open') return ', a probe starts';
  if (to === 'closed') return ', its jobs are released';
  if (nextProbeInMs === 0) return ', a probe is due';
  return nextProbeInMs === undefined ? '' : `, next probe in ${durationText(nextProbeInMs)}`;
}
