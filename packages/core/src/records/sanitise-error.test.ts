import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitiseError } from './sanitise-error.ts';

class QuotaError extends Error {}
class Plain {}
const throwing = new Proxy(
  {},
  {
    get() {
      throw new Error('hostile');
    },
  },
);

test.each([
  [new Error('boom'), 'Error', 'boom'],
  [new TypeError('boom'), 'TypeError', 'boom'],
  [new QuotaError('boom'), 'QuotaError', 'boom'],
  [new DOMException('stopped', 'AbortError'), 'AbortError', 'stopped'],
  [Object.assign(new Error('boom'), { name: '' }), 'Error', 'boom'],
  [{ name: 'HttpError', message: 'status 500' }, 'HttpError', 'status 500'],
  [{ name: 5, message: 6 }, 'Object', '[object Object]'],
  [new Plain(), 'Plain', '[object Object]'],
  [Object.create(null), 'object', '[unreadable]'],
  [Object.assign(new Error('boom'), { name: 'Error', constructor: undefined }), 'object', 'boom'],
  [throwing, 'object', '[unreadable]'],
  [undefined, 'undefined', 'undefined'],
  [null, 'null', 'null'],
  ['a string', 'string', 'a string'],
  [404, 'number', '404'],
  [10n, 'bigint', '10'],
  [Symbol('odd'), 'symbol', 'Symbol(odd)'],
  [() => 'secret source', 'function', '[function]'],
])('%# is described by type and message', (error, type, message) => {
  expect(sanitiseError(error)).toStrictEqual({ type, message });
});

test('type, message and stack are masked and cut', () => {
  const error = new Error(`token=abc ${'x'.repeat(1_000)}`);
  error.name = `Secret=abc ${'x'.repeat(1_000)}`;
  error.stack = `at token=abc ${'y '.repeat(5_000)}`;
  const { type, message, stackTrace } = sanitiseError(error, { debug: true });
  expect(type).toMatch(/^Secret=\[masked\] x+…$/);
  expect(type).toHaveLength(100);
  expect(message).toMatch(/^token=\[masked\] x+…$/);
  expect(message).toHaveLength(500);
  expect(stackTrace).toMatch(/^at token=\[masked\] (y )+y?…$/);
  expect(stackTrace).toHaveLength(4_000);
});

test('a stack is kept only when debugging, and only if it is a text', () => {
  const error = new Error('boom');
  expect(sanitiseError(error)).not.toHaveProperty('stackTrace');
  expect(sanitiseError(error, { debug: false })).not.toHaveProperty('stackTrace');
  expect(sanitiseError(error, { debug: true }).stackTrace).toContain('boom');
  expect(sanitiseError({ stack: 5 }, { debug: true })).not.toHaveProperty('stackTrace');
});

test('whatever is thrown is described within bounds', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withSparseArray: true }), (thrown) => {
      const { type, message } = sanitiseError(thrown, { debug: true });
      return type.length <= 100 && message.length <= 500;
    }),
    { numRuns: 10_000 },
  );
});
