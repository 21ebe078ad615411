import type { Classifier } from '../classification.ts';
import type { Fields } from '../error-facts.ts';
import { FETCH_FAILED } from '../error-facts.ts';
import { NODE_PREFIXES, NODE_ROWS } from './node-rows.ts';
import { withMethod } from './request-method.ts';
import { answer, IN_DOUBT, type LookUp, NOT_DONE, nearestKnown, type Row, rowOf } from './row.ts';

/**
 * Classifies errors of Node's `fetch`, `http`, `net`, `dns`, `tls` and `fs`, and the `TypeError` of `fetch` in browsers.
 * A failure of `connect` or of name resolution has no effect, with any code. For `classify` of a policy.
 */
export const nodeErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => lookUpNode(cause, context));

export const lookUpNode: LookUp = (cause, context) => {
  const row = rowOf(NODE_ROWS, cause.code) ?? rowOf(NODE_ROWS, cause.name) ?? familyOf(cause);
  if (!row) return undefined;
  const known = answer(neverConnected(cause) && row === IN_DOUBT ? NOT_DONE : row, context);
  return withMethod(known, cause);
};

function familyOf(cause: Fields): Row | undefined {
  const { code } = cause;
  const prefix =
    typeof code === 'string' && Object.keys(NODE_PREFIXES).find((each) => code.startsWith(each));
  if (prefix) return NODE_PREFIXES[prefix];
  return isConnectionFailure(cause) ? IN_DOUBT : undefined;
}

/** Texts of libraries that give no code. */
const BROKEN_CONNECTION =
  /^(?:\w+:? )?(?:connection (?:was )?(?:reset|refused|closed|lost|aborted|timed out)|socket hang up|broken pipe)/i;

function isConnectionFailure({ message, code, cause }: Fields): boolean {
  const text = String(message);
  if (FETCH_FAILED.test(text)) return true;
  // Node's `fetch` gives the failure as the cause; a copy of the error, such as a logged one, has lost it.
  if (text === 'fetch failed') return cause === undefined;
  return code === undefined && BROKEN_CONNECTION.test(text);
}

function neverConnected({ syscall }: Fields): boolean {
  return syscall === 'connect' || syscall === 'getaddrinfo';
}
