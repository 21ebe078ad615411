import type { ErrorClass } from '@redrive/core';
import { type FieldRule, fieldProblems } from '@redrive/core/fields';

/** An attempt in a recording. It has no payload, no message and no id that leads back to a job. */
export interface Recorded {
  /** A handler without a dependency is its own. */
  readonly dependency: string;
  readonly handler: string;
  /** Absent: it has none. */
  readonly category?: string | undefined;
  readonly policy: string;
  readonly policyHash: string;
  readonly rung: string;
  /** A salted hash; of a store that is read directly, the session's id. */
  readonly session: string;
  /** A requeue starts the next one. */
  readonly generation: number;
  /** Over all generations and rungs of the session, from 1. */
  readonly attempt: number;
  /** Absent: a job's success, of which the log has the end alone. */
  readonly startMs?: number | undefined;
  readonly endMs: number;
  readonly outcome: 'succeeded' | 'failed' | 'lost' | 'not_run';
  readonly errorClass?: ErrorClass | undefined;
  readonly errorType?: string | undefined;
  readonly hintMs?: number | undefined;
  readonly probe?: boolean | undefined;
  readonly action: string;
  readonly reason: string;
  readonly delayMs?: number | undefined;
}

/** An attempt as the audit log has it. */
export interface LoggedAttempt
  extends Omit<Recorded, 'dependency' | 'policy' | 'startMs' | 'endMs'> {
  readonly policyId: string;
  readonly startedAtMs?: number | undefined;
  readonly endedAtMs: number;
  /** The input of its decision: not part of a recording. */
  readonly decided?: unknown;
}

/** An attempt of the log as an attempt of a recording. Its session keeps its id. */
export function recordedOf(attempt: LoggedAttempt, dependency: string): Recorded {
  const { policyId: policy, startedAtMs: startMs, endedAtMs: endMs, decided: _, ...rest } = attempt;
  return { ...rest, dependency, policy, startMs, endMs };
}

export const RECORDING_VERSION = 'recording/v1';
/** Longest line, in bytes of UTF-8; a longer one is malformed. */
export const MAX_LINE = 4_096;

/** The first line of a recording. */
export interface RecordingHead {
  readonly recording: typeof RECORDING_VERSION;
  readonly since: string;
  readonly until: string;
}

export function headLine(sinceMs: number, untilMs: number): string {
  const [since, until] = [sinceMs, untilMs].map((ms) => new Date(ms).toISOString());
  return `${JSON.stringify({ recording: RECORDING_VERSION, since, until })}\n`;
}

const NAMES = {
  dependency: 'dependency',
  handler: 'handler',
  category: 'category',
  policy: 'policy',
  policyHash: 'policy_hash',
  rung: 'rung',
  session: 'session',
  generation: 'generation',
  attempt: 'attempt',
  startMs: 'start_ms',
  endMs: 'end_ms',
  outcome: 'outcome',
  errorClass: 'class',
  errorType: 'type',
  hintMs: 'hint_ms',
  probe: 'probe',
  action: 'action',
  reason: 'reason',
  delayMs: 'delay_ms',
} satisfies Record<keyof Recorded, string>;

const text: FieldRule = { kind: 'string' };
const count: FieldRule = { kind: 'integer', min: 1, max: 1_000_000_000 };
const time: FieldRule = { kind: 'number', min: 0, max: 8_640_000_000_000_000 };
const choice = (...values: readonly string[]): FieldRule => ({ kind: 'choice', values });

/** The fields of a line, as core checks fields. A name with `?` may be absent. */
const LINE: Readonly<Record<string, FieldRule>> = {
  dependency: text,
  handler: text,
  'category?': text,
  policy: text,
  policy_hash: text,
  rung: text,
  session: text,
  generation: count,
  attempt: count,
  'start_ms?': time,
  end_ms: time,
  outcome: choice('succeeded', 'failed', 'lost', 'not_run'),
  'class?': choice('final', 'retryable', 'rate_limited', 'ignored'),
  'type?': text,
  'hint_ms?': time,
  'probe?': { kind: 'boolean' },
  action: choice('succeed', 'retry', 'hand-over', 'park', 'give-up'),
  reason: text,
  'delay_ms?': time,
};

/**
 * Longest name in a line, in characters and in bytes of its JSON. A handler's name has 200 characters at most; an error's
 * type may have any number, each of which JSON may write as six.
 */
const MAX_NAME = 200;
const MAX_NAME_BYTES = 300;

export function recordedLine(recorded: Recorded): string {
  return `${JSON.stringify(recordedDocument(recorded))}\n`;
}

/** The object of a line. */
export function recordedDocument(recorded: Recorded): Readonly<Record<string, unknown>> {
  const fields = Object.entries(NAMES).map(([field, name]) => {
    const value = recorded[field as keyof Recorded]; // The table has its fields and no others.
    return [name, typeof value === 'string' ? shortened(value) : value];
  });
  return Object.fromEntries(fields);
}

function shortened(name: string): string {
  let short = name.slice(0, MAX_NAME);
  while (bytesOf(JSON.stringify(short)) > MAX_NAME_BYTES)
    short = short.slice(0, Math.floor(short.length / 2));
  return short;
}

/** Bytes of a text in UTF-8. */
function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // Each of the two units of a surrogate pair stands for two of its four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/** A line as an attempt, or the reason why it is none. */
export function parseLine(line: string): Recorded | string {
  // A unit has three bytes at most.
  const isShort = line.length * 3 <= MAX_LINE;
  if (line.length > MAX_LINE || (!isShort && bytesOf(line) > MAX_LINE))
    return `it is longer than ${MAX_LINE} bytes`;
  const value = parsed(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'it is not a JSON object';
  }
  const found = value as Readonly<Record<string, unknown>>; // Its members are checked next.
  const [problem] = fieldProblems(found, LINE);
  if (problem !== undefined) return problem.message;
  const fields = Object.entries(NAMES).map(([field, name]) => [field, found[name]]);
  return Object.fromEntries(fields) as Recorded; // Every field has just obeyed its rule.
}

/** The first line as a head, or the reason why it is none. */
export function parseHead(line: string): RecordingHead | string {
  const { recording } = Object(parsed(line.slice(0, MAX_LINE)));
  if (recording === RECORDING_VERSION) return parsed(line) as RecordingHead;
  return typeof recording === 'string'
    ? `its version is ${recording.slice(0, 40)}; this program reads ${RECORDING_VERSION}`
    : `its first line does not name ${RECORDING_VERSION}`;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
