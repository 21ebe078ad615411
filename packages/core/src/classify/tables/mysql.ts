import type { Classifier } from '../classification.ts';
import { MYSQL_CLIENTS, MYSQL_ROWS } from './mysql-rows.ts';
import { answer, type LookUp, nearestKnown, rowOf } from './row.ts';

/** Classifies errors of mysql2, mysql and mariadb, by error number (`errno`). For `classify` of a policy. */
export const mysqlErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => lookUpMysql(cause, context));

export const lookUpMysql: LookUp = ({ errno, code, message }, context) => {
  // Node's own errors have an `errno` too, below 0.
  const row =
    rowOf(MYSQL_ROWS, errno) ?? rowOf(MYSQL_CLIENTS, typeof code === 'string' ? code : message);
  return row && answer(row, context);
};
