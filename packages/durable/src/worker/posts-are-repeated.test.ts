import { jobsOn, memoryStore } from '@redrive/durable';
import { handleEventWithRetry } from '@redrive/durable/events';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';

describe('stored work runs at least once', () => {
  const post = () =>
    Object.assign(new Error('HTTP 500'), {
      config: { method: 'post', headers: {} },
      response: { status: 500, headers: {} },
    });

  it('a job whose POST failed is tried again', async () => {
    const clock = virtualClock({ startMs: 1_769_688_000_000 });
    const store = memoryStore({ clock });
    let calls = 0;
    const charge = async () => {
      calls += 1;
      if (calls === 1) throw post();
    };
    const jobs = jobsOn(store, { charge }, { clock });
    await jobs.start();
    const { id } = await jobs.enqueue('charge', {});
    await clock.advance(200_000);
    expect([calls, (await store.job(id))?.state]).toEqual([2, 'succeeded']);
    const stopped = jobs.stop();
    await clock.advance(60_000);
    await stopped;
    await store.close();
  });

  it('an event whose POST failed is handled again', async () => {
    const store = memoryStore();
    let calls = 0;
    const handler = async () => {
      calls += 1;
      if (calls === 1) throw post();
    };
    const jobs = jobsOn(store, { handler });
    const about = { jobs, handler: 'handler', source: 'orders', idempotencyKey: 'orders-1' };
    expect(await handleEventWithRetry({}, handler, about)).toBe('handled');
    expect(calls).toBe(2);
    await store.close();
  });
});
