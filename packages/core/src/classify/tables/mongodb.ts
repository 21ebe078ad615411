import type { Classifier } from '../classification.ts';
import type { Fields } from '../error-facts.ts';
import { MONGODB_LABELS, MONGODB_NAMES, MONGODB_ROWS } from './mongodb-rows.ts';
import { answer, type LookUp, nearestKnown, type Row, rowOf } from './row.ts';

/** Classifies errors of MongoDB's driver and Mongoose: by label, then code, then name. For `classify` of a policy. */
export const mongodbErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => lookUpMongodb(cause, context));

export const lookUpMongodb: LookUp = (cause, context) => {
  if (!/^Mongo/.test(String(cause.name))) return undefined;
  const row =
    labelled(cause) ?? rowOf(MONGODB_ROWS, cause.code) ?? rowOf(MONGODB_NAMES, cause.name);
  return row && answer(row, context);
};

function labelled({ errorLabels }: Fields): Row | undefined {
  if (!Array.isArray(errorLabels)) return undefined;
  const label = Object.keys(MONGODB_LABELS).find((each) => errorLabels.includes(each));
  return label === undefined ? undefined : MONGODB_LABELS[label];
}
