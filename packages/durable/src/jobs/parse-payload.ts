/** Numbers that a program cannot keep unchanged, because a double has no room for them. */
const LONG_NUMBER = /\d{16}/;
const LARGE_EXPONENT = /[eE]\+?\d{3}/;

/**
 * Reads a payload from JSON.
 *
 * @throws Error that says what is wrong with the text. Whole numbers beyond 2^53 are refused, because they would lose
 * digits on their way, and numbers beyond 1.8e308, because they would become `null`: nobody would notice.
 */
export function parsePayload(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (LONG_NUMBER.test(text) || LARGE_EXPONENT.test(text)) {
    const tooLarge = pathOfInfinity(value, 'payload');
    if (tooLarge !== undefined) {
      throw new RangeError(`the number at ${tooLarge} is too large: it would become null`);
    }
    refuseLostDigits(text);
  }
  return value;
}

/** A number beyond what a double holds is read as infinite. */
function pathOfInfinity(value: unknown, path: string): string | undefined {
  if (value === Infinity || value === -Infinity) return path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const found = pathOfInfinity(part, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
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
