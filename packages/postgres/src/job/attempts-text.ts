import {
  type Added,
  type AttemptLog,
  type JobAttempt,
  MAX_KEPT_ATTEMPTS,
  NO_ATTEMPTS,
} from '@redrive/durable/store';
import { readJson, writeJson } from './json-text.ts';

/** An attempt: its values, in this order. What follows the last one that is there is left out. */
type Written = readonly [
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
  /** JSON in JSON: it is read when somebody asks for it, and has infinities. */
  input?: string | null,
];

/**
 * The attempts of a job as JSON, null where there are none. Half as long as they would be with the names of everything,
 * and this is most of what the end of an attempt writes.
 */
export function attemptsText({ kept, omitted }: AttemptLog): string | null {
  if (kept.length === 0 && omitted === 0) return null;
  const all = kept.map(written);
  return JSON.stringify(omitted === 0 ? all : { omitted, kept: all });
}

/** Texts of logs that were read and have room for another attempt: then they need not be taken apart for it. */
const texts = new WeakMap<AttemptLog, string>();

/** The log with one more attempt, where that can be told without reading the log. */
export function appendedText({ to, attempt }: Added): string | undefined {
  const added = JSON.stringify(written(attempt));
  if (to === NO_ATTEMPTS) return `[${added}]`;
  const text = texts.get(to);
  return text && `${text.slice(0, -1)},${added}]`;
}

/**
 * The log, which is read when somebody looks at it: most attempts do not care how the ones before them went.
 *
 * @param atMost attempts can be in it.
 */
export function readAttempts(text: string | null, atMost: number): AttemptLog {
  if (text === null) return NO_ATTEMPTS;
  let log: AttemptLog | undefined;
  const readLog = (): AttemptLog => {
    log ??= parseLog(text);
    return log;
  };
  const unread: AttemptLog = {
    get kept() {
      return readLog().kept;
    },
    get omitted() {
      return readLog().omitted;
    },
  };
  if (atMost < MAX_KEPT_ATTEMPTS) texts.set(unread, text);
  return unread;
}

function parseLog(text: string): AttemptLog {
  // Written by `attemptsText`.
  const log = JSON.parse(text) as Written[] | { omitted: number; kept: Written[] };
  return Array.isArray(log)
    ? { kept: log.map(read), omitted: 0 }
    : { kept: log.kept.map(read), omitted: log.omitted };
}

function written(attempt: JobAttempt): Written {
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
  if (input !== undefined) return [...always, delayMs, errorClass, error, writeJson(input)];
  if (error !== undefined) return [...always, delayMs, errorClass, error];
  if (errorClass !== undefined) return [...always, delayMs, errorClass];
  return delayMs === undefined ? always : [...always, delayMs];
}

function read(value: Written): JobAttempt {
  const delayMs = value[11] ?? undefined;
  const errorClass = value[12] ?? undefined;
  const error = value[13] ?? undefined;
  const input = value[14] ?? undefined;
  return {
    generation: value[0],
    attempt: value[1],
    startedAtMs: value[2],
    durationMs: value[3],
    delayBeforeMs: value[4],
    entry: value[5],
    action: value[6],
    reason: value[7],
    worker: value[8],
    policyHash: value[9],
    maxAttempts: value[10],
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(errorClass === undefined ? {} : { errorClass }),
    ...(error === undefined ? {} : { error }),
    // Written by `written`.
    ...(input === undefined ? {} : { input: readJson(input) as JobAttempt['input'] }),
  };
}
