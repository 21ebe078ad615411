import { fields } from './causes.ts';

/** Whether it is a mistake in the code, which no further attempt will mend. */
export function isProgrammerError(error: unknown): boolean {
  const { name } = fields(error);
  return (
    /^(Reference|Syntax)Error$/.test(String(name)) ||
    (name === 'TypeError' && !isNetworkTypeError(error))
  );
}

/**
 * `fetch` reports a failed connection as a TypeError: in Node with a cause that has a code, in browsers, Deno and React
 * Native only with a message of their own. A bad URL has a code too, but is the caller's mistake.
 */
export function isNetworkTypeError(error: unknown): boolean {
  const { name, message, cause } = fields(error);
  const { code } = fields(cause);
  return (
    name === 'TypeError' &&
    ((typeof code === 'string' && !code.startsWith('ERR_INVALID')) ||
      /^(Failed to fetch|NetworkError when|Load failed|Network request failed|error sending request)/.test(
        String(message),
      ))
  );
}
