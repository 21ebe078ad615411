import type { FieldProblem } from '@redrive/core/fields';

/** Of handlers, queues, tenants and policies. */
export const MAX_NAME_LENGTH = 200;
/** Of unique, limit and idempotency keys, and of ids that come from elsewhere. */
export const MAX_KEY_LENGTH = 512;

/**
 * The problem of a name or a key, if it has one. They go into indexes, logs and terminals: so they have an end, hold no
 * control characters, and are text that every database takes. `undefined` is none, and nothing is wrong with that.
 */
export function textProblem(
  field: string,
  value: unknown,
  maxLength: number,
  { empty = false } = {},
): FieldProblem | undefined {
  if (value === undefined) return undefined;
  const wrong = (what: string) => ({ field, message: `${field} ${what}` });
  if (typeof value !== 'string')
    return wrong(`must be a text, not a value of type ${typeof value}`);
  if (value === '' && !empty) return wrong('must not be empty');
  if (value.length > maxLength) {
    return wrong(`must have at most ${maxLength} characters, not ${value.length}`);
  }
  if (/\p{Cc}/u.test(value)) return wrong('must not have control characters');
  if (!value.isWellFormed()) return wrong('must not have half a surrogate pair');
  return undefined;
}
