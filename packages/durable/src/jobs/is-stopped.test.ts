import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { disengage, engage } from '../testing/control-bench.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

const WORK = { queue: 'chunking', handler: 'text.parsed', tenant: 'acme' };

function bench() {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = faultyStore(memoryStore({ clock }));
  const made = workBench({ 'text.parsed': async () => {} }, { store }, clock);
  /** The answer, while time passes. */
  const asked = async (work: Parameters<typeof made.jobs.isStopped>[0] = WORK) => {
    const answer = made.jobs.isStopped(work);
    await clock.advance(1_100);
    return answer;
  };
  return { ...made, store, asked };
}

describe('jobs.isStopped', () => {
  it('is false where nothing stops the work, also after an idle hour', async () => {
    const { jobs, clock, asked } = bench();
    await jobs.start();
    expect(await asked()).toBe(false);
    await clock.advance(3_600_000);
    expect(await asked({ queue: 'chunking', handler: 'text.parsed' })).toBe(false);
  });

  it.each(['all', 'queue:chunking', 'operation:text.parsed', 'tenant:acme'])(
    'is true under the kill switch %s, and false after its release',
    async (key) => {
      const { jobs, store, asked } = bench();
      await jobs.start();
      await engage(store, key);
      expect(await asked()).toBe(true);
      await disengage(store, key);
      expect(await asked()).toBe(false);
    },
  );

  it.each(['queue:other', 'operation:other', 'tenant:other'])(
    'is false under the kill switch %s',
    async (key) => {
      const { jobs, store, asked } = bench();
      await jobs.start();
      await engage(store, key);
      expect(await asked()).toBe(false);
    },
  );

  it('fails closed: true before the start, while the store is away, and after the stop', async () => {
    const { jobs, clock, store, asked, stop } = bench();
    expect(await asked()).toBe(true);
    await jobs.start();
    expect(await asked()).toBe(false);
    store.fault = { calls: ['controlRevision', 'controls', 'pulse', 'heartbeat'], when: 'before' };
    // A confirmation is valid for a second.
    await clock.advance(1_000);
    expect(await asked()).toBe(true);
    store.fault = undefined;
    expect(await asked()).toBe(false);
    await stop();
    expect(await asked()).toBe(true);
  });
});
