import type { JobAttempt } from './attempt-log.ts';

type Input = NonNullable<JobAttempt['input']>;
type Outcome = Input['outcome'];

/** What a decision rested on, as it is stored: what is always another, and the rest where that is not as usual. */
export type InputCode = readonly [
  charged: number,
  freeWaits: number,
  freeWaitMs: number,
  lastDelayMs: number,
  random: number,
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

export function encodeInput(input: Input): InputCode {
  const { account, random, outcome } = input;
  const { charged, freeWaits, freeWaitMs, lastDelayMs } = account;
  const code = [charged, freeWaits, freeWaitMs, lastDelayMs, random, outcome] as const;
  if (isUsual(input)) return code;
  const { account: _account, random: _random, outcome: _outcome, ...rest } = input;
  const unusual = Object.entries(rest).filter(([name, value]) => !isUsualField(name, value));
  return [...code, Object.fromEntries(unusual)];
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

export function decodeInput(code: InputCode): Input {
  const [charged, freeWaits, freeWaitMs, lastDelayMs, random, outcome, unusual = {}] = code;
  restoreInfinity(outcome);
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
