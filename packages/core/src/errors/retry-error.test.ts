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
  maxAttempts: 3,
  failingMs: 1_840,
  retryAt: new Date(5_000),
};

describe('RetryError', () => {
  it('tells the whole story', () => {
    const error = new RetryError(giveUp, cause);
    expect(error).toBeInstanceOf(RedriveError);
    const { maxAttempts: _, failingMs: __, ...fields } = giveUp;
    expect(error).toMatchObject({ ...fields, name: 'RetryError', code: 'retry_gave_up' });
    expect(error.cause).toBe(cause);
    expect(error.details).toEqual({});
  });

  it.each<[string, Partial<GiveUp>, unknown, string]>([
    [
      'an error',
      {},
      cause,
      'Gave up on save order after 3 of 3 attempts, failing for 1.8 s (max_attempts_exceeded): Connection reset',
    ],
    [
      'one attempt',
      { totalAttempts: 1, maxAttempts: 1, failingMs: 12.4 },
      cause,
      'Gave up on save order after 1 of 1 attempt (max_attempts_exceeded): Connection reset',
    ],
    [
      'no attempt',
      { totalAttempts: 0, reason: 'breaker_open' },
      undefined,
      'Gave up on save order before the first attempt (breaker_open)',
    ],
    [
      'what is no error',
      {},
      'out of order',
      'Gave up on save order after 3 of 3 attempts, failing for 1.8 s (max_attempts_exceeded)',
    ],
    [
      'a hand-over that failed',
      {
        reason: 'beyond_horizon',
        handOverFailure: { handler: 'mail', handOverError: new Error('disk full') },
      },
      cause,
      'Gave up on save order after 3 of 3 attempts, failing for 1.8 s (beyond_horizon): Connection reset; ' +
        'the hand-over to mail failed: disk full',
    ],
    [
      'a response',
      { operation: 'payments.charge', totalAttempts: 4, maxAttempts: 4 },
      { status: 503, statusText: 'Service Unavailable' },
      'Gave up on payments.charge after 4 of 4 attempts, failing for 1.8 s (max_attempts_exceeded): HTTP 503 Service Unavailable',
    ],
    [
      'an error with a status that its message does not name',
      { failingMs: 90_000 },
      Object.assign(new Error('try later'), { status: 503 }),
      'Gave up on save order after 3 of 3 attempts, failing for 1.5 min (max_attempts_exceeded): HTTP 503 try later',
    ],
    [
      'an error with a status that its message names',
      { failingMs: 5_400_000 },
      Object.assign(new Error('503 from upstream'), { status: 503 }),
      'Gave up on save order after 3 of 3 attempts, failing for 90.0 min (max_attempts_exceeded): 503 from upstream',
    ],
    [
      'an error without a message',
      {},
      new RangeError(),
      'Gave up on save order after 3 of 3 attempts, failing for 1.8 s (max_attempts_exceeded): RangeError',
    ],
    [
      'a dependency in place of an operation',
      { operation: 'default', dependency: 'payments' },
      cause,
      'Gave up on payments after 3 of 3 attempts, failing for 1.8 s (max_attempts_exceeded): Connection reset',
    ],
    [
      'neither operation nor dependency',
      { operation: 'default', dependency: '' },
      cause,
      'Gave up after 3 of 3 attempts, failing for 1.8 s (max_attempts_exceeded): Connection reset',
    ],
    [
      'a session that goes on elsewhere',
      { reason: 'handed_over', totalAttempts: 2 },
      cause,
      'Handed over save order after 2 of 3 attempts, failing for 1.8 s (handed_over): Connection reset',
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
    expect(error.message).toBe(
      'Gave up on save order after 3 of 3 attempts, failing for 1.8 s (max_attempts_exceeded)',
    );
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
