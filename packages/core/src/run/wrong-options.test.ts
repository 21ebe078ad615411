import { isRedriveError, retry } from '@redrive/core';
import { expect, it } from 'vitest';

/** What plain JavaScript passes although the types forbid it. */
const wrong = (options: object): object => options;

it.each([
  ['an object without methods', { signal: {} }],
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
