import { memoryLedger, retry, retrySession } from '@redrive/core';
import { expect, it } from 'vitest';

it('a loop whose work was done before makes no turn, whatever its result was', async () => {
  const options = { ledger: memoryLedger(), idempotencyKey: 'order-1' };
  await retry(() => 'sent', {}, options);
  const turns: number[] = [];
  for await (const { attempt } of retrySession({}, options)) turns.push(attempt);
  expect(turns).toEqual([]);
});
