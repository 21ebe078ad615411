import { type AttemptLog, type JobAttempt, NO_ATTEMPTS } from '@redrive/durable/store';

/** NULL, where there was none. */
export function encodeAttempts(log: AttemptLog): string | null {
  return log.kept.length === 0 && log.omitted === 0 ? null : JSON.stringify(log);
}

export function decodeAttempts(text: string | null): AttemptLog {
  if (text === null) return NO_ATTEMPTS;
  // Written by encodeAttempts.
  const log = JSON.parse(text) as AttemptLog;
  for (const { input } of log.kept) if (input !== undefined) restoreInfinity(input);
  return log;
}

/**
 * JSON has no Infinity and writes null; nothing in a decision's input is ever null. By hand, because a reviver makes the
 * parsing of the whole log ten times as slow.
 */
function restoreInfinity(input: NonNullable<JobAttempt['input']>): void {
  // It was just parsed: nobody else has it yet.
  const fields = input as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) fields[name] = Infinity;
    else if (typeof value === 'object') restoreInfinity(value as typeof input);
  }
}
