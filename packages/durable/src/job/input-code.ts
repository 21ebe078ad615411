import type { ErrorClass } from '@redrive/core';
import type { JobAttempt } from './attempt-log.ts';

type Input = NonNullable<JobAttempt['input']>;
type Outcome = Input['outcome'];

/**
 * The input of a decision as it is stored: the fields that always differ, and the others only where they are not as in
 * `USUAL`.
 */
export type InputCode = readonly [
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

export function encodeInput(input: Input, errorClass: ErrorClass | undefined): InputCode {
  const { account, random } = input;
  const outcome = withoutClass(input.outcome, errorClass);
  const { charged, freeWaits, freeWaitMs, lastDelayMs } = account;
  const code = [charged, freeWaits, freeWaitMs, lastDelayMs, random, outcome] as const;
  if (isUsual(input)) return code;
  const { account: _account, random: _random, outcome: _outcome, ...rest } = input;
  const unusual = Object.entries(rest).filter(([name, value]) => !isUsualField(name, value));
  return [...code, Object.fromEntries(unusual)];
}

/** `JSON.stringify` leaves out a field that is undefined. The kind and the effect stay: earlier versions read them. */
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
    input.unchargedForMs === undefined &&
    // Of versions 1 and 2 of `decide`: their attempts are written again with the job's next one.
    !('undecided' in input)
  );
}

function isUsualField(name: string, value: unknown): boolean {
  return Object.hasOwn(USUAL, name) && USUAL[name as keyof typeof USUAL] === value;
}

export function decodeInput(code: InputCode, errorClass: ErrorClass | undefined): Input {
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
