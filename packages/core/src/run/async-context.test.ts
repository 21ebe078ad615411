import { AsyncLocalStorage } from 'node:async_hooks';
import {
  bulkhead,
  type Policy,
  pipeline,
  type RetryOptions,
  retry,
  retrySession,
  syncSink,
} from '@redrive/core';
import { settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';

const storage = new AsyncLocalStorage<string>();
const callers = ['anna', 'bert', 'carl'];
const steady: Policy = { backoff: 'fixed', baseDelayMs: 100, jitter: 'none' };

/** Makes the same call for each caller in its own context, and notes whose context each step was in. */
function asEach(makeCall: (note: (step: string) => void) => Promise<unknown>) {
  const notes = new Map(callers.map((caller) => [caller, [] as string[]]));
  const calls = callers.map((caller) =>
    storage.run(caller, () =>
      makeCall((step) => notes.get(caller)?.push(`${step} as ${storage.getStore()}`)).catch(
        () => {},
      ),
    ),
  );
  return { notes, calls };
}

const expectOwnContexts = (notes: Map<string, string[]>, steps: readonly string[]) => {
  for (const [caller, seen] of notes)
    expect(seen).toEqual(steps.map((step) => `${step} as ${caller}`));
};

describe('the async context of the caller', () => {
  it.each<[string, Policy, RetryOptions]>([
    ['plain', {}, {}],
    ['with a shared signal', {}, { signal: new AbortController().signal }],
    ['with a timeout', { attemptTimeoutMs: 1_000 }, {}],
    ['with a sink', {}, { events: syncSink(() => {}) }],
  ])('is there in every attempt, although all wait at once: %s', async (_, policy, options) => {
    const clock = virtualClock();
    const { notes, calls } = asEach((note) =>
      retry(
        ({ attempt }) => {
          note(`attempt ${attempt}`);
          return Promise.reject(new Error('down'));
        },
        { ...steady, ...policy },
        { clock, ...options },
      ),
    );
    await clock.runAll();
    await Promise.all(calls);
    expectOwnContexts(notes, ['attempt 1', 'attempt 2', 'attempt 3']);
  });

  it('is there after a timeout, and for listeners of the signal', async () => {
    const clock = virtualClock();
    const { notes, calls } = asEach((note) =>
      retry(
        ({ attempt, signal }) => {
          note(`attempt ${attempt}`);
          signal.addEventListener('abort', () => note(`abort ${attempt}`));
          return new Promise(() => {});
        },
        { ...steady, attemptTimeoutMs: 50, maxAttempts: 2 },
        { clock },
      ).catch(() => note('give up')),
    );
    await clock.runAll();
    await Promise.all(calls);
    expectOwnContexts(notes, ['attempt 1', 'abort 1', 'attempt 2', 'abort 2', 'give up']);
  });

  it('is there after an abort from somebody else’s context', async () => {
    const clock = virtualClock();
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = asEach((note) =>
      retry(() => Promise.reject('down'), steady, { clock, signal }).catch(() => note('aborted')),
    );
    const running = asEach((note) =>
      retry(() => new Promise(() => {}), steady, { clock, signal }).catch(() => note('aborted')),
    );
    await settle();
    storage.run('somebody else', () => controller.abort());
    await Promise.all([...waiting.calls, ...running.calls]);
    expectOwnContexts(waiting.notes, ['aborted']);
    expectOwnContexts(running.notes, ['aborted']);
  });

  it('is there after the queue of a bulkhead, whoever left it', async () => {
    const slots = bulkhead({ limit: 1, queue: 10 });
    slots.tryEnter();
    const { notes, calls } = asEach((note) =>
      pipeline({ bulkhead: slots }).run(async () => note('inside')),
    );
    await settle();
    storage.run('somebody else', () => slots.leave());
    await Promise.all(calls);
    expectOwnContexts(notes, ['inside']);
  });

  it('is there in classifiers, sinks and fallbacks', async () => {
    const clock = virtualClock();
    const { notes, calls } = asEach((note) => {
      const classify = () => {
        note('classify');
        return undefined;
      };
      const fallback = () => note('fallback');
      const events = syncSink(({ kind }) => note(kind));
      const policy = { ...steady, maxAttempts: 2, classify };
      return pipeline({ policy, fallback }).run(() => Promise.reject('down'), { clock, events });
    });
    await clock.runAll();
    await Promise.all(calls);
    const attempt = ['attempt_started', 'classify', 'attempt_ended'];
    expectOwnContexts(notes, [...attempt, ...attempt, 'session_ended', 'fallback']);
  });

  it('is there in the body of a loop', async () => {
    const clock = virtualClock();
    const { notes, calls } = asEach(async (note) => {
      for await (const { attempt, fail } of retrySession(steady, { clock })) {
        note(`attempt ${attempt}`);
        if (attempt < 3) fail('down');
      }
    });
    await clock.runAll();
    await Promise.all(calls);
    expectOwnContexts(notes, ['attempt 1', 'attempt 2', 'attempt 3']);
  });
});
