import type { Classifier } from '../classification.ts';
import type { Fields } from '../error-facts.ts';
import { FETCH_FAILED } from '../error-facts.ts';
import { NODE_PREFIXES, NODE_ROWS } from './node-rows.ts';
import { answer, IN_DOUBT, NOT_DONE, nearestKnown, type Row, rowOf } from './row.ts';

/**
 * Classifies errors of Node's `fetch`, `http`, `net`, `dns`, `tls` and `fs`, and the `TypeError` of `fetch` in browsers.
 * A failure of `connect` or of name resolution has no effect, with any code. For `classify` of a policy.
 */
export const nodeErrors: Classifier = (error, context) =>
  nearestKnown(error, (cause) => {
    const row = rowOf(NODE_ROWS, cause.code) ?? rowOf(NODE_ROWS, cause.name) ?? familyOf(cause);
    return row && answer(neverConnected(cause) && row === IN_DOUBT ? NOT_DONE : row, context);
  });

function familyOf(cause: Fields): Row | undefined {
  const code = String(cause.code);
  const prefix = Object.keys(NODE_PREFIXES).find((each) => code.startsWith(each));
  if (prefix) return NODE_PREFIXES[prefix];
  return FETCH_FAILED.test(String(cause.message)) ? IN_DOUBT : undefined;
}

function neverConnected({ syscall }: Fields): boolean {
  return syscall === 'connect' || syscall === 'getaddrinfo';
}
