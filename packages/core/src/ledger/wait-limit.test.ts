import { isRedriveError, memoryLedger, retry } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';

it('waits for another holder of the key no longer than the session may last', async () => {
  const clock = virtualClock();
  const ledger = memoryLedger({ clock });
  await ledger.reserve('k', { fingerprint: '', leaseMs: 3_600_000 });
  let calls = 0;
  const call = retry(() => ++calls, { ttlMs: 2_000 }, { clock, ledger, idempotencyKey: 'k' });
  const failed = call.catch((error: unknown) => error);
  await clock.advance(1_999);
  expect(clock.pendingTimers).toBe(1);
  await clock.advance(1);
  expect(isRedriveError(await failed, 'idempotency_in_progress')).toBe(true);
  expect({ calls, timers: clock.pendingTimers }).toEqual({ calls: 0, timers: 0 });
});
