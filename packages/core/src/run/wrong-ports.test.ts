import { isRedriveError, pipeline, retry, retrySession, systemClock } from '@redrive/core';
import { retry as nodeRetry } from '@redrive/core/node';
import { trackUnhandledRejections } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

/** What plain JavaScript passes although the types forbid it. */
// biome-ignore lint/suspicious/noExplicitAny: that is what is tested.
type Anything = any;

const atOnce = { backoff: 'immediate' } as const;
const down = new Error('down');
const fail = () => Promise.reject(down);

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: unknown) => (isRedriveError(error, 'invalid_option') ? error.message : error),
  );

describe('a port that is none is refused before the operation runs', () => {
  it.each<[string, Anything, string]>([
    ['killSwitch', () => false, 'something with isEngaged(), not a function'],
    ['killSwitch', {}, 'something with isEngaged(), not an object'],
    ['killSwitch', true, 'something with isEngaged(), not true'],
    ['budget', {}, 'something with deposit(), not an object'],
    ['budget', true, 'something with deposit(), not true'],
  ])('%s: %o', async (name, port, message) => {
    const operation = vi.fn();
    const options: Anything = { [name]: port };
    const expected = expect.stringContaining(`Invalid options: ${name} must be ${message}`);
    expect(await refusal(retry(operation, {}, options))).toEqual(expected);
    expect(await refusal(nodeRetry(operation, {}, options))).toEqual(expected);
    const loop = async () => {
      for await (const _ of retrySession({}, options)) operation();
    };
    expect(await refusal(loop())).toEqual(expected);
    expect(operation).not.toHaveBeenCalled();
  });

  it('also by a pipeline, when it is built', () => {
    const options: Anything = { budget: {} };
    expect(() => pipeline(options)).toThrow('Invalid pipeline options: budget must be');
  });

  it.each<Anything>([
    { budget: false, killSwitch: false, onRetry: false, clock: undefined },
    { breaker: null, budget: null, bulkhead: null, clock: null, events: null },
    { killSwitch: null, ledger: null, onRetry: null, parent: null, idempotencyKey: 'k' },
    { clock: systemClock },
  ])('and none is fine: %o', async (options) => {
    const operation = ({ attempt }: { attempt: number }) => (attempt < 2 ? fail() : 'up');
    expect(await retry(operation, atOnce, options)).toBe('up');
  });
});

describe('a promise where none belongs', () => {
  const rejects = (): Anything => Promise.reject(new Error('nobody looks'));

  it.each<[string, () => Promise<unknown>, object]>([
    [
      'an async kill switch counts as engaged',
      () => retry(fail, atOnce, { killSwitch: { isEngaged: rejects } }),
      { reason: 'kill_switch', cause: down },
    ],
    [
      'an async classifier has no answer',
      () => retry(fail, { ...atOnce, classify: rejects }),
      { reason: 'max_attempts_exceeded', cause: down },
    ],
    [
      'a rejected promise is no operation',
      () => retry(rejects()),
      { message: expect.stringContaining('pass a function that returns it') },
    ],
  ])('%s, and its rejection ends no process', async (_, call, error) => {
    const rejections = trackUnhandledRejections();
    try {
      await expect(call()).rejects.toMatchObject(error);
      expect(await rejections.seen()).toEqual([]);
    } finally {
      rejections.stop();
    }
  });

  it('an async classifyResult is a mistake, and its rejection ends no process', async () => {
    const rejections = trackUnhandledRejections();
    try {
      const call = retry(() => 1, { ...atOnce, classifyResult: rejects });
      await expect(call).rejects.toMatchObject({ code: 'invalid_policy', cause: 1 });
      expect(await rejections.seen()).toEqual([]);
    } finally {
      rejections.stop();
    }
  });
});

it.each<Anything>(['final', 5, {}])(
  'a classifier that answers %o has no answer',
  async (answer) => {
    const operation = vi.fn(fail);
    await expect(retry(operation, { ...atOnce, classify: () => answer })).rejects.toMatchObject({
      reason: 'max_attempts_exceeded',
      errorClass: 'retryable',
    });
    expect(operation).toHaveBeenCalledTimes(3);
  },
);
