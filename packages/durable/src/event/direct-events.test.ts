import { circuitBreaker, retry } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deadLetterOf } from '../dead-letter/envelope.ts';
import type { HandlerDefinition } from '../handler/handler.ts';
import { DocumentNotFoundError } from '../handler/handler-errors.ts';
import type { JobContext } from '../handler/job-context.ts';
import { deadLetter, retryAfter } from '../handler/verdict.ts';
import type { JobsOptions } from '../jobs/jobs.ts';
import { logRecords } from '../log/log-records.ts';
import { memoryBus } from '../memory/memory-bus.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { disengage, engage } from '../testing/control-bench.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import type { BusMessage } from './bus.ts';
import { consumeEvents } from './event-consumer.ts';

const HANDLER = 'chunking.json_parsed';
const SOURCE = {
  ...{ name: 'chunking', subject: 'json.parsed', bus: 'main', handler: HANDLER, direct: true },
  ...{ key: ['id'], headers: ['x-kept'], prefetch: 10 },
};

interface Event {
  readonly id: string;
}
type Run = (event: Event, context: JobContext) => unknown;

const event = (id: string, more: Partial<BusMessage> = {}): BusMessage => ({
  destination: 'json.parsed',
  // As a publisher in another language writes it: not the text that JSON.stringify makes.
  body: Buffer.from(`{ "id": "${id}" }`),
  ...more,
});

interface Seen {
  readonly id: string;
  readonly attempt: number;
  /** 0: it ran before it was stored. */
  readonly token: number;
}

/** A broker in memory, a direct source and a worker, in virtual time. */
async function bench(
  run: Run = async () => {},
  options: Omit<HandlerDefinition<Event, unknown>, 'run'> & Pick<JobsOptions, 'policies'> = {},
) {
  const { policies, ...handler } = options;
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = faultyStore(memoryStore({ clock }));
  const seen: Seen[] = [];
  const lines: string[] = [];
  const line = (level: string) => (_: object, text: string) => void lines.push(`${level}: ${text}`);
  const log = { info: line('INFO'), warn: line('WARNING'), error: line('ERROR') };
  const observed = async (payload: Event, context: JobContext) => {
    seen.push({ id: payload.id, attempt: context.attempt, token: context.token });
    return run(payload, context);
  };
  const made = workBench(
    { [HANDLER]: { ...handler, run: observed } },
    { store, events: logRecords(log), ...(policies && { policies }) },
    clock,
  );
  const bus = memoryBus();
  await bus.declare(SOURCE);
  await made.jobs.start();
  const start = async () => {
    const consumer = consumeEvents(SOURCE, { bus, store, jobs: made.jobs, clock });
    onTestFinished(async () => {
      const stopped = consumer.stop();
      await clock.advance(2_000);
      await stopped;
      await bus.close();
    });
    await clock.advance(1_100);
    return consumer;
  };
  const waiting = async () => {
    const { waiting = 0, unacknowledged = 0 } = await bus.check(SOURCE);
    return waiting + unacknowledged;
  };
  return { ...made, store, bus, start, waiting, seen, lines };
}

describe('a source with direct: true', () => {
  it('runs first deliveries and stores nothing on success', async () => {
    const contexts: JobContext[] = [];
    const { bus, clock, store, start, seen, waiting, lines } = await bench((_, context) => {
      contexts.push(context);
    });
    const consumer = await start();
    const headers = { 'x-kept': 'yes', 'x-other': 'no', 'redrive-session': 'order-7' };
    await bus.publish([event('a', { headers }), ...['b', 'c'].map((id) => event(id))]);
    await clock.advance(100);
    expect(seen.map(({ id, token }) => `${id} ${token}`)).toEqual(['a 0', 'b 0', 'c 0']);
    expect((await store.counts()).groups).toEqual([]);
    expect(await waiting()).toBe(0);
    expect(consumer.status).toMatchObject({ state: 'taking', handled: 3, stored: 0 });
    expect(contexts[0]).toMatchObject({
      ...{ jobId: 'chunking-a', sessionId: 'chunking-a', idempotencyKey: 'chunking-a' },
      ...{ handler: HANDLER, queue: 'chunking', tenant: '', tags: [], correlationId: 'order-7' },
      ...{ headers: { 'x-kept': 'yes' }, attempt: 1, maxAttempts: 8, generation: 1, token: 0 },
    });
    expect(contexts[0]?.timeLeftMs).toBeLessThanOrEqual(1_800_000);
    expect(lines).toContain('INFO: Succeeded at the initial attempt');
  });

  it('the event of a sweep keeps the key of its document, in place and as a job', async () => {
    const keys: string[] = [];
    const { bus, clock, start, look } = await bench((_, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      throw new DocumentNotFoundError('not there yet');
    });
    await start();
    const swept = { id: 'a', event_id: 's-1', retry_sweep: { attempt: 1 } };
    await bus.publish([{ destination: 'json.parsed', body: Buffer.from(JSON.stringify(swept)) }]);
    await clock.advance(120_000);
    expect(keys).toEqual(Array.from({ length: 8 }, () => 'chunking-a'));
    const stored = await look('chunking-a-sweep-s-1');
    expect(stored).toMatchObject({ state: 'dead', idempotencyKey: 'chunking-a' });
  });

  it('stores a message first that was delivered before, and the worker runs it', async () => {
    const { bus, clock, start, seen, look, waiting } = await bench();
    await bus.publish([event('a')]);
    // A process that dies in the handler.
    const died = await bus.consume(SOURCE, { prefetch: 10 }, async () => {
      throw new Error('kill -9');
    });
    await clock.advance(10);
    await died.stop();
    const consumer = await start();
    await bus.publish([event('b')]);
    await clock.advance(100);
    expect(seen).toEqual([
      { id: 'a', attempt: 1, token: 1 },
      { id: 'b', attempt: 1, token: 0 },
    ]);
    expect((await look('chunking-a')).state).toBe('succeeded');
    expect(consumer.status).toMatchObject({ handled: 1, stored: 1 });
    expect(await waiting()).toBe(0);
  });

  it('waits up to a second in place, with the log lines of events', async () => {
    let runs = 0;
    const { bus, clock, store, start, seen, lines } = await bench(() => {
      runs += 1;
      if (runs < 3) throw new DocumentNotFoundError('No messages found');
    });
    await start();
    await bus.publish([event('a')]);
    await clock.advance(3_000);
    expect(seen.map(({ attempt, token }) => [attempt, token])).toEqual([
      [1, 0],
      [2, 0],
      [3, 0],
    ]);
    expect(await store.job('chunking-a')).toBeUndefined();
    expect(lines).toContain('INFO: Retry attempt 3/8 for event with idempotency key: chunking-a');
    expect(lines.at(-1)).toMatch(
      /^INFO: Event processed successfully after 3 retry attempts \(total latency: [\d.]+s\)$/,
    );
  });

  it('makes 8 attempts in all: the first ones here, the others as a job with the same account', async () => {
    const { bus, clock, start, seen, look, lines, waiting } = await bench(() => {
      throw new DocumentNotFoundError('No messages found');
    });
    const consumer = await start();
    await bus.publish([event('a', { headers: { 'x-kept': 'yes' } })]);
    await clock.advance(120_000);
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const direct = seen.filter(({ token }) => token === 0).length;
    expect(direct).toBeGreaterThan(1);
    expect(direct).toBeLessThan(8);
    const job = await look('chunking-a');
    // Byte for byte, so that a redelivery is recognised; and with its headers.
    expect(job.payload).toEqual({ kind: 'json', text: '{ "id": "a" }' });
    expect(job.headers).toEqual({ 'x-kept': 'yes' });
    expect(deadLetterOf(job)).toMatchObject({
      attempt_count: 8,
      abandoned_reason: 'max_attempts_exceeded',
      service_name: 'chunking',
    });
    expect(lines.at(-1)).toBe(
      'ERROR: Event sent to DLQ after 8 attempts (reason: max_attempts_exceeded): No messages found',
    );
    expect(consumer.status).toMatchObject({ handled: 0, stored: 1, deadLettered: 0 });
    expect(await waiting()).toBe(0);
  });

  it('an unknown error is a dead letter at once, and its redelivery a duplicate', async () => {
    const { bus, clock, start, look, store } = await bench(() => {
      throw new Error('no such field');
    });
    const consumer = await start();
    await bus.publish([event('a'), event('bad', { body: Buffer.from('{'), id: 'm-1' })]);
    await clock.advance(100);
    expect((await look('chunking-a')).reason).toBe('final_error');
    expect((await look('chunking-m-1')).reason).toBe('invalid_message');
    expect(consumer.status).toMatchObject({ handled: 0, stored: 0, deadLettered: 2 });
    // The process died before the acknowledgement: the broker delivers it again.
    await consumer.stop();
    await bus.publish([event('a')]);
    const died = await bus.consume(SOURCE, { prefetch: 10 }, () => Promise.reject(new Error('x')));
    await clock.advance(10);
    await died.stop();
    const second = await start();
    expect(second.status).toMatchObject({ duplicates: 1, deadLettered: 0 });
    expect((await store.deadLetters({}, { limit: 10 })).jobs).toHaveLength(2);
  });

  it.each(['all', 'queue:chunking', `operation:${HANDLER}`, 'pause:queue:chunking'])(
    'runs nothing under %s; the rest stays in the broker',
    async (key) => {
      const { bus, clock, store, start, seen, waiting } = await bench();
      const consumer = await start();
      await engage(store, key);
      await clock.advance(1_100);
      await bus.publish([event('a')]);
      await clock.advance(5_000);
      expect([seen.length, await waiting(), consumer.status.state]).toEqual([0, 1, 'stopped']);
      await disengage(store, key);
      await clock.advance(2_100);
      expect([seen.length, await waiting(), consumer.status.state]).toEqual([1, 0, 'taking']);
    },
  );

  it('a kill switch that interrupts aborts a running handler: its message goes back to the broker', async () => {
    const signals: AbortSignal[] = [];
    const { bus, clock, store, start, seen, waiting, look } = await bench((_, { signal }) => {
      signals.push(signal);
      return signals.length === 1 ? new Promise(() => {}) : undefined;
    });
    await start();
    await bus.publish([event('a')]);
    await clock.advance(100);
    await engage(store, 'all', 'interrupt');
    await clock.advance(5_000);
    expect([signals[0]?.aborted, await waiting()]).toEqual([true, 1]);
    await disengage(store, 'all');
    await clock.advance(5_000);
    expect(seen.map(({ token }) => token)).toEqual([0, 1]);
    expect((await look('chunking-a')).state).toBe('succeeded');
    expect(await waiting()).toBe(0);
  });

  it('stores events while the breaker of the handler is open: they are parked, and none dies', async () => {
    let isDown = true;
    const policies = (id: string) =>
      id === 'mail'
        ? {
            ...{ id, dependency: 'mail', enableCircuitBreaker: true, circuitBreakerThreshold: 2 },
            ...{ circuitBreakerTimeoutMs: 60_000, maxAttempts: 8, baseDelayMs: 5_000 },
          }
        : undefined;
    const { bus, clock, start, seen, store, look } = await bench(
      () => {
        if (isDown) throw new DocumentNotFoundError('down');
      },
      { policy: 'mail', policies },
    );
    const consumer = await start();
    await bus.publish([event('a'), event('b')]);
    await clock.advance(1_000);
    const before = seen.length;
    await bus.publish([event('c'), event('d')]);
    await clock.advance(2_000);
    expect(seen).toHaveLength(before);
    expect([(await look('chunking-c')).state, (await look('chunking-c')).cause]).toEqual([
      'parked',
      'breaker:mail',
    ]);
    expect(consumer.status).toMatchObject({ handled: 0, stored: 4 });
    isDown = false;
    await clock.advance(300_000);
    expect(await store.countDead({}, 10)).toMatchObject({ count: 0 });
    expect((await look('chunking-d')).state).toBe('succeeded');
    await bus.publish([event('e')]);
    await clock.advance(100);
    expect(seen.at(-1)).toEqual({ id: 'e', attempt: 1, token: 0 });
  });

  it('a Retry-After closes the gate: the next events are stored', async () => {
    let calls = 0;
    const { bus, clock, start, seen, look } = await bench(
      () => {
        calls += 1;
        return calls === 1 ? retryAfter(30_000) : undefined;
      },
      { dependency: 'api' },
    );
    await start();
    await bus.publish([event('a')]);
    await clock.advance(100);
    await bus.publish([event('b')]);
    await clock.advance(1_000);
    expect(seen).toHaveLength(1);
    expect((await look('chunking-b')).state).toBe('parked');
    await clock.advance(60_000);
    expect(seen.map(({ id, token }) => `${id} ${token > 0}`).toSorted()).toEqual([
      'a false',
      'a true',
      'b true',
    ]);
  });

  it('the store is away: nothing that failed is acknowledged, and nothing is lost', async () => {
    let isDown = true;
    const { bus, clock, store, start, seen, waiting, look } = await bench(({ id }) => {
      if (isDown && id === 'bad') throw new Error('no such field');
    });
    const consumer = await start();
    store.fault = { calls: ['apply'], when: 'before' };
    await bus.publish([event('good'), event('bad')]);
    await clock.advance(500);
    expect(await waiting()).toBe(2);
    expect(consumer.status).toMatchObject({ state: 'store_away', handled: 0 });
    store.fault = undefined;
    isDown = false;
    await clock.advance(5_000);
    expect(await waiting()).toBe(0);
    // Both were delivered before, so both are stored: the good one ran twice.
    expect(seen.map(({ id, token }) => `${id} ${token}`).toSorted()).toEqual([
      ...['bad 0', 'bad 1', 'good 0', 'good 1'],
    ]);
    expect((await look('chunking-bad')).state).toBe('succeeded');
  });

  it('a stop lets running handlers finish, and stores the rest of the batch', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { bus, clock, jobs, start, seen, waiting, look } = await bench(() => promise, {
      concurrency: 1,
    });
    const consumer = await start();
    await bus.publish([event('a'), event('b')]);
    await clock.advance(100);
    const stopped = jobs.stop({ graceMs: 30_000 });
    await clock.advance(5_000);
    expect(await jobs.isStopped({ queue: 'chunking', handler: HANDLER })).toBe(true);
    resolve();
    await clock.advance(1_000);
    await stopped;
    expect(seen.map(({ id }) => id)).toEqual(['a']);
    expect(consumer.status).toMatchObject({ handled: 1, stored: 1 });
    expect((await look('chunking-b')).state).toBe('ready');
    expect(await waiting()).toBe(0);
  });

  it('a stop aborts a handler after its grace time: the message goes back to the broker', async () => {
    const { bus, clock, jobs, start, waiting, store } = await bench(() => new Promise(() => {}));
    await start();
    await bus.publish([event('a')]);
    await clock.advance(100);
    const stopped = jobs.stop({ graceMs: 3_000 });
    await clock.advance(10_000);
    await stopped;
    expect(await waiting()).toBe(1);
    expect(await store.job('chunking-a')).toBeUndefined();
  });

  it('verdicts and calls inside that give up count as in a job', async () => {
    let calls = 0;
    const { bus, clock, start, look, store, seen } = await bench(async ({ id }) => {
      if (id === 'verdict') return deadLetter('for a person');
      if (id !== 'inner') return undefined;
      calls += 1;
      if (calls > 2) return undefined;
      const down = () => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNRESET' }));
      await retry(down, { maxAttempts: 1, id: 'inside' });
    });
    await start();
    await bus.publish([event('verdict'), event('inner')]);
    await clock.advance(10_000);
    expect((await look('chunking-verdict')).attempts.kept[0]?.error?.message).toBe('for a person');
    expect(seen.filter(({ id }) => id === 'inner')).toHaveLength(3);
    expect(await store.countDead({}, 10)).toMatchObject({ count: 1 });
  });

  it.each(['as it is', 'as a cause'])(
    'a call inside that an open breaker refuses costs no attempt, and the event is parked: %s',
    async (how) => {
      const policies = (id: string) =>
        id === 'two' ? { id, maxAttempts: 2, baseDelayMs: 100 } : undefined;
      const { bus, clock, start, look, seen } = await bench(
        async () => {
          const call = retry(async () => {}, { id: 'inside' }, { breaker, clock });
          await call.catch((cause: unknown) => {
            throw how === 'as it is' ? cause : new Error('The event was not indexed', { cause });
          });
        },
        { policy: 'two', policies },
      );
      const breaker = circuitBreaker({ key: 'db', clock });
      breaker.isolate();
      const consumer = await start();
      await bus.publish([event('a')]);
      await clock.advance(1_000);
      expect(seen.map(({ token }) => token)).toEqual([0]);
      await clock.advance(120_000);
      expect(await look('chunking-a')).toMatchObject({
        ...{ state: 'parked', reason: 'breaker_open' },
        account: { entries: { failed: 0 } },
      });
      expect(consumer.status).toMatchObject({ stored: 1 });
    },
  );

  it('context.once makes a second run harmless', async () => {
    let effects = 0;
    const { bus, clock, start, seen } = await bench(async ({ id }, { once }) => {
      await once(`charge ${id}`, () => {
        effects += 1;
      });
    });
    await start();
    await bus.publish([event('a'), event('a')]);
    await clock.advance(1_000);
    expect([seen.length, effects]).toEqual([2, 1]);
  });

  it('is refused for a handler that asks a person after an unknown effect, and for one that is unknown', async () => {
    const { jobs, store, bus, clock } = await bench(undefined, { onUnknown: 'dead_letter' });
    const parts = { jobs, store, bus, clock };
    expect(() => consumeEvents(SOURCE, parts)).toThrow('Remove "direct" from its source');
    const other = { ...SOURCE, handler: 'nobody' };
    expect(() => consumeEvents(other, parts)).toThrow('nobody');
  });
});
