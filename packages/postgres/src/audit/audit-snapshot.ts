import type { AuditReader } from '@redrive/durable/audit';
import type { JobLookup } from '@redrive/durable/store';
import type { Connection, Row, Session, Statement } from '../connect/connection.ts';
import { unavailable } from '../connect/errors.ts';
import { readPolicy } from '../query/audit.ts';
import { ANCHOR_COLUMNS, readAnchor } from './anchor-row.ts';
import { BlockLog } from './block-log.ts';
import { lookupCursor, readLookup } from './lookup-row.ts';

/** The time limit of one page. The first page of look-ups sorts all jobs. */
const PAGE_LIMIT_MS = 300_000;
/** The longest pause of a reader between two pages; then the server ends its transaction. */
const IDLE_LIMIT_MS = 600_000;

/** Begins a transaction on a new connection, so that all its queries show one snapshot. */
export function beginSnapshot(
  store: string,
  prepare: (session: Session, processId: number | undefined) => Promise<void>,
): (session: Session, processId: number | undefined) => Promise<void> {
  let begun = false;
  return async (session, processId) => {
    if (begun) throw unavailable(store, 'The connection was lost, and the moment that it showed');
    begun = true;
    await prepare(session, processId);
    await session.query({ text: 'begin isolation level repeatable read, read only' });
    await session.query({
      text: "select set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $2, true)",
      values: [String(PAGE_LIMIT_MS), String(IDLE_LIMIT_MS)],
    });
    // The first query takes the snapshot.
    await session.query({ text: 'select pg_current_snapshot()' });
  };
}

/** Reads the log on a connection that `beginSnapshot` has prepared. Keeps only one page in memory. */
export class AuditSnapshot implements AuditReader {
  readonly #connection: Connection;
  readonly #schema: string;
  readonly #log: BlockLog;
  readonly #onClose: () => void;
  /** Id of the last look-up that the cursor has returned. */
  #lastLookup: string | undefined;

  constructor(connection: Connection, schema: string, onClose: () => void) {
    this.#connection = connection;
    this.#schema = `"${schema}"`;
    this.#log = new BlockLog(this.#schema, (statement) => this.#rows(statement));
    this.#onClose = onClose;
  }

  /** Takes the snapshot. */
  async begin(limitMs: number): Promise<this> {
    await this.#connection.use(async () => {}, limitMs);
    return this;
  }

  async anchors(after: number | undefined, limit: number) {
    const rows = await this.#rows({
      text: `select ${ANCHOR_COLUMNS} from ${this.#schema}.audit_anchors
        where $1::bigint is null or seq > $1 order by seq limit $2`,
      values: [after ?? null, limit],
    });
    return rows.map(readAnchor);
  }

  async head() {
    const [row] = await this.#rows({
      text: `select ${ANCHOR_COLUMNS} from ${this.#schema}.audit_anchors order by seq desc limit 1`,
    });
    return row && readAnchor(row);
  }

  packs(after: number | undefined, limit: number) {
    return this.#log.packs(after, limit);
  }

  blocks(after: string, limit: number) {
    return this.#log.byPosition(after, limit);
  }

  block(seq: number) {
    return this.#log.block(seq);
  }

  /**
   * Reads the rows themselves and not the list of ids, so that rows without an entry in that list are found too. No index
   * has this order: a cursor sorts once, and each page continues where the previous one ended.
   */
  async lookups(after: string, limit: number): Promise<readonly JobLookup[]> {
    return this.#connection.use(async (session) => {
      if (after !== this.#lastLookup) await this.#openLookups(session, after);
      const rows = await session.query({ text: `fetch ${Math.ceil(limit)} from redrive_lookups` });
      const lookups = rows.map(readLookup);
      this.#lastLookup = lookups.at(-1)?.id ?? after;
      return lookups;
    }, PAGE_LIMIT_MS);
  }

  async policy(hash: string) {
    const [row] = await this.#rows({
      text: `select hash, id, policy from ${this.#schema}.policies where hash = $1`,
      values: [hash],
    });
    return row && readPolicy(row);
  }

  async close(): Promise<void> {
    await this.#connection.close(CLOSE_LIMIT_MS);
    this.#onClose();
  }

  async #openLookups(session: Session, after: string): Promise<void> {
    if (this.#lastLookup !== undefined) await session.query({ text: 'close redrive_lookups' });
    await session.query({ text: lookupCursor(this.#schema), values: [after] });
  }

  #rows(statement: Statement): Promise<readonly Row[]> {
    return this.#connection.use((session) => session.query(statement), PAGE_LIMIT_MS);
  }
}

const CLOSE_LIMIT_MS = 5_000;
