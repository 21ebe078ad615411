import type { DatabaseSync } from 'node:sqlite';
import { type Statement, statement } from '../database/statement.ts';

/**
 * Large payloads have their own table: SQLite writes a row as a whole, so that every change of a job would write its
 * payload again.
 */
export const PAYLOADS = `
  CREATE TABLE payloads (
    n INTEGER PRIMARY KEY,
    -- TEXT: JSON. BLOB: bytes.
    payload ANY NOT NULL
  ) STRICT;
`;

/** From this size on a payload stands apart. Smaller ones are cheaper in the row. */
const LARGE = 2_048;
/** The `body` of a job whose payload stands apart. */
const APART = 0;

/** The payload of a job in `jobs j`. */
export const PAYLOAD = `iif(j.body = ${APART}, (SELECT payload FROM payloads p WHERE p.n = j.n), j.body)`;

/** The value for the job's own row. */
export function bodyOf(payload: string | Uint8Array): string | Uint8Array | typeof APART {
  return payload.length < LARGE ? payload : APART;
}

/** The large payloads, each in a row of its own. */
export class Payloads {
  readonly #add: Statement;
  readonly #remove: Statement;
  readonly #setBody: Statement;

  constructor(db: DatabaseSync) {
    this.#add = statement(
      db,
      'INSERT INTO payloads (n, payload) SELECT n, ?2 FROM jobs WHERE id = ?1',
    );
    this.#remove = statement(db, 'DELETE FROM payloads WHERE n = ?');
    this.#setBody = statement(db, 'UPDATE jobs SET body = ? WHERE n = ?');
  }

  /** Stores the payload of a new job, unless it stands in the job's row. */
  add(id: string, payload: string | Uint8Array): void {
    if (bodyOf(payload) === APART) this.#add.run(id, payload);
  }

  replace(n: number, id: string, payload: string | Uint8Array): void {
    this.remove(n);
    this.#setBody.run(bodyOf(payload), n);
    this.add(id, payload);
  }

  remove(n: number): void {
    this.#remove.run(n);
  }
}
