import { fields } from './causes.ts';

/**
 * Messages of `fetch` about a failed connection in browsers, Deno and React Native, where its TypeError has no cause.
 */
export const FETCH_FAILED =
  /^(Failed to fetch|NetworkError when|Load failed|Network request failed|error sending request)/;

/**
 * Whether it is a mistake in the code, which no further attempt will mend. `fetch` reports a failed connection as a
 * TypeError too: in Node with a cause that has a code. (A bad URL also has one, but is the caller's mistake.)
 */
export function isProgrammerError(error: unknown): boolean {
  const { name, message, cause } = fields(error);
  const { code } = fields(cause);
  return (
    /^(Reference|Syntax|Type)Error$/.test(String(name)) &&
    (typeof code !== 'string' || code.startsWith('ERR_INVALID')) &&
    !FETCH_FAILED.test(String(message))
  );
}
