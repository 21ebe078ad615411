import { MAX_PROBLEMS } from '../document/limits.ts';
import { PROBLEM_CODES, type ProblemCode } from './codes.ts';
import type { Problem } from './problem.ts';

/** Where something stands in a file. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The file as a whole. */
export const WHOLE_FILE: Place = { path: '', line: 1, column: 1 };

/** Makes a problem; its code says how bad it is, and what to do where nothing more exact can be said. */
export function finding(
  code: ProblemCode,
  place: Place,
  message: string,
  suggestion: string = PROBLEM_CODES[code].remedy,
): Problem {
  return {
    severity: PROBLEM_CODES[code].kind === 'error' ? 'error' : 'warning',
    code,
    path: place.path,
    line: place.line,
    column: place.column,
    message,
    suggestion,
  };
}

/** In the order of the file, at most `MAX_PROBLEMS` of them, errors before warnings when some must go. */
export function arrange(problems: readonly Problem[], file: string | undefined): Problem[] {
  const bySeverity = problems.toSorted(
    (a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'),
  );
  const kept = bySeverity.slice(0, MAX_PROBLEMS);
  if (problems.length > MAX_PROBLEMS) {
    const message = `There are more problems than the ${MAX_PROBLEMS} that are listed`;
    kept.push(finding('too_many_problems', WHOLE_FILE, message));
  }
  return kept
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map((problem) => (file === undefined ? problem : { file, ...problem }));
}
