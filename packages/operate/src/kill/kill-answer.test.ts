import { jobsOn, memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { killForecast } from './kill-answer.ts';

test('a forecast of a kill switch counts the jobs of its scope by handler, and nobody counts a tenant', async () => {
  const clock = virtualClock();
  const store = memoryStore({ clock });
  const jobs = jobsOn(store, { invoice: () => {}, refund: () => {}, mail: () => {} }, { clock });
  for (const handler of ['invoice', 'invoice', 'refund'] as const) {
    await jobs.enqueue(handler, {}, { queue: 'billing' });
  }
  await jobs.enqueue('mail', {});
  const counts = await store.counts();
  expect(killForecast({ scope: 'queue', name: 'billing' }, counts)).toMatchObject({
    ...{ running: 0, waiting: 3, bounded: false },
    handlers: [
      { handler: 'invoice', waiting: 2 },
      { handler: 'refund', waiting: 1 },
    ],
  });
  expect(killForecast({ scope: 'all' }, counts)).toMatchObject({ name: null, waiting: 4 });
  const tenant = killForecast({ scope: 'tenant', name: 'acme' }, counts);
  expect(tenant).toMatchObject({ waiting: null, handlers: [] });
});
