import { type ErrorCode, RedriveError } from '../errors/redrive-error.ts';
import { nearest } from './nearest.ts';

/** The allowed values of a field. */
export type FieldRule =
  /** Both bounds included; `Number.MIN_VALUE` as the lower one stands for "above 0". */
  | { readonly kind: 'integer' | 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  /** Not empty, unless it says so. */
  | { readonly kind: 'string'; readonly empty?: boolean }
  | { readonly kind: 'boolean' | 'function' }
  /** A rule of its own; it also sees the other fields. `must` describes the value in messages. */
  | {
      readonly kind: 'check';
      readonly must: string;
      readonly obeys: (value: unknown, all: Readonly<Record<string, unknown>>) => boolean;
    }
  /** A list of what `typeof` calls so. A single one may stand for a list of one. */
  | { readonly kind: 'list'; readonly of: readonly string[] };

export type FieldRules = Readonly<Record<string, FieldRule>>;

/** Each option with its default (`null`: it must be given) and its rule, if it has one. */
export type OptionTable<T> = {
  readonly [K in keyof T]-?: readonly [fallback: T[K] | null | undefined, rule?: FieldRule];
};

/**
 * Fills in the defaults, in the table's order, and suggests a name for an unknown one.
 *
 * @param also finds what is wrong between fields; it sees them before they are known to be right.
 * @param unknown the finding about an unknown name.
 * @throws RedriveError with every problem at once.
 */
export function resolveOptions<T extends object>(
  what: string,
  given: T,
  table: OptionTable<T>,
  code: ErrorCode = 'invalid_option',
  also?: (
    options: Readonly<Record<string, unknown>>,
  ) => FieldProblem | readonly FieldProblem[] | undefined,
  unknown: (name: string, known: readonly string[]) => FieldProblem = suggestName,
): Required<T> {
  if (typeof given !== 'object' || given === null)
    refuse(code, what, [problem('it', 'an object', given)]);
  // Read once: what was checked is what is used, whatever a getter answers the next time.
  const values: Record<string, unknown> = Object.fromEntries(Object.entries(given));
  const options: Record<string, unknown> = {};
  const known = Object.keys(table);
  const problems = Object.keys(values)
    .filter((name) => !known.includes(name))
    .map((name) => unknown(name, known));
  for (const [field, [fallback, rule]] of Object.entries<readonly [unknown, FieldRule?]>(table)) {
    const value = values[field] ?? fallback;
    const expected = rule !== undefined && value !== undefined && unmet(rule, value, values);
    if (expected) problems.push(problem(field, expected, values[field]));
    // A list of its own, so that the caller's can change without changing this one.
    options[field] =
      rule?.kind === 'list' && value !== undefined ? Object.freeze([value].flat()) : value;
  }
  const between = also?.(options);
  if (between) problems.push(...[between].flat());
  refuse(code, what, problems);
  // It has every field of the table, which are those of T, and each has just obeyed its rule.
  return options as Required<T>;
}

/** The finding about an unknown name, with the nearest known name, or with all where none is near. */
export function suggestName(field: string, known: readonly string[]): FieldProblem {
  const close = nearest(field, known);
  const advice = close ? ` (did you mean ${close}?)` : `; known are ${known.join(', ')}`;
  return { field, message: `${field} is unknown${advice}` };
}

/** Every breach of a rule. A name with `?` may be absent. Fields without a rule are allowed. */
export function fieldProblems(
  values: Readonly<Record<string, unknown>>,
  rules: FieldRules,
): FieldProblem[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const field = name.replace('?', '');
    const value = values[field];
    const expected = (value !== undefined || field === name) && unmet(rule, value, values);
    return expected ? [problem(field, expected, value)] : [];
  });
}

/** The demand of the rule, if the value does not meet it. */
function unmet(
  rule: FieldRule,
  value: unknown,
  all: Readonly<Record<string, unknown>>,
): string | false {
  switch (rule.kind) {
    case 'string':
      return !(typeof value === 'string' && (value || rule.empty)) && 'a text';
    case 'choice':
      return !rule.values.some((one) => one === value) && `one of ${rule.values.join(', ')}`;
    case 'check':
      return !rule.obeys(value, all) && rule.must;
    case 'list':
      return (
        ![value].flat().every((one) => rule.of.includes(typeof one)) &&
        `a list of ${rule.of.join('s or ')}s`
      );
    case 'integer':
    case 'number': {
      const { kind, min, max } = rule;
      const type = kind === 'integer' ? 'whole number' : 'number';
      // NaN fails both comparisons.
      const obeys =
        typeof value === 'number' &&
        value >= min &&
        value <= max &&
        (kind === 'number' || Number.isInteger(value));
      return (
        !obeys && `a ${type} ${min === Number.MIN_VALUE ? 'above 0, up' : `from ${min}`} to ${max}`
      );
    }
    default:
      return typeof value !== rule.kind && `a ${rule.kind}`;
  }
}

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
