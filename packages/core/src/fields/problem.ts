import { type ErrorCode, RedriveError } from '../errors/redrive-error.ts';

/** A finding about one field. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** A problem in the words that all checks share. */
export function problem(field: string, expected: string, value: unknown): FieldProblem {
  return { field, message: `${field} must be ${expected}, not ${shownValue(value)}` };
}

/** A value in a message, with its type where the text alone would not say it: `'3'` is the string "3". */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, 100))}`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint' || typeof value === 'symbol') return `a ${typeof value}`;
  // An object may have no text of its own: String() would throw.
  if (Object(value) !== value) return String(value);
  if (value instanceof Promise) return 'a promise';
  return Array.isArray(value) ? 'an array' : 'an object';
}

/** Throws one error that names all the problems, if there are any. */
export function refuse(code: ErrorCode, what: string, problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return;
  const text = problems.map(({ message }) => message).join('; ');
  throw new RedriveError(code, `Invalid ${what}: ${text}.`, { problems });
}
