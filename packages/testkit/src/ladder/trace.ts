import type { RetryRecord } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { type AuditRecord, recordsIn } from '@redrive/durable/store';

/** Most lines that a trace keeps; those after it are counted. */
const MAX_LINES = 1_000_000;
const PAGE = 500;

/** A line per attempt, decision and transition: from the audit log of the store, and from the records of calls. */
export class Trace {
  readonly #store: FullStore;
  readonly #startMs: number;
  readonly #lines: string[] = [];
  #omitted = 0;
  #lastSeq = 0;
  #reading: Promise<void> = Promise.resolve();
  /** Jobs and sessions by their number within their handler or operation: ids are long, and say nothing. */
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(store: FullStore, startMs: number) {
    this.#store = store;
    this.#startMs = startMs;
  }

  /** Adds a line that is not in the log, after all that the log has. */
  note(atMs: number, text: string): void {
    // A log that cannot be read is reported by `read`.
    const upToDate = this.#catchUp().catch(() => {});
    this.#reading = upToDate.then(() => this.#add(atMs, text));
  }

  /** A record of a call in process. */
  record(record: RetryRecord): void {
    const { atMs } = record;
    if (record.kind === 'breaker_changed') {
      this.note(atMs, `breaker ${record.key} ${record.from}→${record.to}`);
      return;
    }
    const name = this.#nameOf(record.session.sessionId, record.session.operation);
    if (record.kind === 'attempt_ended') {
      const { decision, error, attempt } = record;
      const { action, reason, delayMs } = decision;
      this.note(
        atMs,
        `${name} attempt ${attempt} ${action} ${reason}${wait(delayMs)}${cause(error)}`,
      );
    }
  }

  /** All lines up to now. */
  async read(): Promise<readonly string[]> {
    const upToDate = this.#catchUp();
    this.#reading = upToDate.catch(() => {});
    await upToDate;
    const omitted = this.#omitted > 0 ? [`${this.#omitted} more lines`] : [];
    return [...this.#lines, ...omitted];
  }

  /** Adds the lines of the log, page by page, when those before are there. */
  async #catchUp(): Promise<void> {
    await this.#reading;
    for (let isMore = true; isMore; ) {
      const blocks = await this.#store.auditBlocks(this.#lastSeq, PAGE);
      for (const block of blocks) {
        this.#lastSeq = block.seq;
        for (const record of recordsIn(block)) this.#add(record.atMs, this.#transition(record));
      }
      isMore = blocks.length === PAGE;
    }
  }

  #add(atMs: number, text: string): void {
    const line = `+${((atMs - this.#startMs) / 1_000).toFixed(3)} ${text}`;
    if (this.#lines.length < MAX_LINES) this.#lines.push(line);
    else this.#omitted += 1;
  }

  #transition({ id: subject, revision, event, from, to, generation, detail }: AuditRecord): string {
    const { handler, attempt, reason, delayMs, error, by } = detail;
    if (revision === 0) return `${event} ${subject} by ${String(by)}`;
    const name = this.#nameOf(subject, String(handler));
    const made = attempt === undefined ? '' : ` attempt ${generation}.${String(attempt)}`;
    const why = reason === undefined ? '' : ` ${String(reason)}`;
    return `${name} ${event} ${from ?? ''}→${to}${made}${why}${wait(delayMs)}${cause(error)} by ${String(by)}`;
  }

  #nameOf(id: string, kind: string): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    this.#names.set(id, `${kind}#${count}`);
    return `${kind}#${count}`;
  }
}

function wait(delayMs: unknown): string {
  return typeof delayMs === 'number' ? ` in ${delayMs} ms` : '';
}

function cause(error: unknown): string {
  const { message }: { message?: unknown } = Object(error);
  return message === undefined ? '' : `: ${String(message)}`;
}
