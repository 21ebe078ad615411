import { virtualClock } from '@redrive/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deadLetterOf } from '../dead-letter/envelope.ts';
import { DEAD_LETTER_HANDLER } from '../dead-letter/publish-dead-letters.ts';
import { type Handlers, runsElsewhere } from '../handler/handler.ts';
import { DocumentNotFoundError } from '../handler/handler-errors.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryBus } from '../memory/memory-bus.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { disengage, engage } from '../testing/control-bench.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import type { Notice } from '../worker/notice.ts';
import { type Bus, type BusMessage, MAX_EVENT_BYTES } from './bus.ts';
import { consumeEvents, type SourceStatus } from './event-consumer.ts';
import type { EventSource } from './event-source.ts';

const HANDLER = 'chunking.json_parsed';
const SOURCE: EventSource = {
  name: 'chunking',
  subject: 'json.parsed',
  bus: 'main',
  handler: HANDLER,
  key: ['data.message_ids'],
};

const message = (body: unknown, more: Partial<BusMessage> = {}): BusMessage => ({
  destination: 'json.parsed',
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  ...more,
});
const event = (id: string, more: object = {}) => message({ data: { message_ids: [id] }, ...more });

/** A worker, a broker in memory and a consumer between them, in virtual time. */
async function bench(
  run: Handlers[string] = async () => {},
  given: Partial<EventSource> = {},
  declared: readonly string[] = [],
  onChange?: (status: SourceStatus) => void,
) {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = faultyStore(memoryStore({ clock }));
  const made = workBench({ [HANDLER]: run }, { store }, clock);
  const bus = memoryBus();
  const source = { ...SOURCE, ...given };
  await bus.declare(source);
  for (const name of declared) await bus.declare({ name });
  await made.jobs.start();
  const consumer = consumeEvents(source, { bus, store, jobs: made.jobs, clock, onChange });
  const waiting = async () => {
    const { waiting, unacknowledged } = await bus.check(source);
    return (waiting ?? 0) + (unacknowledged ?? 0);
  };
  onTestFinished(async () => {
    const stopped = consumer.stop();
    await clock.advance(2_000);
    await stopped;
    await bus.close();
  });
  await clock.advance(1_100);
  return { ...made, store, bus, source, consumer, waiting };
}

describe('a consumer of events', () => {
  it('stores a message as a job of its handler, which the worker runs, and acknowledges it', async () => {
    const seen: unknown[] = [];
    const { bus, clock, look, waiting, consumer } = await bench(
      async (payload: unknown) => void seen.push(payload),
      { headers: ['x-kept'] },
    );
    const headers = { 'x-kept': 'yes', 'x-other': 'no' };
    await bus.publish([{ ...event('abc'), headers }]);
    await clock.advance(100);
    expect(seen).toEqual([{ data: { message_ids: ['abc'] } }]);
    const job = await look('chunking-abc');
    expect(job).toMatchObject({
      state: 'succeeded',
      queue: 'chunking',
      handler: HANDLER,
      idempotencyKey: 'chunking-abc',
      headers: { 'x-kept': 'yes' },
      origin: { rung: 'event', bus: 'main', source: 'chunking' },
    });
    expect(await waiting()).toBe(0);
    expect(consumer.status).toMatchObject({ state: 'taking', stored: 1, duplicates: 0 });
  });

  it('runs an event once that was sent five times, and counts the duplicates', async () => {
    let runs = 0;
    const count = async () => {
      runs += 1;
    };
    const { bus, clock, consumer, waiting } = await bench(count);
    await bus.publish([event('a'), event('a'), event('b')]);
    await clock.advance(100);
    for (let sent = 0; sent < 3; sent += 1) await bus.publish([event('a')]);
    await clock.advance(100);
    expect(runs).toBe(2);
    expect(consumer.status).toMatchObject({ stored: 2, duplicates: 4 });
    expect(await waiting()).toBe(0);
  });

  it('stores the same key with another body as a dead letter, and its redelivery as a duplicate', async () => {
    const { bus, clock, store, consumer } = await bench();
    await bus.publish([event('a'), event('a', { other: 1 })]);
    await clock.advance(100);
    await bus.publish([event('a', { other: 1 }), event('a', { other: 2 })]);
    await clock.advance(100);
    const { jobs } = await store.deadLetters({}, { limit: 10 });
    expect(jobs.map(({ reason }) => reason)).toEqual([
      'idempotency_conflict',
      'idempotency_conflict',
    ]);
    expect(jobs.every(({ id }) => /^chunking-a-[0-9a-f]{16}$/.test(id))).toBe(true);
    expect(consumer.status).toMatchObject({ stored: 1, deadLettered: 2, duplicates: 1 });
  });

  it('delivers a message again whose stored event was deleted while the two were compared', async () => {
    const { bus, clock, store, consumer, waiting } = await bench();
    await bus.publish([event('a')]);
    await clock.advance(100);
    const { job } = store;
    let looks = 0;
    store.job = async (id) => {
      looks += 1;
      return looks === 1 ? undefined : job(id);
    };
    await bus.publish([event('a', { other: 1 })]);
    await clock.advance(3_000);
    expect(looks).toBeGreaterThan(1);
    expect(await waiting()).toBe(0);
    const { jobs } = await store.deadLetters({}, { limit: 10 });
    expect(jobs.map(({ reason }) => reason)).toEqual(['idempotency_conflict']);
    expect(consumer.status).toMatchObject({ stored: 1, deadLettered: 1, duplicates: 0 });
  });

  it('1,000 unparsable or hostile messages: 1,000 dead letters with their bytes, one delivery each', async () => {
    let runs = 0;
    const count = async () => {
      runs += 1;
    };
    const { bus, clock, store, waiting, look } = await bench(count);
    const bodies = [
      Buffer.from(''),
      Buffer.from('{'),
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.from('[]'.repeat(2)),
      Buffer.from('{"a":\u0000}'),
      Buffer.from('[['.repeat(1_000)),
      Buffer.from('\u{feff}{}x'),
      Buffer.from('undefined'),
    ];
    const messages = Array.from({ length: 1_000 }, (_, index) =>
      message('', { body: bodies[index % bodies.length] as Buffer, id: `m-${index}` }),
    );
    await bus.publish(messages);
    await clock.advance(2_000);
    expect(await store.countDead({ reason: 'invalid_message' }, 2_000)).toEqual({
      count: 1_000,
      bounded: false,
    });
    expect([runs, await waiting()]).toEqual([0, 0]);
    const job = await look('chunking-m-2');
    expect(job.payload).toEqual({ kind: 'bytes', bytes: Uint8Array.of(0xff, 0xfe, 0x00) });
    const letter = deadLetterOf(job);
    expect(letter).toMatchObject({
      attempt_count: 1,
      abandoned_reason: 'non_retryable',
      service_name: 'chunking',
      idempotency_key: 'chunking-m-2',
    });
    expect(letter.error_type).toBe('TypeError');
  });

  it.each(['all', 'queue:chunking', `operation:${HANDLER}`])(
    'takes nothing under the kill switch %s; the rest stays in the broker',
    async (key) => {
      const { bus, clock, store, consumer, waiting } = await bench();
      await engage(store, key);
      await clock.advance(1_100);
      await bus.publish([event('a'), event('b')]);
      await clock.advance(5_000);
      expect(await waiting()).toBe(2);
      expect(consumer.status).toMatchObject({ state: 'stopped', stored: 0 });
      await disengage(store, key);
      await clock.advance(2_100);
      expect(await waiting()).toBe(0);
      expect(consumer.status).toMatchObject({ state: 'taking', stored: 2 });
    },
  );

  it('takes nothing at max_waiting ready events', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { bus, clock, consumer, waiting } = await bench(() => promise, {
      prefetch: 10,
      maxWaiting: 20,
    });
    await bus.publish(Array.from({ length: 100 }, (_, index) => event(`${index}`)));
    await clock.advance(3_000);
    expect(consumer.status.state).toBe('full');
    // Ten run, and at most maxWaiting and a batch more are stored.
    expect(consumer.status.stored).toBeLessThanOrEqual(40);
    expect(await waiting()).toBe(100 - consumer.status.stored);
    resolve();
    await clock.advance(20_000);
    expect(consumer.status.stored).toBe(100);
  });

  it('takes nothing while the store is away, and acknowledges nothing that is not stored', async () => {
    const { bus, clock, store, consumer, waiting, look } = await bench();
    store.fault = { calls: ['apply'], when: 'before' };
    await bus.publish([event('a'), event('b')]);
    await clock.advance(500);
    expect(await waiting()).toBe(2);
    expect(consumer.status).toMatchObject({ state: 'store_away', stored: 0 });
    expect(consumer.status.lastError).toContain('out of reach');
    store.fault = undefined;
    await clock.advance(3_000);
    expect(await waiting()).toBe(0);
    expect((await look('chunking-a')).state).toBe('succeeded');
  });

  it('runs an event once whose commit got no answer', async () => {
    let runs = 0;
    const count = async () => {
      runs += 1;
    };
    const { bus, clock, store, consumer, waiting } = await bench(count);
    store.fault = { calls: ['apply'], when: 'after' };
    await bus.publish([event('a'), event('b')]);
    await clock.advance(100);
    expect(await waiting()).toBe(2);
    store.fault = undefined;
    await clock.advance(40_000);
    expect(await waiting()).toBe(0);
    expect(runs).toBe(2);
    expect(consumer.status).toMatchObject({ stored: 0, duplicates: 2 });
  });

  it('moves a message above 1 MiB to publish_to and keeps its head and hash', async () => {
    const { bus, clock, waiting, look } = await bench(undefined, { publishTo: 'large' }, ['large']);
    const body = Buffer.alloc(MAX_EVENT_BYTES + 1, 'x');
    await bus.publish([message('', { body, id: 'm-1' }), event('a')]);
    await clock.advance(1_000);
    const job = await look('chunking-m-1');
    expect([job.state, job.reason]).toEqual(['dead', 'message_too_large']);
    const shown = JSON.parse(job.payload.kind === 'json' ? job.payload.text : '');
    expect([shown.bytes, shown.sha256.length]).toEqual([body.length, 64]);
    expect((await bus.check({ name: 'large' })).waiting).toBe(1);
    expect(await waiting()).toBe(0);
  });

  it('reports that dead letters are not published, unless the jobs have the handler for it', async () => {
    const { noticesOf, bus, store, source } = await bench(undefined, { publishTo: 'large' });
    const expected = { kind: 'dead_letters_unpublished', source: 'chunking', publishTo: 'large' };
    expect(noticesOf('dead_letters_unpublished')).toEqual([expected]);
    const notices: Notice[] = [];
    const onNotice = (notice: Notice) => void notices.push(notice);
    const handlers = { [HANDLER]: async () => {}, [DEAD_LETTER_HANDLER]: runsElsewhere() };
    const jobs = jobsOn(store, handlers, { onNotice });
    await consumeEvents(source, { bus, store, jobs }).stop();
    expect(notices).toEqual([]);
  });

  it('moves a message above 1 MiB without an id under the same id at each delivery', async () => {
    const { bus, clock, store, waiting } = await bench(undefined, { publishTo: 'large' }, [
      'large',
    ]);
    store.fault = { calls: ['apply'], when: 'before' };
    await bus.publish([message('', { body: Buffer.alloc(MAX_EVENT_BYTES + 1, 'x') })]);
    await clock.advance(3_000);
    expect(await waiting()).toBe(1);
    store.fault = undefined;
    await clock.advance(40_000);
    const moved = (await bus.peek?.({ name: 'large' }, 5)) ?? [];
    expect([await waiting(), moved.map(({ id }) => id)]).toEqual([
      0,
      ['moved-chunking-chunking-1'],
    ]);
  });

  it('stops at a message above 1 MiB without publish_to, with the reason', async () => {
    const { bus, clock, waiting, consumer } = await bench();
    await bus.publish([message('', { body: Buffer.alloc(MAX_EVENT_BYTES + 1) })]);
    await clock.advance(5_000);
    expect(await waiting()).toBe(1);
    expect(consumer.status.state).toBe('blocked');
    expect(consumer.status.lastError).toContain('Set publish_to');
  });

  it('is failing while a batch cannot be moved, says so once with the error, and takes again when it can', async () => {
    const changes: SourceStatus[] = [];
    const onChange = (status: SourceStatus) => void changes.push(status);
    const { bus, clock, waiting, consumer } = await bench(
      undefined,
      { publishTo: 'large' },
      [],
      onChange,
    );
    const body = Buffer.alloc(MAX_EVENT_BYTES + 1, 'x');
    await bus.publish([message('', { body, id: 'm-1' })]);
    changes.length = 0;
    await clock.advance(5_300);
    expect(changes.map(({ state }) => state)).toEqual(['failing']);
    expect(consumer.status).toMatchObject({
      state: 'failing',
      lastError: expect.stringContaining('large does not take it'),
    });
    expect(await waiting()).toBe(1);
    await bus.declare({ name: 'large' });
    await clock.advance(2_000);
    expect(await waiting()).toBe(0);
    expect(consumer.status).toMatchObject({
      state: 'taking',
      deadLettered: 1,
      lastError: undefined,
    });
  });

  it('is failing while the store refuses a batch', async () => {
    const { bus, clock, store, consumer, waiting } = await bench();
    const { apply } = store;
    store.apply = async () => {
      throw new Error('no such column');
    };
    await bus.publish([event('a')]);
    await clock.advance(3_300);
    expect(consumer.status).toMatchObject({ state: 'failing', lastError: 'no such column' });
    store.apply = apply;
    await clock.advance(2_000);
    expect(await waiting()).toBe(0);
    expect(consumer.status).toMatchObject({ state: 'taking', stored: 1, lastError: undefined });
  });

  it.each(['before', 'after'])(
    'subscribes again where the adapter gives up %s it has subscribed, and stops the failed consumption',
    async (when) => {
      const clock = virtualClock();
      const store = memoryStore({ clock });
      const memory = memoryBus();
      await memory.declare(SOURCE);
      const stops: number[] = [];
      let subscribed = 0;
      let giveUp: () => void = () => undefined;
      const consume: Bus['consume'] = async (source, options, take) => {
        subscribed += 1;
        const number = subscribed;
        const made = await memory.consume(source, options, take);
        giveUp = () => options.notify?.({ kind: 'failed', error: new Error('no such consumer') });
        if (when === 'before' && number === 1) giveUp();
        return {
          pause: () => made.pause(),
          resume: () => made.resume(),
          stop: () => {
            stops.push(number);
            return made.stop();
          },
        };
      };
      const bus = { check: memory.check.bind(memory), consume } as unknown as Bus; // Nothing else is called.
      const jobs = { isStopped: async () => false, handOver: { handOver: async () => {} } };
      const consumer = consumeEvents(SOURCE, { bus, store, jobs, clock });
      await clock.advance(100);
      if (when === 'after') giveUp();
      expect(consumer.status).toMatchObject({ state: 'bus_away', lastError: 'no such consumer' });
      await clock.advance(3_000);
      expect([subscribed, stops, consumer.status.state]).toEqual([2, [1], 'taking']);
      await memory.publish([event('a')]);
      await clock.advance(100);
      expect(consumer.status.stored).toBe(1);
      await consumer.stop();
      expect(stops).toEqual([1, 2]);
    },
  );

  it('goes by events.default: 8 attempts, and an unknown error is final at once', async () => {
    let runs = 0;
    const { bus, clock, look } = await bench(
      async ({ data }: { data: { message_ids: [string] } }) => {
        runs += 1;
        if (data.message_ids[0] === 'unknown') throw new Error('no such thing');
        throw new DocumentNotFoundError('No messages found');
      },
    );
    await bus.publish([event('unknown')]);
    await clock.advance(100);
    const unknown = await look('chunking-unknown');
    expect([unknown.state, unknown.reason, runs]).toEqual(['dead', 'final_error', 1]);
    await bus.publish([event('away')]);
    await clock.advance(60_000);
    const away = await look('chunking-away');
    expect([away.state, away.reason, runs]).toEqual(['dead', 'max_attempts_exceeded', 9]);
    expect(deadLetterOf(away)).toMatchObject({
      attempt_count: 8,
      last_error: 'DocumentNotFoundError: No messages found',
      abandoned_reason: 'max_attempts_exceeded',
      service_name: 'chunking',
    });
  });

  it('does not run a message past its redrive-deadline: ttl_exceeded', async () => {
    let runs = 0;
    const count = async () => {
      runs += 1;
    };
    const { bus, clock, look } = await bench(count);
    const headers = { 'redrive-deadline': new Date(START_MS - 1).toISOString() };
    await bus.publish([{ ...event('late'), headers }]);
    await clock.advance(10_000);
    const { state, reason } = await look('chunking-late');
    expect([state, reason, runs]).toEqual(['dead', 'ttl_exceeded', 0]);
  });

  it('reports all problems of a source at once', () => {
    const parts = {} as Parameters<typeof consumeEvents>[1];
    const bad = { ...SOURCE, name: '', prefetch: 0, maxWaiting: 1.5 };
    for (const field of ['name', 'prefetch', 'maxWaiting'])
      expect(() => consumeEvents(bad, parts)).toThrow(`${field} must`);
  });
});

it('retries of the publisher count as attempts of the event', async () => {
  let runs = 0;
  const { bus, clock, look } = await bench(async () => {
    runs += 1;
    throw new DocumentNotFoundError('not there');
  });
  await bus.publish([{ ...event('abc'), headers: { 'redrive-retries': '6' } }]);
  await clock.advance(120_000);
  expect(runs).toBe(2);
  expect(deadLetterOf(await look('chunking-abc')).attempt_count).toBe(8);
});
