import { isRedriveError, pipeline, retry, retrySession } from '@redrive/core';
import { retry as nodeRetry } from '@redrive/core/node';
import { describe, expect, it, vi } from 'vitest';

/** What plain JavaScript passes although the types forbid it. */
const wrong = (options: object): object => options;

it.each([
  ['an object without methods', { signal: {} }],
  ['a frozen one', { signal: Object.freeze(new AbortController().signal) }],
  [
    'an object without methods, in a guarded call',
    { signal: {}, budget: false, idempotencyKey: 'k' },
  ],
])('refuses %s as a signal before the operation runs', async (_, options) => {
  let calls = 0;
  const error = await retry(() => ++calls, {}, wrong(options)).catch((thrown: unknown) => thrown);
  expect({ calls, refused: isRedriveError(error, 'invalid_option') }).toEqual({
    calls: 0,
    refused: true,
  });
});

it.each([[{ signal: null }], [{ signal: null, idempotencyKey: 'k' }]])(
  'takes no signal for none: %o',
  async (options) => {
    expect(await retry(() => 'value', { attemptTimeoutMs: 1_000 }, wrong(options))).toBe('value');
    expect(await retry(() => 'value', {}, wrong(options))).toBe('value');
  },
);

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: unknown) => (isRedriveError(error, 'invalid_option') ? error.message : error),
  );

describe('unknown options and ports that are none are refused, all at once, before the operation runs', () => {
  it.each<[object, string]>([
    [{ singal: 1 }, 'Invalid options: singal is unknown (did you mean signal?).'],
    [
      { tenant_id: 'a', signal: undefined },
      'Invalid options: tenant_id is unknown (did you mean tenantId?).',
    ],
    [
      { Clock: 1, idempotency: 1 },
      'Invalid options: Clock is unknown (did you mean clock?); ' +
        'idempotency is unknown (did you mean idempotencyKey?).',
    ],
    [
      { budget: {}, onRetries: 1, killSwitch: {} },
      'Invalid options: budget must be something with deposit(), not an object; ' +
        'onRetries is unknown (did you mean onRetry?); ' +
        'killSwitch must be something with isEngaged(), not an object.',
    ],
  ])('%o', async (options, message) => {
    const operation = vi.fn();
    expect(await refusal(retry(operation, {}, wrong(options)))).toBe(message);
    expect(await refusal(nodeRetry(operation, {}, wrong(options)))).toBe(message);
    expect(await refusal(pipeline().run(operation, wrong(options)))).toBe(message);
    const loop = async () => {
      for await (const _ of retrySession({}, wrong(options))) operation();
    };
    expect(await refusal(loop())).toBe(message);
    expect(operation).not.toHaveBeenCalled();
  });

  it('with all known names where none is near', async () => {
    const message = await refusal(retry(() => 1, {}, wrong({ xyz: 1 })));
    expect(message).toContain('xyz is unknown; known are signal, operation,');
  });

  it('also of a pipeline', () => {
    expect(() => pipeline(wrong({ polcy: {} }))).toThrow(
      'Invalid pipeline options: polcy is unknown (did you mean policy?).',
    );
  });

  it.each([
    [null, 'null'],
    [5, '5'],
    ['signal', 'the string "signal"'],
  ])('and so is %o in place of options', async (options, shown) => {
    // @ts-expect-error: plain JavaScript may pass anything
    const message = await refusal(retry(() => 1, {}, options));
    expect(message).toBe(`Invalid options: it must be an object, not ${shown}.`);
  });
});

describe('an operation that is no function is refused', () => {
  it.each<[unknown, string]>([
    [
      Promise.resolve(1),
      'The operation must be a function, not a promise: pass a function that returns it',
    ],
    [undefined, 'The operation must be a function, not undefined'],
    ['fetch', 'The operation must be a function, not the string "fetch"'],
  ])('%o', async (operation, message) => {
    // @ts-expect-error: plain JavaScript may pass anything
    expect(await refusal(retry(operation))).toBe(message);
    // @ts-expect-error: plain JavaScript may pass anything
    expect(await refusal(pipeline().run(operation))).toBe(message);
  });
});

it('refuses a function as a sink, and says how to make one of it', async () => {
  const error = await retry(() => 1, {}, wrong({ events: () => {} })).catch((e: unknown) => e);
  expect(isRedriveError(error, 'invalid_option') && error.message).toContain('syncSink');
});

it('lets an abort through although every retry follows at once', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  inTheNextTurn(() => controller.abort(reason));
  const operation = () => {
    throw new Error('down');
  };
  const policy = { backoff: 'immediate', maxAttempts: 1_000_000_000 } as const;
  await expect(retry(operation, policy, { signal: controller.signal })).rejects.toBe(reason);
});

/** A turn of the event loop, which retries without a wait must not hold up. */
function inTheNextTurn(turn: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    turn();
    port1.close();
  };
  port2.postMessage('turn');
}
