import type { Store } from '../store/store.ts';
import type { AuditBlock, AuditRecord } from './audit-block.ts';
import { placedRecordsIn } from './read-body.ts';
import { FactFinder, type RecordFacts } from './record-facts.ts';
import { mayRender, type RecordFormat } from './record-format.ts';
import { isRenderedAs } from './rendered-events.ts';

/** A filter of records. All given fields must match. */
export interface RecordWishes extends Omit<RecordFacts, 'session'> {
  /** At this time or later. */
  readonly sinceMs?: number | undefined;
  /** Before this time. */
  readonly untilMs?: number | undefined;
  /** Only records that may have a document in this shape. Absent: all. */
  readonly format?: RecordFormat | undefined;
  /** One of these events, by the log's names or those of the renderings. Empty or absent: all. */
  readonly events?: readonly string[] | undefined;
  /** A part of the actor's name. */
  readonly by?: string | undefined;
  /** Of this session, or of the job with this id. */
  readonly session?: string | undefined;
}

/** Jobs of one session whose records are found, at most. */
const MOST_IDS = 1_000;

/** A record that somebody asked for, with its block's number and its place in it. */
export interface FoundRecord {
  readonly block: number;
  readonly index: number;
  readonly record: AuditRecord;
}

/** Finds the records that match. */
export class RecordFilter {
  readonly sinceMs: number | undefined;
  readonly untilMs: number | undefined;
  readonly #format: RecordFormat | undefined;
  readonly #events: ReadonlySet<string>;
  readonly #by: string | undefined;
  readonly #facts: RecordFacts;
  readonly #session: string | undefined;
  readonly #store: Store;
  readonly #finder: FactFinder;
  #ids: ReadonlySet<string> | undefined;

  constructor(
    store: Store,
    { sinceMs, untilMs, format, events = [], by, session, ...facts }: RecordWishes,
  ) {
    this.sinceMs = sinceMs;
    this.untilMs = untilMs;
    this.#format = format;
    this.#events = new Set(events);
    this.#by = by;
    this.#session = session;
    this.#facts = facts;
    this.#store = store;
    this.#finder = new FactFinder(store);
  }

  /** The records of these blocks that match, in their order. */
  async find(blocks: readonly AuditBlock[]): Promise<readonly FoundRecord[]> {
    const ids = await this.#sessionIds();
    const mentions = ids && [...ids].map((id) => JSON.stringify(id));
    const candidates = blocks
      // Looking for a text is much faster than reading JSON.
      .filter(({ body }) => mentions === undefined || mentions.some((id) => body.includes(id)))
      .flatMap((block) => placedRecordsIn(block).map((placed) => ({ block: block.seq, ...placed })))
      .filter(({ record }) => this.#fits(record));
    const wanted = Object.entries(this.#facts).filter(([, value]) => value !== undefined);
    if (wanted.length === 0) return candidates;
    const categories = this.#facts.category !== undefined;
    await this.#finder.load(
      candidates.map(({ record }) => record),
      categories,
    );
    return candidates.filter(({ record }) => {
      const facts = Object.entries(this.#finder.of(record));
      return wanted.every(([name, value]) =>
        facts.some(([own, has]) => own === name && has === value),
      );
    });
  }

  #fits(record: AuditRecord): boolean {
    const { id, atMs, detail } = record;
    const { sinceMs = 0, untilMs = Infinity } = this;
    return (
      atMs >= sinceMs &&
      atMs < untilMs &&
      this.#isEvent(record) &&
      (this.#by === undefined || actorIn(detail).includes(this.#by)) &&
      (this.#ids === undefined || this.#ids.has(id) || detail.session === this.#session)
    );
  }

  /** By the log's own name for it, or by a rendering's. */
  #isEvent(record: AuditRecord): boolean {
    if (this.#format !== undefined) return mayRender(this.#format, record, this.#events);
    if (this.#events.size === 0 || this.#events.has(record.event)) return true;
    return [...this.#events].some((name) => isRenderedAs(name, record));
  }

  /** The session's own id, and the ids of its stored jobs. */
  async #sessionIds(): Promise<ReadonlySet<string> | undefined> {
    const session = this.#session;
    if (session === undefined || this.#ids !== undefined) return this.#ids;
    const job = await this.#store.job(session);
    const ids = new Set([session, ...(job === undefined ? [] : [job.sessionId])]);
    let after: string | undefined;
    do {
      const page = await this.#store.jobs({ sessionId: session }, { limit: 1_000, after });
      for (const { id } of page.jobs) ids.add(id);
      after = page.next;
    } while (after !== undefined && ids.size < MOST_IDS);
    this.#ids = ids;
    return ids;
  }
}

/** The actor: operators and workers as `by`, changes of the configuration as `actor`. */
export function actorIn(detail: AuditRecord['detail']): string {
  const { by, actor } = detail;
  if (typeof by === 'string') return by;
  return typeof actor === 'string' ? actor : '';
}
