import type { Classifier, Effect, ErrorClass } from '../classify/classification.ts';
import type { Rows } from '../classify/tables/row.ts';

/** Class, effect and the codes that have them, separated by `|`. */
export type TableCases = readonly (readonly [ErrorClass, Effect, string])[];

/**
 * Looks at every code of `cases` through a classifier, as it is and as the cause of another error.
 *
 * @param errorOf makes the error that a driver throws for a code.
 * @returns the codes that were answered otherwise, and rows without a case: both empty if all is well.
 */
export function wrongRows(
  classifier: Classifier,
  rows: Rows,
  cases: TableCases,
  errorOf: (code: string) => unknown,
): { readonly wrong: readonly string[]; readonly untested: readonly string[] } {
  const wrong: string[] = [];
  const untested = new Set(Object.keys(rows));
  for (const [errorClass, effect, codes] of cases) {
    for (const code of codes.split('|')) {
      untested.delete(code);
      const error = errorOf(code);
      for (const thrown of [error, new Error('wrapped', { cause: error })]) {
        const found = classifier(thrown, { attempt: 1, nowMs: 0 });
        if (found?.errorClass === errorClass && found.effect === effect) continue;
        wrong.push(`${code}: ${found?.errorClass} ${found?.effect}, not ${errorClass} ${effect}`);
      }
    }
  }
  return { wrong, untested: [...untested] };
}

/** The result of `wrongRows` if there is no problem. */
export const ALL_RIGHT = { wrong: [], untested: [] };
