/** The last field of a record, as text. */
export interface RecordDetail {
  /** JSON object. */
  readonly detail: string;
  /**
   * JSON array: values that differ between records which otherwise have the same detail. `own` in the detail names their
   * fields, which have 0 there. Absent: the detail is complete.
   */
  readonly own?: string | undefined;
}

/** Deepest field with a value of its own: `input.account.charged`. */
const MAX_DEPTH = 3;

/** A detail with the values of one record. `undefined`: they do not belong together. */
export function withOwn(detail: unknown, values: unknown): unknown {
  if (!isObject(detail) || !Array.isArray(detail.own) || !Array.isArray(values)) return undefined;
  const { own, ...shared } = detail;
  const names: readonly unknown[] = Array.isArray(own) ? own : [];
  if (names.length !== values.length) return undefined;
  return names.reduce(
    (whole, name, at) => withField(whole, String(name).split('.', MAX_DEPTH), values[at]),
    shared,
  );
}

/** The complete detail. */
export function wholeDetail({ detail, own }: RecordDetail): string {
  return own === undefined ? detail : JSON.stringify(withOwn(JSON.parse(detail), JSON.parse(own)));
}

function withField(
  object: unknown,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  const before = isObject(object) ? object : {};
  return { ...before, [name]: rest.length === 0 ? value : withField(before[name], rest, value) };
}

// The parts of a detail are read unchecked from JSON: a part of another type counts as absent.

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
