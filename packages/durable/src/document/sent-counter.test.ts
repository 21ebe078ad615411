import { virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';
import { schedules } from '../control/schedules.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { sentCounter } from './sent-counter.ts';

const NAME = 'retry_job_documents_requeued_total{archives}';

/** A counter whose store calls `then` after its first write. */
function counterBench(then: () => unknown) {
  const clock = virtualClock();
  const store = faultyStore(memoryStore({ clock }));
  let writes = 0;
  const watched = new Proxy(store, {
    get(of, name) {
      const value = Reflect.get(of, name);
      if (name !== 'apply') return value;
      return async (...args: unknown[]) => {
        const results = await value(...args);
        writes += 1;
        if (writes === 1) then();
        return results;
      };
    },
  });
  const counter = sentCounter({ store: watched, clock, intervalMs: 900_000 });
  const counted = async () => (await schedules(store)).schedules[0]?.totals[NAME];
  return { clock, store, counter, counted };
}

it('a count that comes just after the end of a write is in the store a second later', async () => {
  for (let late = 0; late < 10; late += 1) {
    const { clock, counter, counted } = counterBench(async () => {
      // The write ends some promises after the answer of the store.
      for (let n = 0; n < late; n += 1) await undefined;
      counter.add('archives');
    });
    counter.add('archives');
    await clock.advance(1_000);
    expect(await counted(), `${late} promises later`).toBe(2);
  }
});

it('counts that the store did not take are in it when it is back', async () => {
  const { clock, store, counter, counted } = counterBench(() => {});
  store.fault = { calls: ['apply'], when: 'before' };
  counter.add('archives');
  await clock.advance(3_000);
  store.fault = undefined;
  expect(await counted()).toBe(undefined);
  await clock.advance(1_000);
  expect(await counted()).toBe(1);
});
