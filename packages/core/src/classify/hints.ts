import { MAX_DURATION_MS } from '../clock/clock.ts';
import { fields } from './causes.ts';

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
