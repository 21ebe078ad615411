import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { runsElsewhere } from '../handler/handler.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { jobsOn } from './jobs-on.ts';

describe('jobs on a store', () => {
  it('runs an enqueued job, and gives its result to wait()', async () => {
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

  it('enqueues jobs of a handler that runs elsewhere, waits for them, and never claims them', async () => {
    const clock = virtualClock({ startMs: 1_700_000_000_000 });
    const store = memoryStore({ clock });
    const web = jobsOn(
      store,
      { greet: runsElsewhere<string, string>(), mail: async (to: string) => `sent to ${to}` },
      { clock },
    );
    const worker = jobsOn(store, { greet: async (name: string) => `Hello, ${name}` }, { clock });
    await web.start();
    const greeting = await web.enqueue('greet', 'Ada');
    const mail = web.wait(await web.enqueue('mail', 'ada'));
    await clock.advance(5_000);
    expect(await mail).toBe('sent to ada');
    expect(await store.job(greeting.id)).toMatchObject({ state: 'ready' });
    const answer = web.wait(greeting);
    await worker.start();
    await clock.advance(2_000);
    expect(await answer).toBe('Hello, Ada');
    const stopped = Promise.all([web.stop(), worker.stop()]);
    await clock.advance(10);
    await stopped;
  });
});
