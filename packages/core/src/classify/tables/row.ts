import { answerOf } from '../answer-of.ts';
import type { Classification, ClassifyContext, Effect, ErrorClass } from '../classification.ts';
import { causesOf, type Fields, fields } from '../error-facts.ts';

/** The meaning of one code of a table. */
export interface Row {
  readonly errorClass: ErrorClass;
  readonly effect: Effect;
  /** The meaning instead, when the response names a time for the next call. */
  readonly hinted?: Row;
  /** An earlier attempt of ours may have caused it (it exists: we made it), so from attempt 2 the effect is unknown. */
  readonly isEcho?: true;
}

/** What a table says about one error, without its causes. */
export type LookUp = (cause: Fields, context: ClassifyContext) => Classification | undefined;

export type Rows = Readonly<Record<string, Row>>;

/** Never got there, or was turned away before it did anything. */
export const NOT_DONE: Row = { errorClass: 'retryable', effect: 'none' };
/** Worth another try, but it may have been done. */
export const IN_DOUBT: Row = { errorClass: 'retryable', effect: 'unknown' };
/** The other side wants fewer calls. */
export const LIMITED: Row = { errorClass: 'rate_limited', effect: 'none' };
/** Would be turned away again. */
export const REFUSED: Row = { errorClass: 'final', effect: 'none' };
/** Would fail again, and may have done something. */
export const BROKEN: Row = { errorClass: 'final', effect: 'unknown' };
/** In the way of itself: would be turned away again, perhaps because an earlier attempt got through. */
export const ECHO: Row = { errorClass: 'final', effect: 'none', isEcho: true };
/** The caller's own cancellation. */
export const CANCELLED: Row = { errorClass: 'ignored', effect: 'unknown' };

/** The row of a code, if the table has one. Most errors have no code, and are asked about in every table. */
export function rowOf(rows: Rows, code: unknown): Row | undefined {
  if (code === undefined || code === '') return undefined;
  const key = typeof code === 'string' ? code : String(code);
  return Object.hasOwn(rows, key) ? rows[key] : undefined;
}

/** A row as a classifier's answer. */
export function answer(
  row: Row,
  { attempt }: Pick<ClassifyContext, 'attempt'>,
  retryAfterMs?: number,
): Classification {
  const { errorClass, effect, isEcho } = (retryAfterMs !== undefined && row.hinted) || row;
  return {
    errorClass,
    effect: isEcho && attempt > 1 ? 'unknown' : effect,
    retryAfterMs: errorClass === 'final' ? undefined : retryAfterMs,
  };
}

/**
 * The meaning of the nearest cause that `look` knows. When several errors failed together (`AggregateError`), the effect
 * is none only if it is none for each known error.
 */
export function nearestOf(
  causes: readonly unknown[],
  look: (cause: Fields) => Classification | undefined,
): Classification | undefined {
  let nearest: Classification | undefined;
  let isTogether = false;
  let isDone = false;
  for (const each of causes) {
    const cause = fields(each);
    isTogether ||= Array.isArray(cause.errors);
    const known = look(cause);
    if (!known) continue;
    nearest ??= known;
    isDone ||= known.effect !== 'none';
  }
  return nearest && isTogether && isDone ? { ...nearest, effect: 'unknown' } : nearest;
}

/** `nearestOf` for a table alone. Never throws: a value that cannot be read counts as unknown. */
export function nearestKnown(
  error: unknown,
  look: (cause: Fields) => Classification | undefined,
): Classification | undefined {
  return answerOf(() => nearestOf(causesOf(error), look));
}
