/** The properties of a thrown value: any name, with a value of unknown type. */
export type Fields = Readonly<Record<string, unknown>>;

/** A thrown value as something to read properties from. Reading may still throw (a getter, a proxy): callers catch. */
export function fields(value: unknown): Fields {
  // Anything but null and undefined has readable properties in JavaScript, also a string or a number.
  return (value ?? {}) as Fields;
}

/** How many errors are opened in search of causes, and how many members of one `AggregateError` are looked at. */
const MAX_OPENED = 8;

/**
 * The thrown value, then its causes, nearest first: `cause`, and the `errors` of an `AggregateError`. Bounded, and safe
 * for errors that cause each other.
 */
export function causesOf(error: unknown): readonly unknown[] {
  const found = [error];
  for (let at = 0; at < found.length && at < MAX_OPENED; at++) {
    const { cause, errors } = fields(found[at]);
    const next = Array.isArray(errors) ? [cause, ...errors.slice(0, MAX_OPENED)] : [cause];
    for (const each of next) if (each && !found.includes(each)) found.push(each);
  }
  return found;
}
