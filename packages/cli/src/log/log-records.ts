import type {
  AttemptEnded,
  AttemptStarted,
  BreakerChanged,
  EventSink,
  RetryRecord,
  SessionFacts,
} from '@redrive/core';
import { syncSink } from '@redrive/core';
import { formatDuration } from '../terminal/duration.ts';
import type { Log } from './worker-log.ts';

/** Says what happens to jobs: first attempts and retries, waits, limits, ends; and what breakers do. */
export function logRecords(log: Log, also?: (record: RetryRecord) => void): EventSink {
  return syncSink((record) => {
    also?.(record);
    if (record.kind === 'attempt_started') logStart(log, record);
    else if (record.kind === 'attempt_ended') logEnd(log, record);
    else if (record.kind === 'breaker_changed') logBreaker(log, record);
  });
}

function facts(session: SessionFacts, attempt: number) {
  const { operation, sessionId, maxAttempts, context } = session;
  return {
    handler: operation,
    job: context?.job_id ?? sessionId,
    attempt,
    max_attempts: maxAttempts,
  };
}

function logStart(log: Log, { session, attempt, delayMs }: AttemptStarted): void {
  const about = facts(session, attempt);
  if (attempt === 1) log.info({ event: 'attempt.started', ...about }, 'Initial attempt started');
  else {
    const waited = `after a wait of ${formatDuration(delayMs)}`;
    log.info(
      { event: 'retry.started', ...about, delay_ms: delayMs },
      `Retry started: attempt ${attempt}, ${waited}`,
    );
  }
}

function logEnd(log: Log, record: AttemptEnded): void {
  const { session, attempt, decision, error, durationMs } = record;
  const about = {
    ...facts(session, attempt),
    duration_ms: durationMs,
    reason: decision.reason,
    ...(error === undefined ? {} : { error: `${error.type}: ${error.message}` }),
  };
  const what = error === undefined ? '' : `: ${error.message}`;
  switch (decision.action) {
    case 'succeed': {
      const [event, text] =
        attempt === 1
          ? ['job.succeeded', 'Succeeded at the initial attempt']
          : ['retry.succeeded', `Retry succeeded: attempt ${attempt}`];
      return log.info({ event, ...about }, text);
    }
    case 'park': {
      const until = formatDuration(decision.delayMs);
      return log.warn(
        { event: 'job.parked', ...about, delay_ms: decision.delayMs },
        `Parked (${decision.reason}), looked at again in ${until}${what}`,
      );
    }
    case 'give-up':
      return logGivenUp(log, about, record, what);
    default:
      return logRetry(log, about, record, what);
  }
}

function logRetry(log: Log, about: object, record: AttemptEnded, what: string): void {
  const { attempt, decision } = record;
  const delayMs = decision.delayMs ?? 0;
  const fields = {
    event: 'retry.scheduled',
    ...about,
    next_attempt: attempt + 1,
    delay_ms: delayMs,
  };
  const next = `attempt ${attempt + 1} in ${formatDuration(delayMs)} (${decision.reason})`;
  log.warn(fields, `Retry scheduled: ${next}${what}`);
}

function logGivenUp(log: Log, about: object, record: AttemptEnded, what: string): void {
  const { attempt, decision, session } = record;
  if (decision.reason === 'cancelled') {
    log.info({ event: 'job.cancelled', ...about }, 'Cancelled');
  } else if (decision.reason === 'max_attempts_exceeded') {
    const text = `Limit reached: given up after attempt ${attempt}, of ${session.maxAttempts} that count${what}`;
    log.error({ event: 'retry.exhausted', ...about }, text);
  } else {
    log.error({ event: 'job.dead', ...about }, `Given up (${decision.reason})${what}`);
  }
}

function logBreaker(log: Log, { key, from, to, failureCount }: BreakerChanged): void {
  const fields = { event: `breaker.${to}`, dependency: key, from, failures: failureCount };
  const text = `Circuit breaker of ${key}: ${from} to ${to}`;
  if (to === 'open') log.warn(fields, text);
  else log.info(fields, text);
}
