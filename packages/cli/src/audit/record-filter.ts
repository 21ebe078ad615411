import type { Store } from '@redrive/durable';
import { type AuditBlock, type AuditRecord, recordsIn } from '@redrive/durable/store';
import type { Options } from '../command/command-spec.ts';
import { listOption, textOption, timeOption } from '../command/option-values.ts';
import { FactFinder, type RecordFacts } from './record-facts.ts';
import { isRenderedAs } from './rendered-events.ts';

/** Jobs of one session whose records are found, at most. */
const MOST_IDS = 1_000;

/** A record that somebody asked for, with its block's number and its place in it. */
export interface FoundRecord {
  readonly block: number;
  readonly index: number;
  readonly record: AuditRecord;
}

/** Which records the options mean. */
export class RecordFilter {
  readonly sinceMs: number | undefined;
  readonly untilMs: number | undefined;
  readonly #events: ReadonlySet<string>;
  readonly #by: string | undefined;
  readonly #facts: RecordFacts;
  readonly #session: string | undefined;
  readonly #store: Store;
  readonly #finder: FactFinder;
  #ids: ReadonlySet<string> | undefined;

  constructor(store: Store, options: Options, nowMs: number) {
    this.sinceMs = timeOption(options, 'since', nowMs);
    this.untilMs = timeOption(options, 'until', nowMs);
    this.#events = new Set(listOption(options, 'event'));
    this.#by = textOption(options, 'by');
    this.#session = textOption(options, 'session');
    this.#facts = {
      category: textOption(options, 'category'),
      tenant: textOption(options, 'tenant'),
      correlation: textOption(options, 'correlation'),
      trace: textOption(options, 'trace'),
    };
    this.#store = store;
    this.#finder = new FactFinder(store);
  }

  /** The records of these blocks that are meant, in their order. */
  async find(blocks: readonly AuditBlock[]): Promise<readonly FoundRecord[]> {
    const ids = await this.#sessionIds();
    const mentions = ids && [...ids].map((id) => JSON.stringify(id));
    const candidates = blocks
      // Looking for a text is much faster than reading JSON.
      .filter(({ body }) => mentions === undefined || mentions.some((id) => body.includes(id)))
      .flatMap((block) =>
        recordsIn(block).map((record, index) => ({ block: block.seq, index, record })),
      )
      .filter(({ record }) => this.#fits(record));
    const wanted = Object.entries(this.#facts).filter(([, value]) => value !== undefined);
    if (wanted.length === 0) return candidates;
    await this.#finder.load(candidates.map(({ record }) => record));
    return candidates.filter(({ record }) => {
      const facts = Object.entries(this.#finder.of(record));
      return wanted.every(([name, value]) =>
        facts.some(([own, has]) => own === name && has === value),
      );
    });
  }

  #fits(record: AuditRecord): boolean {
    const [id, , , , , atMs, , , , , detail] = record;
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
    if (this.#events.size === 0 || this.#events.has(record[2])) return true;
    return [...this.#events].some((name) => isRenderedAs(name, record));
  }

  /** The session's own id, and those of its jobs, as far as they are there. */
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

/** Who did it: operators and workers as `by`, changes of the configuration as `actor`. */
export function actorIn(detail: AuditRecord[10]): string {
  const { by, actor } = detail;
  if (typeof by === 'string') return by;
  return typeof actor === 'string' ? actor : '';
}
