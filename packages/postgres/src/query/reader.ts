import type { Clock } from '@redrive/core';
import type { Row, Session, Statement } from '../connect/connection.ts';
import { CLOCK_MS } from '../schema/now.ts';

/** Runs `work` with a connection, for at most `limitMs`. */
export type RunOn = <T>(work: (session: Session) => Promise<T>, limitMs: number) => Promise<T>;

/** Queries on a connection that no write uses. */
export class Reader {
  /** The schema's quoted name. */
  readonly schema: string;
  readonly #run: RunOn;
  readonly #clock: Clock | undefined;
  readonly #timeoutMs: number;

  constructor(run: RunOn, schema: string, clock: Clock | undefined, timeoutMs: number) {
    this.schema = `"${schema}"`;
    this.#run = run;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** The time that a statement gets as a parameter: null means the server's. */
  get nowMs(): number | null {
    return this.#clock?.now() ?? null;
  }

  rows(statement: Statement): Promise<readonly Row[]> {
    return this.#run((session) => session.query(statement), this.#timeoutMs);
  }
}

/** The time of a query: its first parameter in tests. A subquery, because a volatile function cannot use an index. */
export const NOW_SQL = `(select coalesce($1::bigint, ${CLOCK_MS}))`;
