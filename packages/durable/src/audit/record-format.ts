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

/** Whether a record may have a document in the shape: most have none, and need not be looked at. */
export function mayRender(format: RecordFormat, record: AuditRecord): boolean {
  const [, revision, event, , to, , , , executions, , detail] = record;
  const isEnd = to === 'succeeded' || to === 'dead' || to === 'cancelled';
  if (revision > 0) {
    if (format === 'session/v1') return isEnd && event !== 'enqueue' && ENDS.has(event);
    if (event === 'settle' || event === 'lease_lost') return to !== 'succeeded' || executions > 1;
    return to === 'dead' && (event === 'expire' || event === 'enqueue');
  }
  if (event === 'control') return format === 'event/v1' && breakerChange(record).length > 0;
  if (event !== 'session') return false;
  return format === 'session/v1'
    ? detail.kind === 'session_ended' || detail.kind === 'imported_session'
    : detail.kind !== 'imported_session' && detail.kind !== 'imported_metrics';
}

const ENDS: ReadonlySet<string> = new Set(['settle', 'lease_lost', 'expire', 'cancel']);

const BREAKER = 'breaker:';
const STATES: Readonly<Record<string, 'open' | 'closed' | 'half_open'>> = {
  open: 'open',
  closed: 'closed',
  half_open: 'half_open',
};

/** A change of a breaker that all workers share. */
export function breakerChange([id, , event, , , atMs, , , , , detail]: AuditRecord): RetryRecord[] {
  const to = STATES[textOf(detail.act) ?? ''];
  if (event !== 'control' || !id.startsWith(BREAKER) || to === undefined) return [];
  const from = STATES[textOf(detail.was) ?? ''] ?? (to === 'open' ? 'closed' : 'open');
  const failureCount = numberOf(detail.failures) ?? 0;
  return [{ kind: 'breaker_changed', atMs, key: id.slice(BREAKER.length), from, to, failureCount }];
}
