import { thrownValues } from '@redrive/testkit/arbitraries';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { isRedriveError, RedriveError } from './redrive-error.ts';
import { type GiveUp, isRetryError, RetryError } from './retry-error.ts';

const cause = new Error('Connection reset');
const giveUp: GiveUp = {
  reason: 'max_attempts_exceeded',
  operation: 'save order',
  category: 'RETRY_KV_PUT',
  sessionId: 'session_1',
  attempts: [{ attempt: 1, error: cause, delayMs: 0 }],
  totalAttempts: 3,
  retryAt: new Date(5_000),
};

describe('RetryError', () => {
  it('tells the whole story', () => {
    const error = new RetryError(giveUp, cause);
    expect(error).toBeInstanceOf(RedriveError);
    expect(error).toMatchObject({ ...giveUp, name: 'RetryError', code: 'retry_gave_up' });
    expect(error.cause).toBe(cause);
    expect(error.details).toEqual({});
  });

  it.each<[string, Partial<GiveUp>, unknown, string]>([
    [
      'an error',
      {},
      cause,
      'save order gave up after 3 attempts (max_attempts_exceeded): Connection reset',
    ],
    [
      'one attempt',
      { totalAttempts: 1 },
      cause,
      'save order gave up after 1 attempt (max_attempts_exceeded): Connection reset',
    ],
    [
      'no attempt',
      { totalAttempts: 0, reason: 'breaker_open' },
      undefined,
      'save order gave up after 0 attempts (breaker_open)',
    ],
    [
      'what is no error',
      {},
      'out of order',
      'save order gave up after 3 attempts (max_attempts_exceeded)',
    ],
  ])('says what happened: %s', (_, fields, thrown, message) => {
    expect(new RetryError({ ...giveUp, ...fields }, thrown).message).toBe(message);
  });

  it.each([[undefined], [null], ['text'], [0], [{ status: 500 }]])(
    'keeps %j as its cause',
    (thrown) => {
      const error = new RetryError(giveUp, thrown);
      expect('cause' in error).toBe(true);
      expect(error.cause).toBe(thrown);
    },
  );

  it.each([
    ['a revoked proxy', revoked()],
    ['a message that throws', Object.defineProperty(new Error(), 'message', { get: revoked })],
    ['a message that is no text', Object.assign(new Error(), { message: Symbol('x') })],
  ])('can be made of %s', (_, thrown) => {
    const error = new RetryError(giveUp, thrown);
    expect(error.message).toBe('save order gave up after 3 attempts (max_attempts_exceeded)');
    expect(error.cause === thrown).toBe(true);
  });

  it('has no time to come back where none is known', () => {
    const { retryAt: _, ...never } = giveUp;
    expect(new RetryError(never, cause).retryAt).toBeUndefined();
  });
});

describe('isRetryError', () => {
  const error = new RetryError(giveUp, cause);

  it('knows a give-up, and its reason', () => {
    expect(isRetryError(error)).toBe(true);
    expect(isRetryError(error, 'max_attempts_exceeded')).toBe(true);
    expect(isRetryError(error, 'ttl_exceeded')).toBe(false);
    expect(isRedriveError(error)).toBe(true);
    expect(isRedriveError(error, 'retry_gave_up')).toBe(true);
  });

  it('knows a give-up of another copy of the package', async () => {
    vi.resetModules();
    const copy = await import('./retry-error.ts');
    const foreign = new copy.RetryError(giveUp, cause);
    expect(foreign).not.toBeInstanceOf(RetryError);
    expect(isRetryError(foreign, 'max_attempts_exceeded')).toBe(true);
  });

  it.each([
    ['another error of Redrive', new RedriveError('ledger_full', 'No room')],
    ['a system error', Object.assign(new Error('x'), { code: 'ECONNRESET' })],
    ['an error without a code', new Error('x')],
    ['an object', { code: 'retry_gave_up', details: {}, reason: 'max_attempts_exceeded' }],
    ['undefined', undefined],
  ])('does not take %s for one', (_, value) => {
    expect(isRetryError(value)).toBe(false);
    expect(isRetryError(value, 'max_attempts_exceeded')).toBe(false);
  });

  it('knows no reason of a give-up that has none', () => {
    const bare = new RedriveError('retry_gave_up', 'x');
    expect(isRetryError(bare)).toBe(true);
    expect(isRetryError(bare, 'max_attempts_exceeded')).toBe(false);
  });

  it('survives whatever is thrown', () => {
    fc.assert(
      fc.property(thrownValues(), (value) => {
        expect(isRetryError(value)).toBe(false);
        expect(isRetryError(value, 'ttl_exceeded')).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
