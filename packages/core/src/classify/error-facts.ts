import { MAX_DURATION_MS } from '../clock/clock.ts';
import type { RetryError } from '../errors/retry-error.ts';

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

/** The give-up behind each error or response that came out instead of it. Objects of other libraries are not changed. */
const gaveUp = /* @__PURE__ */ new WeakMap<object, RetryError>();

/**
 * The give-up behind an error that `retryingFetch`, `redriveInterceptor` or `axiosAdapter` threw unchanged, or behind a
 * response that they returned: its attempts, and why there was no further one. `undefined`: nothing was given up.
 */
export function retryErrorOf(outcome: unknown): RetryError | undefined {
  return gaveUp.get(outcome as object); // Nothing else than an object is ever found.
}

/** Remembers the give-up behind an outcome; without one, forgets what was known. Only objects have an identity. */
export function rememberGiveUp(outcome: unknown, error?: RetryError): void {
  if (Object(outcome) !== outcome) return;
  if (error) gaveUp.set(outcome as object, error);
  else gaveUp.delete(outcome as object);
}

/** Whether this very error is a give-up of Redrive, or one that came out unchanged in its place. */
export function isGiveUp(error: unknown): boolean {
  return fields(retryErrorOf(error) ?? error).code === 'retry_gave_up';
}

/** The HTTP status of a failed call, where clients put it: `status`, `statusCode`, or the same on `response`. */
export function statusOf(error: unknown): number | undefined {
  const { status, statusCode, response } = fields(error);
  const inner = fields(response);
  return [status, statusCode, inner.status, inner.statusCode].find(isFailure);
}

function isFailure(status: unknown): status is number {
  return typeof status === 'number' && status >= 400 && status < 600;
}

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

/** A count of units, as a number or as decimal digits, in whole milliseconds (rounded up: never earlier), ten years at most. */
export function unitsToMs(value: unknown, unitMs: number): number | undefined {
  const isText = typeof value === 'string' && /^ *\d+(\.\d+)? *$/.test(value);
  const ms = isText || typeof value === 'number' ? Number(value) * unitMs : -1;
  return ms >= 0 ? Math.min(Math.ceil(ms), MAX_DURATION_MS) : undefined;
}

// IMF-fixdate and RFC 850 name day, month, year, time; asctime month, day, time, year.
const HTTP_DATE =
  /^\w+, (\d+)[ -](\w+)[ -](\d+) ([\d:]{8}) GMT$|^\w+ (\w+) +(\d+) ([\d:]{8}) (\d{4})$/;

/**
 * The three forms of an HTTP-date, or NaN. Taken apart before `Date.parse`, which accepts nearly anything and reads the
 * zoneless asctime as local time.
 */
export function httpDateToMs(text: string): number {
  const [, day, month, year, time, month2, day2, time2, year2] = HTTP_DATE.exec(text.trim()) ?? [];
  return Date.parse(`${day ?? day2} ${month ?? month2} ${year ?? year2} ${time ?? time2} GMT`);
}

/** A Retry-After value: delta seconds or an HTTP-date, which is compared with `nowMs`. A date in the past is 0. */
export function retryAfterToMs(text: string, nowMs: number): number | undefined {
  return unitsToMs(text, 1000) ?? unitsToMs(Math.max(0, httpDateToMs(text) - nowMs), 1);
}

/** One header's value or '', whatever holds the headers: `Headers`, a `Map`, pairs, a plain object; in any case. */
export function header(headers: unknown, name: string): string {
  const bag = Object(headers);
  const pairs: unknown[] = bag[Symbol.iterator] ? [...bag] : Object.entries(bag);
  const pair = pairs.find((each) => String(fields(each)[0]).toLowerCase() === name);
  // A list of one is as good as its member; a longer one becomes text with commas, which no parser takes.
  return String((pair ? fields(pair)[1] : bag.get?.(name)) ?? '');
}

/** The server's own time where it sent a Date, because its clock and ours may differ. */
export function serverNowMs(headers: unknown, nowMs: number): number {
  return httpDateToMs(header(headers, 'date')) || nowMs;
}

/** The wait that Retry-After (or the finer retry-after-ms) asks for. Malformed, negative and list values are ignored. */
export function headerHint(headers: unknown, nowMs: number): number | undefined {
  if (!headers) return undefined;
  return (
    unitsToMs(header(headers, 'retry-after-ms'), 1) ??
    retryAfterToMs(header(headers, 'retry-after'), serverNowMs(headers, nowMs))
  );
}

/** The wait an error carries: `retryAfterMs`, `retryAfter` (seconds), or the headers of it or of its `response`. */
export function hintOf(error: unknown, nowMs: number): number | undefined {
  const { retryAfterMs, retryAfter, headers, response } = fields(error);
  return (
    unitsToMs(retryAfterMs, 1) ??
    unitsToMs(retryAfter, 1000) ??
    headerHint(headers, nowMs) ??
    headerHint(fields(response).headers, nowMs)
  );
}

/** Cancels a body that will not be read, which frees its socket. */
export function cancelBody(body: unknown): void {
  const { cancel } = fields(body);
  if (typeof cancel !== 'function') return;
  // `cancel` rejects while a reader has the body locked; that reader must then end it.
  Promise.resolve(cancel.call(body)).catch(() => {});
}
