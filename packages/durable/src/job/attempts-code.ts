import type { ErrorClass } from '@redrive/core';
import { type AttemptLog, type JobAttempt, MAX_KEPT_ATTEMPTS, NO_ATTEMPTS } from './attempt-log.ts';
import type { Added, Settlement } from './settlement.ts';

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
  /**
   * Its hash; with its id, where that is known. Worker and policy are both empty in a later attempt that has those of the
   * first one, which is always kept.
   */
  policy: string | readonly [hash: string, id: string],
  maxAttempts: number,
  delayMs?: JobAttempt['delayMs'] | null,
  errorClass?: JobAttempt['errorClass'] | null,
  error?: JobAttempt['error'] | null,
  input?: InputCode | null | undefined,
  decideVersion?: JobAttempt['decideVersion'] | null,
  rung?: JobAttempt['rung'] | null,
  attemptsBefore?: JobAttempt['attemptsBefore'] | null,
  enqueued?: JobAttempt['enqueued'] | null,
];

type LogCode = readonly [omitted: number, ...kept: AttemptCode[]];

/** The attempts after a settlement, as a store keeps them. */
export function settledAttempts(settlement: Settlement): string | null {
  const { added } = settlement;
  return (added && appendAttempt(added)) ?? encodeAttempts(settlement.attempts);
}

/** `null`, where there was none. */
export function encodeAttempts({ kept, omitted }: AttemptLog): string | null {
  if (kept.length === 0 && omitted === 0) return null;
  const [first] = kept;
  const shared = first && workerAndPolicy(first);
  const codes = kept.map((attempt, at) =>
    encodeAttempt(attempt, at > 0 && workerAndPolicy(attempt) === shared),
  );
  return JSON.stringify([omitted, ...codes] satisfies LogCode);
}

/** Texts of logs that were read and have room for another attempt: then they need not be taken apart for it. */
const texts = new WeakMap<AttemptLog, string>();

/** The log with one more attempt, if it can be made without reading the log. */
export function appendAttempt({ to, attempt }: Added): string | undefined {
  if (to === NO_ATTEMPTS) return `[0,${JSON.stringify(encodeAttempt(attempt, false))}]`;
  const text = texts.get(to);
  if (text === undefined) return undefined;
  const isLikeFirst = text.startsWith(workerAndPolicy(attempt), firstWorkerAt(text));
  return `${text.slice(0, -1)},${JSON.stringify(encodeAttempt(attempt, isLikeFirst))}]`;
}

/** Both as they stand in a log, with the comma behind them. */
function workerAndPolicy(attempt: JobAttempt): string {
  return `${JSON.stringify(attempt.worker)},${JSON.stringify(policyCode(attempt))},`;
}

/** The place of the first attempt's worker in a log: behind nine values that are numbers or codes, without a comma. */
function firstWorkerAt(log: string): number {
  let at = 0;
  for (let n = 0; n < 9; n += 1) at = log.indexOf(',', at) + 1;
  return at;
}

function encodeAttempt(attempt: JobAttempt, isLikeFirst: boolean): AttemptCode {
  const code = [
    attempt.generation,
    attempt.attempt,
    attempt.startedAtMs,
    attempt.durationMs,
    attempt.delayBeforeMs,
    attempt.entry,
    attempt.action,
    attempt.reason,
    isLikeFirst ? '' : attempt.worker,
    isLikeFirst ? '' : policyCode(attempt),
    attempt.maxAttempts,
    attempt.delayMs,
    attempt.errorClass,
    attempt.error,
    attempt.input && encodeInput(attempt.input, attempt.errorClass),
    attempt.decideVersion,
    attempt.rung,
    attempt.attemptsBefore,
    attempt.enqueued,
  ] satisfies AttemptCode;
  while (code.at(-1) === undefined) code.pop();
  return code;
}

function policyCode({ policyHash, policyId }: JobAttempt): AttemptCode[9] {
  return policyId === undefined ? policyHash : [policyHash, policyId];
}

/**
 * The log, which is read when somebody looks at it: most attempts do not care how the ones before them went.
 *
 * @param atMost attempts can be in it.
 */
export function decodeAttempts(text: string | null, atMost: number): AttemptLog {
  if (text === null) return NO_ATTEMPTS;
  let log: AttemptLog | undefined;
  const read = (): AttemptLog => {
    log ??= parseLog(text);
    return log;
  };
  const unread: AttemptLog = {
    get kept() {
      return read().kept;
    },
    get omitted() {
      return read().omitted;
    },
  };
  if (atMost < MAX_KEPT_ATTEMPTS) texts.set(unread, text);
  return unread;
}

/** Why a stored log cannot be read. `undefined`: it can. */
export function attemptsProblem(text: string): string | undefined {
  try {
    const log: unknown = JSON.parse(text);
    const isLog =
      Array.isArray(log) && typeof log[0] === 'number' && log.slice(1).every(Array.isArray);
    return isLog ? undefined : 'it is not a list of attempts';
  } catch {
    // The parser's message would show a piece of the text.
    return 'it is not JSON';
  }
}

function parseLog(text: string): AttemptLog {
  // Written by encodeAttempts.
  const [omitted, ...kept] = JSON.parse(text) as LogCode;
  const [first] = kept;
  return { kept: kept.map((code) => decodeAttempt(code, first ?? code)), omitted };
}

function decodeAttempt(code: AttemptCode, first: AttemptCode): JobAttempt {
  const input = code[14] ?? undefined;
  const errorClass = code[12] ?? undefined;
  const { 8: worker, 9: policy } = code[8] === '' && code[9] === '' ? first : code;
  const [policyHash, policyId] = typeof policy === 'string' ? [policy] : policy;
  return {
    generation: code[0],
    attempt: code[1],
    startedAtMs: code[2],
    durationMs: code[3],
    delayBeforeMs: code[4],
    entry: code[5],
    action: code[6],
    reason: code[7],
    worker,
    policyId,
    policyHash,
    maxAttempts: code[10],
    delayMs: code[11] ?? undefined,
    errorClass,
    error: code[13] ?? undefined,
    input: input && decodeInput(input, errorClass),
    decideVersion: code[15] ?? undefined,
    rung: code[16] ?? undefined,
    attemptsBefore: code[17] ?? undefined,
    enqueued: code[18] ?? undefined,
  };
}

type Input = NonNullable<JobAttempt['input']>;
type Outcome = Input['outcome'];

/**
 * The input of a decision as it is stored: the fields that always differ, and the others only where they are not as in
 * `USUAL`.
 */
type InputCode = readonly [
  charged: number,
  freeWaits: number,
  freeWaitMs: number,
  lastDelayMs: number,
  random: number,
  /** Without `errorClass`, where the attempt has the same one. */
  outcome: Outcome,
  unusual?: Partial<Input>,
];

/** How a worker's decisions are mostly made. */
const USUAL = Object.freeze({
  rung: 'job',
  horizonMs: Infinity,
  canHandOver: false,
  timeLeftMs: Infinity,
  allowance: Infinity,
  budgetAllows: true,
  breakerOpenMs: 0,
  onUnknown: 'retry',
}) satisfies Partial<Input>;

function encodeInput(input: Input, errorClass: ErrorClass | undefined): InputCode {
  const { account, random } = input;
  const outcome = withoutClass(input.outcome, errorClass);
  const { charged, freeWaits, freeWaitMs, lastDelayMs } = account;
  const code = [charged, freeWaits, freeWaitMs, lastDelayMs, random, outcome] as const;
  if (isUsual(input)) return code;
  const { account: _account, random: _random, outcome: _outcome, ...rest } = input;
  const unusual = Object.entries(rest).filter(([name, value]) => !isUsualField(name, value));
  return [...code, Object.fromEntries(unusual)];
}

/** `JSON.stringify` leaves out a field that is undefined. */
function withoutClass(outcome: Outcome, errorClass: ErrorClass | undefined): Outcome {
  if (outcome.kind !== 'failure' || outcome.errorClass !== errorClass) return outcome;
  // `decodeInput` adds the class again.
  return { ...outcome, errorClass: undefined } as unknown as Outcome;
}

/** Field by field: there is one with every failure. */
function isUsual(input: Input): boolean {
  return (
    input.rung === USUAL.rung &&
    input.horizonMs === USUAL.horizonMs &&
    input.canHandOver === USUAL.canHandOver &&
    input.timeLeftMs === USUAL.timeLeftMs &&
    input.allowance === USUAL.allowance &&
    input.budgetAllows === USUAL.budgetAllows &&
    input.breakerOpenMs === USUAL.breakerOpenMs &&
    input.onUnknown === USUAL.onUnknown &&
    input.probe === undefined &&
    input.unchargedForMs === undefined
  );
}

function isUsualField(name: string, value: unknown): boolean {
  return Object.hasOwn(USUAL, name) && USUAL[name as keyof typeof USUAL] === value;
}

function decodeInput(code: InputCode, errorClass: ErrorClass | undefined): Input {
  const [charged, freeWaits, freeWaitMs, lastDelayMs, random, kept, unusual = {}] = code;
  restoreInfinity(kept);
  const outcome =
    kept.kind === 'failure' ? { ...kept, errorClass: kept.errorClass ?? errorClass } : kept;
  restoreInfinity(unusual);
  const account = { charged, freeWaits, freeWaitMs, lastDelayMs };
  return { account, outcome, ...USUAL, ...unusual, random };
}

/** JSON has no Infinity and writes null; nothing in a decision's input is ever null. */
function restoreInfinity(fresh: object): void {
  // It was just parsed: nobody else has it yet.
  const fields = fresh as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) if (value === null) fields[name] = Infinity;
}
