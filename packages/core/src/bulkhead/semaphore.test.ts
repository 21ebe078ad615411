import { getEventListeners } from 'node:events';
import { settle, virtualClock } from '@redrive/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bulkhead } from './bulkhead.ts';

const full = (limit: number, queue: number) =>
  expect.objectContaining({ code: 'bulkhead_full', details: { limit, queue } });

/** Enters and notes it, or the reason why not. */
function enterAs(name: string, log: unknown[], entered: Promise<void>): void {
  entered.then(
    () => log.push(name),
    (error: unknown) => log.push([name, error]),
  );
}

describe('slots', () => {
  test('as many as the limit says, and no queue by default', async () => {
    const slots = bulkhead({ limit: 2 });
    expect(slots.tryEnter()).toBe(true);
    await slots.enter();
    expect(slots).toMatchObject({ inside: 2, waiting: 0 });
    expect(slots.tryEnter()).toBe(false);
    await expect(slots.enter()).rejects.toEqual(full(2, 0));
    await expect(slots.enter()).rejects.toThrow('All 2 slots are taken and the queue is full.');
    slots.leave();
    expect(slots.tryEnter()).toBe(true);
  });

  test('a slot is held until leave, whoever has stopped waiting for the work', async () => {
    const slots = bulkhead({ limit: 1 });
    const controller = new AbortController();
    await slots.enter(controller.signal);
    controller.abort();
    await settle();
    expect(slots.tryEnter()).toBe(false);
    slots.leave();
    expect(slots.tryEnter()).toBe(true);
  });

  test('leaving too often gives no extra slot', () => {
    const slots = bulkhead({ limit: 1 });
    slots.leave();
    expect(slots.tryEnter()).toBe(true);
    expect(slots.tryEnter()).toBe(false);
  });
});

describe('queue', () => {
  test('first come, first served, and nobody pushes in', async () => {
    const slots = bulkhead({ limit: 1, queue: 2 });
    const log: unknown[] = [];
    slots.tryEnter();
    enterAs('first', log, slots.enter());
    enterAs('second', log, slots.enter());
    await expect(slots.enter()).rejects.toEqual(full(1, 2));
    expect(slots.waiting).toBe(2);

    slots.leave();
    // The slot is already the first one's, although it does not know yet.
    expect(slots.tryEnter()).toBe(false);
    enterAs('third', log, slots.enter());
    await settle();
    expect(log).toEqual(['first']);
    slots.leave();
    slots.leave();
    await settle();
    expect(log).toEqual(['first', 'second', 'third']);
    expect(slots).toMatchObject({ inside: 1, waiting: 0 });
  });

  test('an abort takes one out of the middle, with its reason and without a trace', async () => {
    const slots = bulkhead({ limit: 1, queue: 3 });
    const controller = new AbortController();
    const log: unknown[] = [];
    slots.tryEnter();
    enterAs('first', log, slots.enter(controller.signal));
    const other = new AbortController();
    enterAs('second', log, slots.enter(other.signal));
    enterAs('third', log, slots.enter(controller.signal));
    expect(getEventListeners(other.signal, 'abort')).toHaveLength(1);
    other.abort('enough');
    await settle();
    expect(log).toEqual([['second', 'enough']]);
    expect(slots.waiting).toBe(2);
    expect(getEventListeners(other.signal, 'abort')).toHaveLength(0);

    slots.leave();
    slots.leave();
    await settle();
    expect(log.slice(1)).toEqual(['first', 'third']);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    slots.leave();
    expect(slots).toMatchObject({ inside: 0, waiting: 0 });
  });

  test('who has aborted before does not get in, though there is room', async () => {
    const slots = bulkhead({ limit: 1 });
    await expect(slots.enter(AbortSignal.abort('enough'))).rejects.toBe('enough');
    expect(slots.inside).toBe(0);
  });

  test('a wait ends after queueTimeoutMs, and not before', async () => {
    const clock = virtualClock();
    const slots = bulkhead({ limit: 1, queue: 1, queueTimeoutMs: 500, clock });
    const log: unknown[] = [];
    const controller = new AbortController();
    slots.tryEnter();
    enterAs('late', log, slots.enter(controller.signal));
    await clock.advance(499);
    expect(log).toEqual([]);
    await clock.advance(1);
    await settle();
    expect(log).toEqual([['late', full(1, 1)]]);
    expect(String(log)).toContain('none came free in 500 ms');
    expect(slots.waiting).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    slots.leave();
    expect(slots.inside).toBe(0);
  });

  test('a queue timeout longer than any timer does not fire at once', async () => {
    const clock = virtualClock();
    const longMs = 2 ** 31 + 5_000;
    const slots = bulkhead({ limit: 1, queue: 1, queueTimeoutMs: longMs, clock });
    const log: unknown[] = [];
    slots.tryEnter();
    enterAs('patient', log, slots.enter());
    await clock.advance(longMs - 1);
    expect(log).toEqual([]);
    await clock.advance(1);
    await settle();
    expect(log).toEqual([['patient', full(1, 1)]]);
    expect(clock.pendingTimers).toBe(0);
  });

  test('no timer is left when the wait ends otherwise', async () => {
    const clock = virtualClock();
    const slots = bulkhead({ limit: 1, queue: 2, queueTimeoutMs: 500, clock });
    slots.tryEnter();
    const controller = new AbortController();
    const entered = slots.enter();
    const aborted = slots.enter(controller.signal);
    expect(clock.pendingTimers).toBe(2);
    slots.leave();
    controller.abort('enough');
    await entered;
    await expect(aborted).rejects.toBe('enough');
    expect(clock.pendingTimers).toBe(0);
  });
});

test('names every wrong option at once', () => {
  // @ts-expect-error: what a caller without types may give
  expect(() => bulkhead({ queue: -1, queueTimeoutMs: 0 })).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      message: expect.stringMatching(
        /limit .* not undefined; queue .* not -1; queueTimeoutMs .* not 0/,
      ),
    }),
  );
});

test('property: never more inside than the limit, nobody forgotten, in order', async () => {
  type Step =
    | { readonly do: 'enter' | 'try' | 'leave' }
    | { readonly do: 'abort'; readonly pick: number }
    | { readonly do: 'pass'; readonly ms: number };
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constantFrom('enter' as const, 'try' as const, 'leave' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('abort' as const), pick: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(60) }) },
  );
  const options = fc.record({
    limit: fc.integer({ min: 1, max: 3 }),
    queue: fc.integer({ min: 0, max: 4 }),
    queueTimeoutMs: fc.constantFrom(20, 50, Infinity),
  });
  const property = fc.asyncProperty(
    options,
    fc.array(step, { maxLength: 20 }),
    async (given, steps) => {
      const clock = virtualClock();
      const slots = bulkhead({ ...given, clock });
      let queued: { readonly controller: AbortController; readonly untilMs: number }[] = [];
      let inside = 0;
      const ended: Promise<void>[] = [];
      for (const one of steps) {
        if (one.do === 'try') {
          const free = inside < given.limit;
          expect(slots.tryEnter()).toBe(free);
          if (free) inside += 1;
        } else if (one.do === 'enter') {
          const controller = new AbortController();
          const entered = slots.enter(controller.signal);
          if (inside < given.limit) {
            inside += 1;
            ended.push(entered);
          } else if (queued.length >= given.queue) {
            ended.push(expect(entered).rejects.toEqual(full(given.limit, given.queue)));
          } else {
            const untilMs = clock.monotonic() + given.queueTimeoutMs;
            queued.push({ controller, untilMs });
            ended.push(entered.catch(() => {}));
          }
        } else if (one.do === 'abort') {
          const [waiter] = queued.splice(one.pick % (queued.length || 1), 1);
          waiter?.controller.abort();
        } else if (one.do === 'pass') {
          clock.tick(one.ms);
          queued = queued.filter(({ untilMs }) => untilMs > clock.monotonic());
        } else if (inside > 0) {
          slots.leave();
          if (queued.shift() === undefined) inside -= 1;
        }
        expect(slots).toMatchObject({ inside, waiting: queued.length });
        expect(slots.inside).toBeLessThanOrEqual(given.limit);
      }
      while (inside > 0) {
        slots.leave();
        if (queued.shift() === undefined) inside -= 1;
      }
      await Promise.all(ended);
      expect(slots).toMatchObject({ inside: 0, waiting: 0 });
      expect(clock.pendingTimers).toBe(0);
    },
  );
  await fc.assert(property, { numRuns: 10_000 });
});
