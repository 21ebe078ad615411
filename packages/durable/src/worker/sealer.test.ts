import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

function sealedBench() {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = faultyStore(memoryStore({ clock }));
  const bench = workBench({ run: () => {} }, { store }, clock);
  const seals = () => store.calls.get('seal') ?? 0;
  const unsealed = async () => (await store.pulse([])).unsealed;
  return { ...bench, store, seals, unsealed };
}

describe('the audit log of a worker', () => {
  it('is sealed about once a second while there is something to seal, and then left alone', async () => {
    const { jobs, clock, seals, unsealed } = sealedBench();
    await jobs.start();
    for (let n = 0; n < 50; n++) {
      await jobs.enqueue('run', null);
      await clock.advance(100);
    }
    expect(seals()).toBeGreaterThanOrEqual(4);
    expect(seals()).toBeLessThanOrEqual(6);
    await clock.advance(2_000);
    expect(await unsealed()).toBe(false);
    const before = seals();
    await clock.advance(60_000);
    expect(seals()).toBe(before);
  });

  it('is sealed once more when the worker stops', async () => {
    const { jobs, clock, stop, unsealed } = sealedBench();
    await jobs.start();
    await clock.advance(2_000);
    await jobs.enqueue('run', null);
    await clock.advance(10);
    expect(await unsealed()).toBe(true);
    await stop();
    expect(await unsealed()).toBe(false);
  });

  it('that cannot be sealed holds up nothing, and is reported once', async () => {
    const { jobs, clock, store, seals, noticesOf, unsealed } = sealedBench();
    store.fault = { calls: ['seal'], when: 'before' };
    await jobs.start();
    const job = await jobs.enqueue('run', null);
    await clock.advance(10_000);
    await jobs.wait(job.id);
    expect(noticesOf('seal_failed')).toHaveLength(1);
    expect(noticesOf('store_unavailable')).toEqual([]);
    // Ever more rarely.
    expect(seals()).toBeGreaterThan(2);
    expect(seals()).toBeLessThan(6);
    store.fault = undefined;
    await clock.advance(60_000);
    expect(await unsealed()).toBe(false);
    store.fault = { calls: ['seal'], when: 'before' };
    await jobs.enqueue('run', null);
    await clock.advance(5_000);
    expect(noticesOf('seal_failed')).toHaveLength(2);
  });

  it('that never answers does not keep a worker from stopping', async () => {
    const { jobs, clock, store, stop, noticesOf } = sealedBench();
    store.fault = { calls: ['seal'], when: 'never' };
    await jobs.start();
    await jobs.enqueue('run', null);
    await clock.advance(5_000);
    const stoppedAtMs = clock.monotonic();
    await stop();
    expect(clock.monotonic() - stoppedAtMs).toBeLessThan(5_000);
    expect(noticesOf('stopped')).toHaveLength(1);
  });
});
