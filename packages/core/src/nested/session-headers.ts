import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import type { ParentSession } from '../run/attempt-context.ts';

const SESSION = 'redrive-session';
const RETRIES = 'redrive-retries';
const TIME_LEFT = 'redrive-time-left-ms';
const MAX_ID_LENGTH = 500;

/**
 * The headers that carry a session to another process: its id, the retries made so far and the time left. The time is a
 * duration, because the clocks of two machines differ.
 *
 * ```ts
 * await retry((context) => fetch(url, { headers: sessionHeaders(context), signal: context.signal }));
 * ```
 */
export function sessionHeaders(session: ParentSession): Record<string, string> {
  const timeLeftMs = session.timeLeftMs();
  return {
    [SESSION]: encodeURIComponent(session.sessionId.toWellFormed()),
    [RETRIES]: String(Math.max(0, session.retries.count)),
    ...(timeLeftMs === Infinity
      ? {}
      : { [TIME_LEFT]: String(Math.max(0, Math.floor(timeLeftMs))) }),
  };
}

/** Anything that headers come in: `Headers`, or the object that Node gives. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The session of the caller, to be passed to `retry` as `parent`; `undefined` if the request has none. Malformed headers
 * are ignored: anybody can send headers, so they may only lower the number of retries.
 */
export function sessionFromHeaders(
  headers: HeadersLike,
  clock: Clock = systemClock,
): ParentSession | undefined {
  const sessionId = read(headers, SESSION);
  if (sessionId === undefined || sessionId === '' || sessionId.length > MAX_ID_LENGTH)
    return undefined;
  const timeLeftMs = count(read(headers, TIME_LEFT)) ?? Infinity;
  const deadlineMs = clock.monotonic() + timeLeftMs;
  return {
    sessionId: decode(sessionId),
    retries: { count: count(read(headers, RETRIES)) ?? 0 },
    timeLeftMs: () => (timeLeftMs === Infinity ? Infinity : deadlineMs - clock.monotonic()),
  };
}

function read(headers: HeadersLike, name: string): string | undefined {
  const value = typeof headers.get === 'function' ? headers.get(name) : Reflect.get(headers, name);
  return typeof value === 'string' ? value : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A whole number, where there is one that can be read. */
function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
