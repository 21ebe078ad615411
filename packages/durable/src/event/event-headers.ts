import { type Clock, type ParentSession, sessionHeaders, systemClock } from '@redrive/core';
import { MAX_KEY_LENGTH, textProblem } from '../jobs/text-problem.ts';

const DEADLINE = 'redrive-deadline';

/**
 * The headers that carry a session to the consumer of an event: those of `sessionHeaders`, and its deadline as a moment,
 * because time in a queue counts. Anybody can send headers: a consumer lets them lower attempts and time, never raise.
 */
export function eventHeaders(
  session: ParentSession,
  clock: Clock = systemClock,
): Record<string, string> {
  const timeLeftMs = session.timeLeftMs();
  const headers = sessionHeaders(session);
  if (timeLeftMs === Infinity) return headers;
  return { ...headers, [DEADLINE]: new Date(clock.now() + timeLeftMs).toISOString() };
}

type Headers = Readonly<Record<string, string | undefined>>;

/** The session that published the event. */
export const SESSION_HEADER = 'redrive-session';

/** The session that published the event: the correlation id of the event, unless it cannot be one. */
export function sessionOf({ [SESSION_HEADER]: given }: Headers): string | undefined {
  return given !== undefined && textProblem('id', given, MAX_KEY_LENGTH) === undefined
    ? given
    : undefined;
}

/** Retries that the session made before this event: they count as attempts of it. */
export function chargedBefore({ 'redrive-retries': given = '' }: Headers): number {
  return /^\d{1,15}$/.test(given) ? Math.min(Number(given), MAX_COUNTED) : 0;
}

/** More than any policy allows. */
const MAX_COUNTED = 1_000;

/** ISO 8601, or milliseconds since 1970. */
export function deadlineMsOf({ [DEADLINE]: given }: Headers): number | undefined {
  if (given === undefined) return undefined;
  const atMs = /^\d{1,15}$/.test(given) ? Number(given) : Date.parse(given);
  return Number.isFinite(atMs) ? atMs : undefined;
}
