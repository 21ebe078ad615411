import { memoryLedger, pipeline, type RetryRecord, retryBudget, syncSink } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';

it('takes an option that a call leaves undefined from the pipeline', async () => {
  const clock = virtualClock();
  const records: RetryRecord[] = [];
  const ledger = memoryLedger({ clock });
  const shared = pipeline({
    clock,
    ledger,
    operation: 'send',
    events: syncSink((record) => void records.push(record)),
    budget: retryBudget({ clock, burst: 0, floorPerSecond: 0 }),
  });
  const nothing = {
    clock: undefined,
    ledger: undefined,
    operation: undefined,
    events: undefined,
    budget: undefined,
  };
  await shared.run(() => 'sent', { ...nothing, idempotencyKey: 'order-1' });
  expect(await ledger.look('order-1')).toMatchObject({ state: 'done', value: 'sent' });
  expect(records.at(-1)).toMatchObject({ atMs: clock.now(), session: { operation: 'send' } });
  const call = shared.run(() => Promise.reject(new Error('down')), nothing);
  await expect(call).rejects.toMatchObject({ reason: 'budget_exhausted' });
});
