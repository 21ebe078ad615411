import { type AttemptLog, type JobAttempt, NO_ATTEMPTS } from '@redrive/durable/store';
import { readJson, writeJson } from './json-text.ts';

/** An attempt that has nothing more to tell, which is most of them: its values, in this order. */
type Plain = readonly [
  generation: number,
  attempt: number,
  startedAtMs: number,
  durationMs: number,
  delayBeforeMs: number,
  entry: JobAttempt['entry'],
  action: JobAttempt['action'],
  reason: JobAttempt['reason'],
  worker: string,
  policyHash: string,
  maxAttempts: number,
];

/**
 * The attempts of a job as JSON, null where there are none. Half as long as they would be with the names of everything,
 * and this is most of what the end of an attempt writes.
 */
export function attemptsText({ kept, omitted }: AttemptLog): string | null {
  if (kept.length === 0 && omitted === 0) return null;
  return writeJson(omitted === 0 ? kept.map(written) : { omitted, kept: kept.map(written) });
}

export function readAttempts(text: string | null): AttemptLog {
  if (text === null) return NO_ATTEMPTS;
  // Written by `attemptsText`.
  const log = readJson(text) as Written[] | { omitted: number; kept: Written[] };
  return Array.isArray(log)
    ? { kept: log.map(read), omitted: 0 }
    : { kept: log.kept.map(read), omitted: log.omitted };
}

type Written = Plain | JobAttempt;

function written(attempt: JobAttempt): Written {
  const { errorClass, error, delayMs, input } = attempt;
  if (errorClass !== undefined || error !== undefined) return attempt;
  if (delayMs !== undefined || input !== undefined) return attempt;
  const { generation, startedAtMs, durationMs, delayBeforeMs, entry } = attempt;
  const { action, reason, worker, policyHash, maxAttempts } = attempt;
  return [
    generation,
    attempt.attempt,
    startedAtMs,
    durationMs,
    delayBeforeMs,
    entry,
    action,
    reason,
    worker,
    policyHash,
    maxAttempts,
  ];
}

function read(value: Written): JobAttempt {
  if (!isPlain(value)) return value;
  const [
    generation,
    attempt,
    startedAtMs,
    durationMs,
    delayBeforeMs,
    entry,
    action,
    reason,
    worker,
    policyHash,
    maxAttempts,
  ] = value;
  return {
    generation,
    attempt,
    startedAtMs,
    durationMs,
    delayBeforeMs,
    entry,
    action,
    reason,
    worker,
    policyHash,
    maxAttempts,
  };
}

function isPlain(value: Written): value is Plain {
  return Array.isArray(value);
}
