import { isCauseName, maskSecrets, type SanitisedError, sanitiseError } from '@redrive/core/stored';

const CODE = /^[\w.:-]{1,60}$/;
const MAX_CODE = 60;
/** Of an error that gave up: the error behind it has the code that matters. */
const GAVE_UP = 'retry_gave_up';
/** Errors that are opened in search of a code or a name. */
const MAX_DEPTH = 3;

/** An error as a job keeps it: described without secrets, with the facts that rules of causes may ask for. */
export function storedError(error: unknown): SanitisedError {
  const chain = chainOf(error);
  const code = chain.map(codeOf).find((found) => found !== undefined);
  const cause = chain.map((each) => read(each, 'cause')).find(isName);
  return {
    ...sanitiseError(error),
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause }),
  };
}

/** The error and those behind it. */
function chainOf(error: unknown): readonly unknown[] {
  const chain = [error];
  for (let each = read(error, 'cause'); chain.length < MAX_DEPTH; each = read(each, 'cause')) {
    if (typeof each !== 'object' || each === null) break;
    chain.push(each);
  }
  return chain;
}

function codeOf(error: unknown): string | undefined {
  const found = ['code', 'status', 'statusCode']
    .map((name) => read(error, name))
    .find((value) => isCode(value) && value !== GAVE_UP);
  return found === undefined ? undefined : maskSecrets(String(found), MAX_CODE);
}

function isCode(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && CODE.test(value));
}

/** A property of anything. `undefined` where it has none, or where a getter throws. */
function read(target: unknown, name: string): unknown {
  try {
    return Object(target)[name];
  } catch {
    return undefined;
  }
}

/** Most causes of errors are errors. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && isCauseName(value);
}
