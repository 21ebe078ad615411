import type { Decision, ReasonCode } from '@redrive/core';
import { type DecisionPolicy, decideVersions } from '@redrive/core/stored';
import type { AuditRecord } from './audit-block.ts';
import type { RecordedInput } from './decision-detail.ts';
import { isObject } from './record-detail.ts';

/** A decision, from its record. */
export interface RecordedDecision {
  readonly input: RecordedInput;
  /** Hash of the policy. */
  readonly policy: string;
  /** Version of `decide`. */
  readonly version: number;
  readonly answer: RecordedAnswer;
}

/** The stored part of a `Decision`. */
export interface RecordedAnswer {
  readonly action: Decision['action'];
  readonly reason: ReasonCode;
  readonly delayMs?: number | undefined;
  readonly entry: Decision['charge']['entry'];
}

/**
 * The decision in a record: of a stored attempt (`settle`, `lease_lost`) or of one in process (`session`). `success`
 * needs no input, and `missing` should have had one. `undefined`: there was nothing to decide.
 */
export function decisionIn({
  event,
  to,
  detail,
}: AuditRecord): RecordedDecision | 'success' | 'missing' | undefined {
  if (event === 'session') return detail.kind === 'attempt_ended' ? inProcess(detail) : undefined;
  if (event !== 'settle' && event !== 'lease_lost') return undefined;
  if (detail.input === undefined && event === 'settle' && to === 'succeeded') return 'success';
  const { input, policy, decide: version } = detail;
  return read(input, policy, version, detail);
}

function inProcess({ input, session, decideVersion, decision }: AuditRecord['detail']) {
  const { charge, ...answer } = asObject(decision);
  const { entry } = asObject(charge);
  return read(input, asObject(session).policyHash, decideVersion, { ...answer, entry });
}

function read(
  input: unknown,
  policy: unknown,
  version: unknown,
  answer: unknown,
): RecordedDecision | 'missing' {
  const complete =
    isObject(input) &&
    isObject(answer) &&
    typeof policy === 'string' &&
    typeof version === 'number';
  if (!complete) return 'missing';
  const { action, reason, delayMs, entry } = answer;
  const recorded = {
    input: revive(input),
    policy,
    version,
    answer: { action, reason, delayMs, entry },
  };
  // Other problems show when the decision is derived again.
  return recorded as unknown as RecordedDecision;
}

/** JSON writes `Infinity` as `null`. No field of an input is `null` itself, so `null` is read as `Infinity`. */
export function revive(value: unknown): unknown {
  if (value === null) return Infinity;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, revive(part)]));
}

/** The answer of `decide` to the recorded input. `undefined`: its version is not known, or the record is not an input. */
export function rederive(
  { input, version }: Pick<RecordedDecision, 'input' | 'version'>,
  policy: DecisionPolicy,
): RecordedAnswer | undefined {
  const { [version]: run } = decideVersions;
  if (run === undefined) return undefined;
  try {
    const { action, reason, delayMs, charge } = run({ ...input, policy });
    return { action, reason, delayMs, entry: charge.entry };
  } catch {
    return undefined;
  }
}

/** The answer in one fixed form, to be compared and shown. */
export function answerText({ action, reason, delayMs, entry }: RecordedAnswer): string {
  return JSON.stringify({ action, reason, delayMs, entry });
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
