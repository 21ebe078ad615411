import { type AttemptLog, type JobAttempt, NO_ATTEMPTS } from '@redrive/durable/store';

/**
 * An attempt as it is stored: its fields in a fixed order, without their names, because they are most of what a finished
 * job takes. What follows the last field that is there is left out.
 */
type AttemptCode = readonly [
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
  delayMs?: JobAttempt['delayMs'] | null,
  errorClass?: JobAttempt['errorClass'] | null,
  error?: JobAttempt['error'] | null,
  input?: JobAttempt['input'] | null,
];

type LogCode = readonly [omitted: number, ...kept: AttemptCode[]];

/** NULL, where there was none. */
export function encodeAttempts({ kept, omitted }: AttemptLog): string | null {
  if (kept.length === 0 && omitted === 0) return null;
  return JSON.stringify([omitted, ...kept.map(encodeAttempt)] satisfies LogCode);
}

function encodeAttempt(attempt: JobAttempt): AttemptCode {
  const always = [
    attempt.generation,
    attempt.attempt,
    attempt.startedAtMs,
    attempt.durationMs,
    attempt.delayBeforeMs,
    attempt.entry,
    attempt.action,
    attempt.reason,
    attempt.worker,
    attempt.policyHash,
    attempt.maxAttempts,
  ] as const;
  const { delayMs, errorClass, error, input } = attempt;
  if (input !== undefined) return [...always, delayMs, errorClass, error, input];
  if (error !== undefined) return [...always, delayMs, errorClass, error];
  if (errorClass !== undefined) return [...always, delayMs, errorClass];
  return delayMs === undefined ? always : [...always, delayMs];
}

export function decodeAttempts(text: string | null): AttemptLog {
  if (text === null) return NO_ATTEMPTS;
  // Written by encodeAttempts.
  const [omitted, ...kept] = JSON.parse(text) as LogCode;
  return { kept: kept.map(decodeAttempt), omitted };
}

function decodeAttempt(code: AttemptCode): JobAttempt {
  const input = code[14] ?? undefined;
  if (input !== undefined) restoreInfinity(input);
  return {
    generation: code[0],
    attempt: code[1],
    startedAtMs: code[2],
    durationMs: code[3],
    delayBeforeMs: code[4],
    entry: code[5],
    action: code[6],
    reason: code[7],
    worker: code[8],
    policyHash: code[9],
    maxAttempts: code[10],
    delayMs: code[11] ?? undefined,
    errorClass: code[12] ?? undefined,
    error: code[13] ?? undefined,
    input,
  };
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
