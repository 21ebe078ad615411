import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type ErrorCode, RedriveError } from '../errors/redrive-error.ts';
import { classify } from './classify.ts';
import { OWN_ERRORS } from './own-errors.ts';

const context = { attempt: 1, nowMs: 0 };

/** The codes as the source of the union lists them. */
function codes(): string[] {
  const source = readFileSync(new URL('../errors/redrive-error.ts', import.meta.url), 'utf8');
  const [, union = ''] = /export type ErrorCode =([^;]*);/.exec(source) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
}

it('own errors are classified by an exhaustive record', () => {
  expect([...Object.keys(OWN_ERRORS), 'retry_gave_up'].sort()).toEqual(codes().sort());
});

it('a new code without a class does not compile', () => {
  const { attempt_timeout, ...others } = OWN_ERRORS;
  // @ts-expect-error: one code is missing. `npm run types` fails if the compiler accepts it.
  const incomplete: typeof OWN_ERRORS = others;
  expect(Object.keys(incomplete)).not.toContain('attempt_timeout');
  expect(attempt_timeout).toEqual({ errorClass: 'retryable', effect: 'unknown' });
});

it.each([
  // A word in a code means nothing by itself: the regular expression read "lost" and "timeout".
  ['job_failed', { errorClass: 'final', effect: 'unknown' }],
  ['payload_too_large', { errorClass: 'final', effect: 'unknown' }],
  ['kill_switch', { errorClass: 'final', effect: 'unknown' }],
  ['wait_timeout', { errorClass: 'retryable', effect: 'unknown' }],
] as const)('%s may have had an effect', (code, expected) => {
  expect(classify(new RedriveError(code, 'x'), {}, context)).toEqual(expected);
});

it.each(['cart_lost', 'constructor'])(
  'a code of another version of the package, %s, is like any error that no rule knows',
  (code) => {
    // A newer copy of the package has codes that this union lacks.
    const error = new RedriveError(code as ErrorCode, 'x');
    const unclassified = 'final';
    expect(classify(error, { unclassified }, context)).toEqual({
      errorClass: 'final',
      effect: 'unknown',
    });
  },
);
