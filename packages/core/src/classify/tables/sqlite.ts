import type { Classifier } from '../classification.ts';
import type { Fields } from '../error-facts.ts';
import { answer, type LookUp, nearestKnown, type Row, rowOf } from './row.ts';
import { SQLITE_NUMBERS, SQLITE_ROWS } from './sqlite-rows.ts';

/**
 * Classifies errors of node:sqlite (by `errcode`) and better-sqlite3 (by `code`, such as `SQLITE_BUSY`). For `classify`
 * of a policy.
 */
export const sqliteErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => lookUpSqlite(cause, context));

export const lookUpSqlite: LookUp = (cause, context) => {
  const row = numberedRow(cause) ?? namedRow(cause);
  return row && answer(row, context);
};

function numberedRow({ code, errcode }: Fields): Row | undefined {
  if (code !== 'ERR_SQLITE_ERROR') return undefined;
  const name = SQLITE_NUMBERS[String(errcode)] ?? SQLITE_NUMBERS[Number(errcode) & 0xff];
  return rowOf(SQLITE_ROWS, name);
}

function namedRow({ code }: Fields): Row | undefined {
  if (typeof code !== 'string') return undefined;
  const [, name, primary] = /^SQLITE_(([A-Z]+)\w*)$/.exec(code) ?? [];
  return rowOf(SQLITE_ROWS, name) ?? rowOf(SQLITE_ROWS, primary);
}
