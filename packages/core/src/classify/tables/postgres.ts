import type { Classifier } from '../classification.ts';
import { POSTGRES_CLASSES, POSTGRES_ROWS } from './postgres-rows.ts';
import { answer, type LookUp, nearestKnown, rowOf } from './row.ts';

/** Classifies errors of pg, postgres.js and libraries around them, by SQLSTATE. For `classify` of a policy. */
export const postgresErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => lookUpPostgres(cause, context));

export const lookUpPostgres: LookUp = ({ code, message }, context) => {
  const key = code ?? message;
  if (typeof key !== 'string') return undefined;
  const state = /^[0-9A-Z]{5}$/.test(key) ? key : '';
  const row = rowOf(POSTGRES_ROWS, key) ?? rowOf(POSTGRES_CLASSES, state.slice(0, 2));
  return row && answer(row, context);
};
