import {
  bulkhead,
  circuitBreaker,
  circuitBreakers,
  classify,
  eventSink,
  memoryLedger,
  retryBudget,
  retryBudgets,
  syncSink,
  withOnce,
} from '@redrive/core';
import { IdempotencyManager } from '@redrive/core/idempotency';
import { RetryManager } from '@redrive/core/manager';
import { sessionLog } from '@redrive/core/records';
import { describe, expect, it } from 'vitest';

/** Anything, as plain JavaScript may pass it. The parameter types cannot be met on purpose. */
// biome-ignore lint/suspicious/noExplicitAny: that is what is tested.
type Anything = any;

const ledger = memoryLedger();
const clock = 'a clock with now(), monotonic() and setTimer()';
const port = 'a ledger with reserve(), renew(), complete(), fail(), look() and clear()';

describe('new IdempotencyManager()', () => {
  it.each<[Anything, string]>([
    [undefined, `ledger must be ${port}, not undefined`],
    [null, `ledger must be ${port}, not undefined`],
    ['redis', 'it must be an object, not the string "redis"'],
    [{ ledger: {} }, `ledger must be ${port}, not an object`],
    [{ ledger: Promise.resolve(ledger) }, `ledger must be ${port}, not a promise`],
    [{ ledger, clock: 5 }, `clock must be ${clock}, not 5`],
    [{ ledger, events: [] }, 'events must be a sink with emit() and open(), not an array'],
    [{ ledger, ledgr: 1 }, 'ledgr is unknown'],
  ])('of %j says what was expected and what came, with its type', (options, message) => {
    expect(() => new IdempotencyManager(options)).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        message: expect.stringContaining(`Invalid idempotency manager: ${message}`),
      }),
    );
  });
});

const clockTakers: Readonly<Record<string, (options: Anything) => unknown>> = {
  circuitBreaker,
  circuitBreakers,
  retryBudget,
  retryBudgets,
  bulkhead: (options) => bulkhead({ limit: 1, ...options }),
  memoryLedger,
  eventSink: (options) => eventSink(() => {}, options),
  sessionLog: (options) => ('clock' in options ? circuitBreaker(options) : sessionLog(options)),
  RetryManager: (options) => new RetryManager(options),
};

describe.each(Object.entries(clockTakers))('%s', (_, make) => {
  it('says of a clock that is none what was expected and what came', () => {
    expect(() => make({ clock: 5 })).toThrow(`clock must be ${clock}, not 5`);
    expect(() => make({ clock: () => 5 })).toThrow(`clock must be ${clock}, not a function`);
  });
});

describe('RetryManager', () => {
  it.each<[Anything, string]>([
    ['x', 'Invalid retry manager: it must be an object, not the string "x"'],
    [
      { ledger: 5 },
      `ledger must be ${port.replace(' and clear()', ', clear() and once()')}, not 5`,
    ],
    [{ events: 5 }, 'events must be a sink with emit() and open(), not 5'],
    [{ policies: 5 }, 'policies must be an object of policies by category, not 5'],
    [{ polices: {} }, 'polices is unknown'],
  ])('of %j', (options, message) => {
    expect(() => new RetryManager(options)).toThrow(message);
  });

  it.each<[Anything, string]>([
    [undefined, 'No category undefined; there are RETRY_NATS_CONNECT'],
    [5, 'No category 5; '],
    ['RETRY_MOON', 'No category the string "RETRY_MOON"; '],
    [{}, 'No category an object; '],
  ])('has no category %j', (category, message) => {
    expect(() => new RetryManager().getPolicy(category)).toThrow(
      expect.objectContaining({
        code: 'unknown_category',
        message: expect.stringContaining(message),
      }),
    );
  });

  it('takes null for no options', async () => {
    const manager = new RetryManager(null as Anything);
    const run = manager.executeWithRetry('KV_GET', 'Get', () => 1, null as Anything);
    await expect(run).resolves.toBe(1);
  });
});

describe('a ledger', () => {
  it.each<[Anything, Anything, string]>([
    [undefined, () => 1, 'request must be an object with a key, not undefined'],
    [{ key: 5 }, () => 1, 'key must be a text, not 5'],
    [{ key: '' }, () => 1, 'key must be a text, not the string ""'],
    [{ key: 'k' }, Promise.resolve(1), 'run must be a function, not a promise'],
  ])('once(%j, %s) says what was expected and what came', async (request, run, message) => {
    await expect(ledger.once(request, run)).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(message),
    });
  });

  it('is not made of something else', () => {
    expect(() => withOnce(undefined as Anything)).toThrow(`ledger must be ${port}, not undefined`);
  });

  it('reserve() without a request says what is missing', async () => {
    const reserve = memoryLedger().reserve('k', undefined as Anything);
    await expect(reserve).rejects.toMatchObject({ code: 'invalid_option' });
  });
});

it('syncSink refuses a listener that cannot listen', () => {
  expect(() => syncSink(undefined as Anything)).toThrow('emit must be a function, not undefined');
});

it('classify takes nothing for no rules', () => {
  expect(classify(new Error('x'))).toEqual({ errorClass: 'retryable', effect: 'unknown' });
});
