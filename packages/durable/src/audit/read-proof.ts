import { type AuditProof, type ChainLink, MAX_PROOF_LINKS, PROOF_FORMAT } from './proof.ts';
import { isTime } from './read-body.ts';
import { isObject } from './record-detail.ts';

/** More steps than any tree has whose leaves can be counted. */
const MAX_STEPS = 64;

/** Lists and objects in each other, in a record: far more than any has that was written here. */
const MAX_LEVELS = 200;

/**
 * Reads a proof from a parsed file. An unknown field is refused like a missing one, because a reader would believe a
 * field that nothing checks. Answers with the problem if it is not a proof.
 */
export function readProof(value: unknown): AuditProof | string {
  if (!isObject(value) || value.format !== PROOF_FORMAT) {
    return `The file is not a proof of this version: its "format" is not ${PROOF_FORMAT}.`;
  }
  const wrong = wrongField(value, PROOF);
  if (wrong !== undefined)
    return `Its field "${wrong}" is missing, not known or not what it must be.`;
  // Every field was looked at.
  return value as unknown as AuditProof;
}

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

const isText: Check = (value) => typeof value === 'string' && value.isWellFormed();
const isHash: Check = (value) => typeof value === 'string' && /^[\da-f]{64}$/.test(value);
/** The hash of the block or anchor before; the first has none. */
const isHashOrNone: Check = (value) => value === '' || isHash(value);
const isInteger: Check = (value) => Number.isSafeInteger(value) && !Object.is(value, -0);
const isMoment: Check = (value) => isInteger(value) && isTime(value);
const isCount: Check = (value) => isInteger(value) && Number(value) >= 0;

const BLOCK: Shape = {
  seq: isInteger,
  writer: isText,
  atMs: isMoment,
  prevHash: isHashOrNone,
  hash: isHash,
  // Two texts with lone surrogates can have one hash: each of them is hashed as U+FFFD.
  body: isText,
  position: isText,
};

const ANCHOR: Shape = {
  seq: isCount,
  from: isText,
  to: isText,
  blocks: isCount,
  root: isHash,
  prevHash: isHashOrNone,
  hash: isHash,
  atMs: isMoment,
};

const STEP: Shape = { side: (value) => value === 'left' || value === 'right', hash: isHash };
const HEAD: Shape = { seq: isCount, hash: isHash };
const LINK: readonly Check[] = [isCount, isText, isText, isCount, isHash, isMoment];

const PROOF: Shape = {
  format: (value) => value === PROOF_FORMAT,
  // It must also equal the one in the block.
  record: (value) => isObject(value) && hasLevels(value, MAX_LEVELS),
  index: isCount,
  block: (value) => fits(value, BLOCK),
  leaf: isCount,
  path: (value) => isListOf(value, MAX_STEPS, (step) => fits(step, STEP)),
  anchor: (value) => fits(value, ANCHOR),
  chain: (value) => isListOf(value, MAX_PROOF_LINKS, isLink),
  head: (value) => fits(value, HEAD),
};

/** Whether a value has at most this number of levels: comparing and printing recurse into all of them. */
function hasLevels(value: unknown, atMost: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return atMost > 0 && Object.values(value).every((each) => hasLevels(each, atMost - 1));
}

function isLink(value: unknown): value is ChainLink {
  return (
    Array.isArray(value) &&
    value.length === LINK.length &&
    LINK.every((isRight, place) => isRight(value[place]))
  );
}

function fits(value: unknown, shape: Shape): boolean {
  return isObject(value) && wrongField(value, shape) === undefined;
}

/** The first field that is missing, not known or wrong. */
function wrongField(value: Readonly<Record<string, unknown>>, shape: Shape): string | undefined {
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(shape, name));
  if (unknown !== undefined) return unknown;
  return Object.entries(shape).find(([name, isRight]) => !isRight(value[name]))?.[0];
}

function isListOf(value: unknown, most: number, isRight: Check): boolean {
  return Array.isArray(value) && value.length <= most && value.every(isRight);
}
