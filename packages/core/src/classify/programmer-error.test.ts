import { describe, expect, it } from 'vitest';
import { isProgrammerError } from './error-facts.ts';

const coded = (code: unknown) => Object.assign(new Error('cause'), { code });

describe('a programmer’s error', () => {
  it.each([
    new ReferenceError('x is not defined'),
    new SyntaxError('Unexpected token'),
    new TypeError('x is not a function'),
    new TypeError("Cannot read properties of undefined (reading 'fetch')"),
    new TypeError('fetch failed', { cause: new Error('unknown scheme') }),
    new TypeError('fetch failed', { cause: coded(7) }),
    new TypeError('Failed to parse URL from x', { cause: coded('ERR_INVALID_URL') }),
  ])('is %s', (error) => {
    expect(isProgrammerError(error)).toBe(true);
  });

  it.each([
    new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }),
    new TypeError('fetch failed', { cause: coded('UND_ERR_SOCKET') }),
    new TypeError('terminated', { cause: coded('UND_ERR_SOCKET') }),
    new TypeError('Failed to fetch'),
    new TypeError('NetworkError when attempting to fetch resource.'),
    new TypeError('Load failed'),
    new TypeError('Network request failed'),
    new TypeError('error sending request for url (http://localhost/)'),
  ])('is not what fetch says of the network: %s', (error) => {
    expect(isProgrammerError(error)).toBe(false);
  });

  it.each([new Error('x'), new RangeError('r'), 'TypeError', undefined, { name: Symbol('s') }])(
    'is not %s',
    (error) => {
      expect(isProgrammerError(error)).toBe(false);
    },
  );
});
