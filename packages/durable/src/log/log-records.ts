import type {
  AttemptEnded,
  AttemptStarted,
  BreakerChanged,
  EventSink,
  SessionEnded,
  SessionFacts,
} from '@redrive/core';
import { syncSink } from '@redrive/core';
import { durationText } from './duration-text.ts';
import type { WorkerLogger } from './worker-logger.ts';

/** A sink that logs what happens to jobs, as `redrive start` does: attempts, retries, waits, dead jobs; and breakers. */
export function logRecords(log: WorkerLogger): EventSink {
  return syncSink((record) => {
    switch (record.kind) {
      case 'attempt_started':
      case 'attempt_ended':
        // There are two of these per job: no text is made that nobody reads.
        if (log.isLevelEnabled?.('info') ?? true) logAttempt(log, record);
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

function logAttempt(log: WorkerLogger, record: AttemptStarted | AttemptEnded): void {
  if (record.kind === 'attempt_started') logStart(log, record);
  else logEnd(log, record);
}

function facts(session: SessionFacts, attempt: number) {
  const { operation, sessionId, maxAttempts, context } = session;
  return {
    handler: operation,
    job: String(context?.job_id ?? sessionId),
    attempt,
    max_attempts: maxAttempts,
  };
}

function logStart(log: WorkerLogger, { session, attempt, delayMs }: AttemptStarted): void {
  const about = facts(session, attempt);
  if (attempt === 1) log.info({ event: 'attempt.started', ...about }, 'Initial attempt started');
  else {
    const waited = delayMs === 0 ? '' : `, after a wait of ${durationText(delayMs)}`;
    log.info(
      { event: 'retry.started', ...about, delay_ms: delayMs },
      `Retry started: attempt ${attempt}${waited}`,
    );
  }
}

function logEnd(log: WorkerLogger, record: AttemptEnded): void {
  const { session, attempt, decision, error, durationMs } = record;
  const about = {
    ...facts(session, attempt),
    duration_ms: durationMs,
    reason: decision.reason,
    ...(error === undefined ? {} : { error: `${error.type}: ${error.message}` }),
  };
  const what = error === undefined ? '' : `: ${error.message}`;
  if (decision.action === 'succeed') logSuccess(log, about, attempt);
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

function logWait(
  log: WorkerLogger,
  about: object,
  { attempt, decision }: AttemptEnded,
  what: string,
): void {
  const delayMs = decision.delayMs ?? 0;
  const wait = durationText(delayMs);
  if (decision.action === 'park') {
    const text = `Parked (${decision.reason}), looked at again in ${wait}${what}`;
    log.info({ event: 'job.parked', ...about, delay_ms: delayMs }, text);
  } else {
    const when = delayMs === 0 ? 'at once' : `in ${wait}`;
    const text = `Retry scheduled: attempt ${attempt + 1} ${when} (${decision.reason})${what}`;
    const fields = { ...about, next_attempt: attempt + 1, delay_ms: delayMs };
    log.info({ event: 'retry.scheduled', ...fields }, text);
  }
}

function logGivenUp(log: WorkerLogger, record: SessionEnded): void {
  const { session, success, reason, error, totalAttempts } = record;
  if (success) return;
  const about = {
    ...facts(session, totalAttempts),
    reason,
    ...(error === undefined ? {} : { error: `${error.type}: ${error.message}` }),
  };
  const what = error === undefined ? '' : `: ${error.message}`;
  if (reason === 'cancelled') {
    log.info({ event: 'job.cancelled', ...about }, 'Cancelled');
  } else if (reason === 'max_attempts_exceeded') {
    const count = attemptsText(totalAttempts, session.maxAttempts);
    log.error({ event: 'retry.exhausted', ...about }, `Gave up after ${count}${what}`);
  } else {
    log.error({ event: 'job.dead', ...about }, `Given up (${reason})${what}`);
  }
}

/** Uncharged attempts, as after a rate limit, do not count towards the limit. */
function attemptsText(made: number, limit: number): string {
  if (made === limit) return `${made} of ${limit} attempts`;
  return `${made} attempts, uncharged ones included; the limit is ${limit}`;
}

function logBreaker(log: WorkerLogger, { key, from, to, failureCount }: BreakerChanged): void {
  const fields = { event: `breaker.${to}`, dependency: key, from, failures: failureCount };
  const text = `Circuit breaker of ${key}: ${from} to ${to}`;
  // A failed probe changes nothing, and there is one per timeout for as long as a dependency is down.
  if (to === 'half_open' || (from === 'half_open' && to === 'open')) log.debug?.(fields, text);
  else if (to === 'open') log.warn(fields, text);
  else log.info(fields, text);
}
