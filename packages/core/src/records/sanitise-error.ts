import { maskSecrets } from './mask-secrets.ts';
import type { SanitisedError } from './record.ts';

const MAX_TYPE = 100;
const MAX_MESSAGE = 500;
const MAX_STACK = 4_000;

/** The description of a value that throws when it is read. */
export const UNREADABLE = '[unreadable]';

export interface SanitiseOptions {
  /** Keep the stack trace, masked and cut at 4,000 characters. Default `false`. */
  readonly debug?: boolean | undefined;
}

/**
 * An error as it may leave the process: its type, and at most 500 characters of its message with secrets masked by
 * their shape. Takes any thrown value and never throws itself. The `cause` is left out.
 *
 * The type is the error's `name`, or the name of its class if that is more exact than `Error`. For a thrown value that is
 * not an object, the type is its `typeof`.
 */
export function sanitiseError(error: unknown, options: SanitiseOptions = {}): SanitisedError {
  const message = read(error, 'message');
  const described = {
    type: maskSecrets(typeName(error), MAX_TYPE),
    message: maskSecrets(typeof message === 'string' ? message : asText(error), MAX_MESSAGE),
  };
  const stack = options.debug ? read(error, 'stack') : undefined;
  if (typeof stack !== 'string') return described;
  return { ...described, stackTrace: maskSecrets(stack, MAX_STACK) };
}

function typeName(error: unknown): string {
  if (error === null) return 'null';
  if (typeof error !== 'object') return typeof error;
  const name = read(error, 'name');
  if (isName(name) && name !== 'Error') return name;
  const className = read(read(error, 'constructor'), 'name');
  return isName(className) ? className : 'object';
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** A property of anything. `undefined` where there is none, or where a getter or a proxy throws. */
export function read(target: unknown, name: string): unknown {
  try {
    // Any value but null and undefined can be asked for a property, and those two throw.
    return (target as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

function asText(value: unknown): string {
  try {
    // A function's text is its source.
    return typeof value === 'function' ? '[function]' : String(value);
  } catch {
    return UNREADABLE;
  }
}
