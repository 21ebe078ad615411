import type { RetryRecord } from '@redrive/core';
import type { AuditRecord } from './audit-block.ts';
import { numberOf, textOf } from './record-detail.ts';

/** The shapes in which the audit log can be shown. */
export const RECORD_FORMATS = ['audit/v1', 'event/v1', 'session/v1'] as const;
export type RecordFormat = (typeof RECORD_FORMATS)[number];

/** The types of the events of each shape. A session has none. */
export const FORMAT_EVENTS: Readonly<Record<RecordFormat, readonly string[]>> = {
  'audit/v1': ['retry_attempt', 'retry_exhausted', 'idempotency'],
  'event/v1': [
    'retry_attempt',
    'retry_success',
    'retry_failure',
    'circuit_breaker_opened',
    'circuit_breaker_closed',
  ],
  'session/v1': [],
};

/** Why the shape cannot have these events. `undefined`: it has them. */
export function formatProblem(format: RecordFormat, events: readonly string[]): string | undefined {
  const strange = events.find((event) => !FORMAT_EVENTS[format].includes(event));
  if (strange === undefined) return undefined;
  const known = FORMAT_EVENTS[format].join(', ');
  return `${format} has no event ${strange}: ${known === '' ? 'it has sessions' : `it has ${known}`}`;
}

/**
 * Whether a record may have a document in the shape, of one of these event types; none: of any. Most records have no
 * document and need not be looked at; a page of a list counts those that may have one.
 */
export function mayRender(
  format: RecordFormat,
  record: AuditRecord,
  events: ReadonlySet<string> = NO_EVENTS,
): boolean {
  const { revision, event, to, executions, detail } = record;
  if (format !== 'session/v1') {
    return FORMAT_EVENTS[format].some(
      (name) => (events.size === 0 || events.has(name)) && mayBeEvent(format, name, record),
    );
  }
  const isEnd = to === 'succeeded' || to === 'dead' || to === 'cancelled';
  if (revision > 0) return isEnd && (ENDS.has(event) || (event === 'enqueue' && executions > 0));
  return (
    event === 'session' && (detail.kind === 'session_ended' || detail.kind === 'imported_session')
  );
}

const NO_EVENTS: ReadonlySet<string> = new Set();

/** Whether the record may be an event of this type. Cheap; the renderer decides. */
function mayBeEvent(format: RecordFormat, name: string, record: AuditRecord): boolean {
  const {
    revision,
    event,
    detail: { kind, record: given },
  } = record;
  if (event === 'session' && kind === 'imported_event')
    return format === 'event/v1' && Object(given).event_type === name;
  if (name.startsWith('circuit_breaker')) return isBreakerEvent(name, record);
  if (revision > 0) return mayBeJobEvent(format, name, record);
  return event === 'session' && mayBeCallEvent(format, name, record.detail);
}

function mayBeJobEvent(
  format: RecordFormat,
  name: string,
  { event, to, executions, detail }: AuditRecord,
): boolean {
  const isAttempt = event === 'settle' || event === 'lease_lost';
  switch (name) {
    case 'retry_attempt':
      // `event/v1` shows the attempt that starts, `audit/v1` the one that failed.
      if (format === 'event/v1') return isAttempt && executions > 1;
      return isAttempt && to !== 'succeeded' && detail.action !== 'give-up';
    case 'retry_success':
      return isAttempt && to === 'succeeded' && executions > 1;
    case 'idempotency':
      return false;
    default:
      return (
        (to === 'dead' || to === 'cancelled') &&
        (isAttempt || event === 'expire' || event === 'enqueue')
      );
  }
}

function mayBeCallEvent(
  format: RecordFormat,
  name: string,
  detail: AuditRecord['detail'],
): boolean {
  const { kind, success } = detail;
  switch (name) {
    case 'retry_attempt':
      if (kind !== 'attempt_ended') return false;
      return format === 'event/v1' ? Number(detail.attempt) > 1 : success !== true;
    case 'retry_success':
      return kind === 'session_ended' && success === true && Number(detail.totalAttempts) > 1;
    case 'idempotency':
      return kind === 'idempotency';
    default:
      return kind === 'session_ended' && success !== true;
  }
}

function isBreakerEvent(name: string, record: AuditRecord): boolean {
  const { kind, to } = breakerChange(record)[0] ?? record.detail;
  return kind === 'breaker_changed' && name === `circuit_breaker_${to === 'open' ? 'opened' : to}`;
}

const ENDS: ReadonlySet<string> = new Set(['settle', 'lease_lost', 'expire', 'cancel']);

const BREAKER = 'breaker:';
const STATES: Readonly<Record<string, 'open' | 'closed' | 'half_open'>> = {
  open: 'open',
  closed: 'closed',
  half_open: 'half_open',
};

/** A change of a breaker that all workers share. */
export function breakerChange({
  id,
  event,
  atMs,
  detail,
}: AuditRecord): Extract<RetryRecord, { kind: 'breaker_changed' }>[] {
  const to = STATES[textOf(detail.act) ?? ''];
  if (event !== 'control' || !id.startsWith(BREAKER) || to === undefined) return [];
  const from = STATES[textOf(detail.was) ?? ''] ?? (to === 'open' ? 'closed' : 'open');
  const failureCount = numberOf(detail.failures) ?? 0;
  return [{ kind: 'breaker_changed', atMs, key: id.slice(BREAKER.length), from, to, failureCount }];
}
