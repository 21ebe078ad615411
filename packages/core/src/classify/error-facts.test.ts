import { expect, test } from 'vitest';
import { isRetryError, retry } from '../index.ts';
import { rememberGiveUp, retryErrorOf } from './error-facts.ts';

const refuse = () => Promise.reject(new Error('connection reset'));

test('an outcome remembers its give-up until it comes out of a call that did not give up', async () => {
  const gaveUp: unknown = await retry(refuse, { maxAttempts: 1 }).catch((error) => error);
  if (!isRetryError(gaveUp)) throw gaveUp;
  const response = {};
  rememberGiveUp(response, gaveUp);
  expect(retryErrorOf(response)).toBe(gaveUp);
  rememberGiveUp(response);
  expect(retryErrorOf(response)).toBeUndefined();
});

test.each(['a text', 7, null, undefined])(
  '%j is no object and remembers nothing',
  async (value) => {
    const gaveUp: unknown = await retry(refuse, { maxAttempts: 1 }).catch((error) => error);
    if (!isRetryError(gaveUp)) throw gaveUp;
    rememberGiveUp(value, gaveUp);
    expect(retryErrorOf(value)).toBeUndefined();
  },
);
