import type { RetryRecord } from '@redrive/core';
import { toAuditV1, toEventV1, toSessionV1 } from '@redrive/core/records';
import type { Store } from '../store/store.ts';
import type { AuditRecord } from './audit-block.ts';
import { callAttempts } from './call-attempts.ts';
import { JobSessions } from './job-session.ts';
import { isObject } from './record-detail.ts';
import type { FoundRecord } from './record-filter.ts';
import { breakerChange, type RecordFormat } from './record-format.ts';

/** A document of the shape; `at` is the record that it is made from. */
export interface RenderedRecord {
  readonly at: FoundRecord;
  readonly document: object;
}

export interface RenderOptions {
  readonly format: RecordFormat;
  /** Only events of these types. Empty or absent: all. */
  readonly events?: readonly string[] | undefined;
}

/**
 * Renders records of the audit log in the shapes of the data models. Most records have no document in a shape: claims and
 * enqueues, for instance. A record can have two in `event/v1`: the attempt that ended was a retry, and ended its session.
 */
export class LogRenderer {
  readonly #store: Store;
  readonly #format: RecordFormat;
  readonly #events: ReadonlySet<string>;
  readonly #sessions: JobSessions;

  constructor(store: Store, { format, events = [] }: RenderOptions) {
    this.#store = store;
    this.#format = format;
    this.#events = new Set(events);
    this.#sessions = new JobSessions(store);
  }

  /** The documents of these records, in their order. */
  async render(found: readonly FoundRecord[]): Promise<RenderedRecord[]> {
    const all: RenderedRecord[] = [];
    for (const at of found) {
      const documents = await this.#documentsOf(at);
      all.push(
        ...documents.filter((one) => this.#isWanted(one)).map((document) => ({ at, document })),
      );
    }
    return all;
  }

  #isWanted(document: object): boolean {
    if (this.#events.size === 0) return true;
    return 'event_type' in document && this.#events.has(String(document.event_type));
  }

  async #documentsOf(found: FoundRecord): Promise<object[]> {
    const imported = importedDocument(found.record, this.#format);
    if (imported !== undefined) return [imported];
    if (this.#format === 'session/v1') return this.#session(found);
    const records = await this.#recordsOf(found);
    if (this.#format === 'audit/v1') return records.flatMap((each) => toAuditV1(each) ?? []);
    // The same record has the same ids whenever it is rendered.
    const place = `${found.block}_${found.index}`;
    return records.flatMap(
      (each, n) => toEventV1(each, { nextId: () => `evt_${place}_${n}` }) ?? [],
    );
  }

  /** What the record says, as the records of a session. An attempt begins and ends, and perhaps the session with it. */
  async #recordsOf({ record, block }: FoundRecord): Promise<readonly RetryRecord[]> {
    const { revision, event } = record;
    if (revision > 0) return (await this.#sessions.at(record, block)).last;
    if (event === 'control') return breakerChange(record);
    return event === 'session' ? ofCall(record) : [];
  }

  async #session({ record, block, index }: FoundRecord): Promise<object[]> {
    const { revision, event, detail } = record;
    if (revision > 0) {
      const { records, last, omitted } = await this.#sessions.at(record, block);
      if (!last.some(({ kind }) => kind === 'session_ended')) return [];
      return [toSessionV1(records, { omittedAttempts: omitted }) ?? []].flat();
    }
    if (event !== 'session' || detail.kind !== 'session_ended') return [];
    if (detail.reason === 'handed_over' || isStoredLater(detail)) return [];
    const { attempts, omitted } = await callAttempts(this.#store, { record, block, index });
    const records = [...attempts, detail as unknown as RetryRecord]; // As the sink wrote it.
    return [toSessionV1(records, { omittedAttempts: omitted }) ?? []].flat();
  }
}

/** A record that was imported is shown in its own shape, and in no other one. */
function importedDocument({ event, detail }: AuditRecord, format: RecordFormat) {
  if (event !== 'session' || !isObject(detail.record)) return undefined;
  const { record } = detail;
  if (detail.kind === 'imported_event' && format === 'event/v1') {
    return { ...record, redrive: { schema_version: format, imported: true } };
  }
  if (detail.kind !== 'imported_session' || format !== 'session/v1') return undefined;
  const { omitted_attempts, total_attempts: _total, retry_count: _retries, ...given } = record;
  const count = Array.isArray(record.attempts) ? record.attempts.length : 0;
  const counts = { total_attempts: count, retry_count: count - 1 };
  const redrive = { schema_version: format, omitted_attempts, imported: true };
  return { ...given, ...counts, redrive };
}

/** A call that became a dead letter of a source: the dead letter has a record of its own. */
function isStoredLater({ session, success, reason }: AuditRecord['detail']): boolean {
  const { context } = Object(session);
  return success !== true && Object(context).rung === 'event' && reason !== 'cancelled';
}

function ofCall({ detail }: AuditRecord): RetryRecord[] {
  const { lastError, ...own } = detail;
  const record = own as unknown as RetryRecord; // As the sink wrote it.
  switch (record.kind) {
    case 'attempt_ended': {
      const { session, attempt, startedAtMs: atMs, delayBeforeMs: delayMs } = record;
      const error = lastError as Extract<RetryRecord, { kind: 'attempt_started' }>['lastError'];
      return [
        { kind: 'attempt_started', atMs, session, attempt, delayMs, lastError: error },
        record,
      ];
    }
    case 'session_ended':
      return isStoredLater(detail) ? [] : [record];
    case 'breaker_changed':
    case 'idempotency':
      return [record];
    default:
      return [];
  }
}
