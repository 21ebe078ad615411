import { nearest } from '@redrive/core/fields';
import type { FilePolicy } from '../content/file-content.ts';
import { finding, type Place, type Problem } from '../problem/problem.ts';
import { shownValue } from '../shape/expected.ts';

/** Error types that JavaScript, Node and Redrive have, and names that stand for groups of codes. */
const KNOWN: readonly string[] = [
  'Error',
  'Exception',
  'TimeoutError',
  'ConnectionError',
  'NetworkError',
  'AbortError',
  'AggregateError',
  'AssertionError',
  'DOMException',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'SystemError',
  'TypeError',
  'URIError',
  'RedriveError',
  'RetryError',
];

const NAME = /^[\p{L}\p{N}_$.:-]{1,100}$/u;
/** ECONNRESET, UND_ERR_SOCKET, ERR_TLS_HANDSHAKE_TIMEOUT; five letters or digits are SQLSTATEs. */
const CODE = /^(E[A-Z0-9]{2,}|UND_ERR_[A-Z_]+|ERR_[A-Z0-9_]+|[0-9][0-9A-Z]{4})$/;

/** Names in the lists of errors: each must be able to be one, and is better one that is known. */
export function checkExceptions(fields: FilePolicy['fields']): Problem[] {
  const lists = [fields.get('retryableExceptions'), fields.get('nonRetryableExceptions')];
  return lists.flatMap((list) =>
    Array.isArray(list?.value)
      ? list.value.flatMap((name: unknown, index) =>
          checkName(name, list.entries?.[index] ?? list.place),
        )
      : [],
  );
}

function checkName(name: unknown, place: Place): Problem[] {
  if (typeof name !== 'string' || !NAME.test(name)) {
    const message = `${shownValue(name)} cannot be the name or code of an error`;
    return [
      finding(
        'invalid_exception_name',
        place,
        message,
        'write one name per entry, without spaces or patterns',
      ),
    ];
  }
  if (KNOWN.includes(name) || CODE.test(name)) return [];
  const close = nearest(
    name,
    KNOWN.filter((known) => !isWider(known, name)),
  );
  const advice =
    close === undefined ? 'nothing to do if your own code throws it' : `did you mean ${close}?`;
  return [
    finding(
      'unknown_exception',
      place,
      `${name} is not an error type of JavaScript, Node or Redrive`,
      advice,
    ),
  ];
}

/** These two names match every error. */
const EVERYTHING: readonly string[] = ['Error', 'Exception'];

/**
 * Whether a known name means more errors than the written one. Taking such a suggestion (`Error` for `OSError`) would
 * retry errors that nobody listed. A longer name means fewer errors than its own ending.
 */
function isWider(known: string, name: string): boolean {
  if (name.length <= known.length) return false;
  return EVERYTHING.includes(known) || name.toLowerCase().endsWith(known.toLowerCase());
}
