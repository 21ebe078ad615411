import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type Statement, statement } from './statement.ts';

export interface ManyRowsShape {
  /** Numbers of rows that it is prepared for, falling, down to 1. */
  readonly sizes: readonly number[];
  /** How many parameters all rows share: `?1` and on. */
  readonly shared: number;
  /** How many each row has of its own. */
  readonly own: number;
  /** The part of the statement that is there once per row, given the names of its own parameters. */
  readonly row: (own: readonly string[]) => string;
  /** The whole statement, given those parts. */
  readonly sql: (rows: string) => string;
}

/**
 * A statement for many rows at a time: opening all indexes of a table costs as much as writing a row. Rows go with the
 * largest number of them that they fill.
 */
export class ManyRows {
  readonly #own: number;
  readonly #statements: readonly (readonly [size: number, run: Statement])[];

  constructor(db: DatabaseSync, { sizes, shared, own, row, sql }: ManyRowsShape) {
    this.#own = own;
    this.#statements = sizes.map((size) => {
      const rows = Array.from({ length: size }, (_, index) => {
        const first = shared + index * own + 1;
        return row(Array.from({ length: own }, (_own, place) => `?${first + place}`));
      });
      return [size, statement(db, sql(rows.join(', ')))];
    });
  }

  /**
   * @param values of all rows, one after the other.
   * @param onRun is told of every statement: from which row on, how many, and what it has changed.
   */
  run(
    shared: readonly SQLInputValue[],
    values: readonly SQLInputValue[],
    onRun?: (from: number, rows: number, changes: number, lastRowid: number) => void,
  ): void {
    const own = this.#own;
    let from = 0;
    for (const [size, run] of this.#statements) {
      for (; values.length - from >= size * own; from += size * own) {
        const next = values.slice(from, from + size * own);
        const { changes, lastInsertRowid } = run.run(...shared, ...next);
        onRun?.(from / own, size, Number(changes), Number(lastInsertRowid));
      }
    }
  }
}
