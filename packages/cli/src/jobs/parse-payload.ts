/** What JSON cannot carry through a program unchanged: whole numbers that a double has no room for. */
const LONG_NUMBER = /\d{16}/;

/**
 * Reads a payload from JSON.
 *
 * @throws Error that says what is wrong with the text. Whole numbers beyond 2^53 are refused: they would lose digits on
 * their way, and nobody would notice.
 */
export function parsePayload(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (LONG_NUMBER.test(text)) refuseLostDigits(text);
  return value;
}

/** The third argument of a reviver, which Node has had since version 21 and the types do not know yet. */
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

function refuseLostDigits(text: string): void {
  const check: Reviver = (_key, value, { source = '' }) => {
    if (typeof value === 'number' && /^-?\d+$/.test(source) && !Number.isSafeInteger(value)) {
      throw new RangeError(`the number ${source} would lose digits: write it as a text`);
    }
    return value;
  };
  // The type of JSON.parse leaves the third argument out.
  JSON.parse(text, check as (key: string, value: unknown) => unknown);
}
