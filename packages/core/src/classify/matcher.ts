import { FETCH_FAILED, fields } from './error-facts.ts';

/** A class of errors, to be matched by `instanceof`. */
export type ErrorType = abstract new (...args: never[]) => unknown;

/**
 * One entry of `retryableExceptions` or `nonRetryableExceptions`:
 *
 * - a class: the error or one of its causes is an instance;
 * - a string: the `name`, the `code` or the name of a class of the error or of one of its causes. `TimeoutError`,
 *   `ConnectionError` and `NetworkError` also stand for the codes of such failures (`ETIMEDOUT`, `ECONNRESET`,
 *   `UND_ERR_SOCKET`, `ENOTFOUND`, …), because JavaScript errors rarely carry those names;
 * - `Error`, `'Error'` or `'Exception'`: everything that can be thrown;
 * - a predicate: gets the thrown value itself. A predicate that throws does not match.
 */
export type ErrorMatcher = string | ErrorType | ((error: unknown) => boolean);

/** Tested on name and code. ECONNABORTED is the timeout of axios; network errors include connections, names and routes. */
const GROUPS: Readonly<Record<string, RegExp>> = {
  TimeoutError: /TIMED?_?OUT|ECONNABORTED/i,
  ConnectionError: /CONN|EPIPE|UND_ERR_SOCKET|PREMATURE/i,
  NetworkError: /CONN|EPIPE|UND_ERR_SOCKET|PREMATURE|NETWORK|ENET|EHOST|ENOTFOUND|EAI_|ESERVFAIL/i,
};

/** Whether the entry stands for everything that can be thrown: as if there were no list. */
export function matchesEvery(matcher: ErrorMatcher): boolean {
  return matcher === Error || matcher === 'Error' || matcher === 'Exception';
}

/** Whether an error, given with its causes, is meant by an entry. Never throws. */
export function matches(causes: readonly unknown[], matcher: ErrorMatcher): boolean {
  try {
    if (matchesEvery(matcher)) return true;
    if (typeof matcher === 'string') return causes.some((cause) => isCalled(cause, matcher));
    const { prototype } = fields(matcher);
    if (prototype && causes.some((cause) => cause instanceof matcher)) return true;
    // Any function but a class of errors is a predicate. Another class throws when it is called, and so does not match.
    return !(prototype instanceof Error) && (matcher as (error: unknown) => boolean)(causes[0]);
  } catch {
    return false;
  }
}

/** Whether the error has this name or code, or a class of this name, or belongs to the group of codes. */
export function isCalled(error: unknown, wanted: string): boolean {
  const { name, code, message } = fields(error);
  if (name === wanted || code === wanted) return true;
  // Most errors are plain ones, which have no class of their own.
  for (let at = error; at && fields(at).constructor !== Error; at = Object.getPrototypeOf(at)) {
    if (fields(fields(at).constructor).name === wanted) return true;
  }
  const group = Object.hasOwn(GROUPS, wanted) ? GROUPS[wanted] : undefined;
  const isFetch = wanted !== 'TimeoutError' && FETCH_FAILED.test(String(message));
  return !!group && (isFetch || group.test(`${name} ${code}`));
}
