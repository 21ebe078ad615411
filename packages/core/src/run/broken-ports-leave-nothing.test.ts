import type { Breaker, Budget, Bulkhead } from '@redrive/core';
import { bulkhead, retry, syncSink } from '@redrive/core';
import { settle, trackUnhandledRejections, virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';

const broken = () => {
  throw new Error('the port is broken');
};
const down = () => Promise.reject(new Error('down'));
const calmBreaker: Breaker = { admit: () => 1, record() {}, openForMs: () => 0 };

describe('a port that throws', () => {
  it('keeps no abort from ending a wait, nor from reaching the others on the signal', async () => {
    const budget: Budget = { deposit() {}, allows: () => true, take() {}, giveBack: broken };
    const clock = virtualClock();
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [{ budget }, {}].map((port) => retry(down, {}, { clock, signal, ...port }));
    const ended = Promise.allSettled(calls);
    await settle();
    controller.abort('user left');
    expect(await ended).toEqual(calls.map(() => ({ status: 'rejected', reason: 'user left' })));
  });

  it('keeps no slot of a bulkhead', async () => {
    const slots = bulkhead({ limit: 1 });
    const breaker = { ...calmBreaker, admit: broken };
    const call = retry(() => 'up', { maxAttempts: 1 }, { bulkhead: slots, breaker });
    await expect(call).rejects.toThrow('the port is broken');
    expect(slots.inside).toBe(0);
  });

  it('fails no call that has succeeded because somebody listens', async () => {
    const breaker = { ...calmBreaker, openForMs: broken };
    expect(await retry(() => 'up', {}, { breaker, events: syncSink(() => {}) })).toBe('up');
  });

  it('ends no process when it is told that the work is over', async () => {
    const slots: Bulkhead = { tryEnter: () => true, enter: async () => {}, leave: broken };
    const rejections = trackUnhandledRejections();
    try {
      expect(await retry(() => 'up', {}, { bulkhead: slots })).toBe('up');
      expect(await rejections.seen()).toEqual([]);
    } finally {
      rejections.stop();
    }
  });
});
