import type { Clock } from '@redrive/core';
import type { Connection, Row, Statement } from '../connect/connection.ts';
import { CLOCK_MS } from '../schema/now.ts';

/** Asks the database on a connection that no write waits for. */
export class Reader {
  /** The schema's quoted name. */
  readonly schema: string;
  readonly #connection: Connection;
  readonly #clock: Clock | undefined;
  readonly #timeoutMs: number;

  constructor(connection: Connection, schema: string, clock: Clock | undefined, timeoutMs: number) {
    this.schema = `"${schema}"`;
    this.#connection = connection;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** The time that a statement gets as a parameter: null means the server's. */
  get nowMs(): number | null {
    return this.#clock?.now() ?? null;
  }

  rows(statement: Statement): Promise<readonly Row[]> {
    return this.#connection.use((session) => session.query(statement), this.#timeoutMs);
  }

  close(): Promise<void> {
    return this.#connection.close(this.#timeoutMs);
  }
}

/** The time of a query whose first parameter is the test's. As a subquery, because a volatile function is no index condition. */
export const NOW_SQL = `(select coalesce($1::bigint, ${CLOCK_MS}))`;
