import { type ErrorCode, RedriveError } from '../errors/redrive-error.ts';

/** A finding about one field. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** What a field may hold. A text must not be empty. */
type Rule =
  | { readonly kind: 'integer' | 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'string' };

export type FieldRules = Readonly<Record<string, Rule>>;

/** Each option with its default (`null`: it must be given) and its rule, if it has one. */
export type OptionTable<T> = {
  readonly [K in keyof T]-?: readonly [fallback: T[K] | null | undefined, rule?: Rule];
};

/** Fills in the defaults. @throws RedriveError `invalid_option` with every problem at once. */
export function resolveOptions<T extends object>(
  what: string,
  given: T,
  table: OptionTable<T>,
): Required<T> {
  const options: Record<string, unknown> = {};
  const rules: Record<string, Rule> = {};
  const problems: FieldProblem[] = [];
  for (const [field, [fallback, rule]] of Object.entries<readonly [unknown, Rule?]>(table)) {
    options[field] = fallback;
    if (rule) rules[field] = rule;
  }
  for (const [field, value] of Object.entries(given)) {
    if (!Object.hasOwn(options, field)) problems.push({ field, message: `${field} is unknown` });
    else if (value !== undefined) options[field] = value;
  }
  refuse('invalid_option', what, [...problems, ...fieldProblems(options, rules)]);
  // It has every field of the table, which are those of T, and each has just obeyed its rule.
  return options as Required<T>;
}

/** What is wrong with the fields that have a rule. */
export function fieldProblems(
  values: Readonly<Record<string, unknown>>,
  rules: FieldRules,
): FieldProblem[] {
  return Object.entries(rules).flatMap(([field, rule]) => {
    const expected = unmet(rule, values[field]);
    return expected ? [problem(field, expected, values[field])] : [];
  });
}

/** A finding in the usual words. */
export function problem(field: string, expected: string, value: unknown): FieldProblem {
  // An object may have no text of its own: String() would throw.
  const shown = typeof value === 'object' && value ? 'an object' : String(value);
  return { field, message: `${field} must be ${expected}, not ${shown}` };
}

/** What the rule asks for, if the value does not obey it. */
function unmet(rule: Rule, value: unknown): string | false {
  if (rule.kind === 'string') return !(typeof value === 'string' && value) && 'a text';
  if (rule.kind === 'choice') {
    return !rule.values.some((one) => one === value) && `one of ${rule.values.join(', ')}`;
  }
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

/** Throws one error that names all the problems, if there are any. */
export function refuse(code: ErrorCode, what: string, problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return;
  const text = problems.map(({ message }) => message).join('; ');
  throw new RedriveError(code, `Invalid ${what}: ${text}.`, { problems });
}
