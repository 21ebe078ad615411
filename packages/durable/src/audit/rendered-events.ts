import type { AuditRecord } from './audit-block.ts';

/** The fields of a record that name it. The rest is not read. */
interface Detail {
  readonly kind?: unknown;
  readonly act?: unknown;
  readonly action?: unknown;
  readonly reason?: unknown;
  readonly success?: unknown;
  readonly totalAttempts?: unknown;
  readonly to?: unknown;
  readonly decision?: { readonly action?: unknown; readonly reason?: unknown };
  readonly record?: {
    readonly event_type?: unknown;
    readonly success?: unknown;
    readonly retry_count?: unknown;
  };
}

/**
 * The names that the renderings `audit/v1` and `event/v1` give their events, as filters of records: each record that
 * would be rendered under the name, by a job or by a call in process, or was imported under it.
 */
const RENDERED = {
  retry_attempt: ({ event }, detail) =>
    isImported(detail, 'retry_attempt') ||
    ['retry', 'hand-over', 'park'].includes(String(actionOf(event, detail))),
  retry_success: ({ event, to, executions }, detail) =>
    isImported(detail, 'retry_success') ||
    (event === 'settle' && to === 'succeeded' && executions > 1) ||
    (detail.kind === 'session_ended' &&
      detail.success === true &&
      Number(detail.totalAttempts) > 1) ||
    (detail.kind === 'imported_session' &&
      detail.record?.success === true &&
      detail.record.retry_count !== 0),
  retry_failure: gaveUp,
  retry_exhausted: gaveUp,
  circuit_breaker_opened: ({ event }, detail) => isBreaker(event, detail, 'open'),
  circuit_breaker_closed: ({ event }, detail) => isBreaker(event, detail, 'closed'),
  idempotency: (_, detail) => detail.kind === 'idempotency',
} satisfies Readonly<Record<string, (record: AuditRecord, detail: Detail) => boolean>>;

/** A name that a rendering gives its events: a filter of the log, too. */
export type RenderedEvent = keyof typeof RENDERED;

/** Whether a rendering would give the record this name. */
export function isRenderedAs(name: string, record: AuditRecord): boolean {
  return isRendered(name) && RENDERED[name](record, record.detail);
}

function isRendered(name: string): name is RenderedEvent {
  return Object.hasOwn(RENDERED, name);
}

function gaveUp({ event }: AuditRecord, detail: Detail): boolean {
  if (isImported(detail, 'retry_failure')) return true;
  if (detail.kind === 'imported_session') return detail.record?.success === false;
  const isEnd = detail.kind === 'session_ended' && detail.success === false;
  // A call's last attempt and its end are two records: the end is the one that is rendered.
  const isJobs = event !== 'session' && actionOf(event, detail) === 'give-up';
  return (isEnd || isJobs) && detail.reason !== 'cancelled' && detail.reason !== 'handed_over';
}

/** The decision about an attempt of a job or of a call. */
function actionOf(event: string, { kind, action, decision }: Detail): unknown {
  if (event === 'settle' || event === 'lease_lost') return action;
  return kind === 'attempt_ended' ? decision?.action : undefined;
}

function isBreaker(event: string, detail: Detail, to: string): boolean {
  const isCalls = detail.kind === 'breaker_changed' && detail.to === to;
  const isStores = event === 'control' && detail.act === to;
  return (
    isCalls ||
    isStores ||
    isImported(detail, to === 'open' ? 'circuit_breaker_opened' : 'circuit_breaker_closed')
  );
}

function isImported({ kind, record }: Detail, name: string): boolean {
  return kind === 'imported_event' && record?.event_type === name;
}
