import type { SanitisedError, SessionFacts } from './record.ts';

/** Milliseconds since the epoch as the shapes write times: `2026-01-29T12:00:00.000Z`. */
export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** Seconds, to the microsecond: more digits are the clock's noise. */
export function seconds(durationMs: number): number {
  return Math.round(durationMs * 1_000) / 1_000_000;
}

/** The caller's correlation id; a session without one is its own correlation. */
export function correlationId(session: Pick<SessionFacts, 'correlationId' | 'sessionId'>): string {
  return session.correlationId || session.sessionId;
}

/** The error in sessions, attempts and events. */
export interface ErrorV1 {
  readonly type: string;
  readonly message: string;
  readonly stack_trace?: string;
}

export function errorV1({ type, message, stackTrace }: SanitisedError): ErrorV1 {
  return stackTrace === undefined ? { type, message } : { type, message, stack_trace: stackTrace };
}
