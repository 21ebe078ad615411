import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type Statement, statement } from './statement.ts';

export interface ManyRowsShape {
  /** The row counts for which a statement is prepared, in descending order, the last one 1. */
  readonly sizes: readonly number[];
  /** The part of the statement for one row. */
  readonly row: string;
  /** Number of parameters of each row. */
  readonly own: number;
  /**
   * The whole statement, from the parts of its rows. Parameters that all rows share are `?1` and so on, and each of them
   * stands before the first row. Parameters of a row are plain `?`: SQLite looks a numbered one up in a list of them all.
   */
  readonly sql: (rows: string) => string;
}

/**
 * A statement for many rows at a time, because opening all indexes of a table costs as much as writing a row. Each run
 * uses the largest prepared row count that the remaining rows fill.
 */
export class ManyRows {
  readonly #own: number;
  readonly #statements: readonly (readonly [size: number, run: Statement])[];

  constructor(db: DatabaseSync, { sizes, row, own, sql }: ManyRowsShape) {
    this.#own = own;
    this.#statements = sizes.map((size) => [
      size,
      statement(db, sql(Array.from({ length: size }, () => row).join(', '))),
    ]);
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
