import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type Statement, statement } from './statement.ts';

export interface ManyRowsShape {
  /** The row counts for which a statement is prepared, in descending order, the last one 1. */
  readonly sizes: readonly number[];
  /** Number of parameters that all rows share: `?1` and so on. */
  readonly shared: number;
  /** Number of parameters of each row. */
  readonly own: number;
  /** The part of the statement for one row, from the names of the row's parameters. */
  readonly row: (own: readonly string[]) => string;
  /** The whole statement, from the parts of its rows. */
  readonly sql: (rows: string) => string;
}

/**
 * A statement for many rows at a time, because opening all indexes of a table costs as much as writing a row. Each run
 * uses the largest prepared row count that the remaining rows fill.
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
   * @param onRun called after every statement with its first row, its number of rows and its changes.
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
