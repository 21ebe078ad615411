import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { jobsOn } from './jobs-on.ts';

describe('jobs on a store', () => {
  it('runs what is enqueued, and answers who waits for it', async () => {
    const clock = virtualClock({ startMs: 1_700_000_000_000 });
    const store = memoryStore({ clock });
    const jobs = jobsOn(store, { greet: async (name: string) => `Hello, ${name}` }, { clock });
    await jobs.start();
    const job = await jobs.enqueue('greet', 'Ada');
    const answer = jobs.wait(job);
    await clock.advance(100);
    expect(await answer).toBe('Hello, Ada');
    const stopped = jobs.stop();
    await clock.advance(10);
    await stopped;
    expect(clock.pendingTimers).toBe(0);
  });
});
