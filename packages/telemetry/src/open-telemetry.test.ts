import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { definePolicy, syncSink } from '@redrive/core';
import { jobsOn, memoryStore } from '@redrive/durable';
import {
  documentHandler,
  memoryDocuments,
  SWEEP_HANDLER,
  type Sweep,
  sweepHandler,
} from '@redrive/durable/documents';
import { consumeEvents, memoryBus } from '@redrive/durable/events';
import { virtualClock } from '@redrive/testkit';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { expect, onTestFinished, test } from 'vitest';
import { openTelemetry } from './open-telemetry.ts';
import { installFakeSdk } from './testing/fake-sdk.ts';

function setUp() {
  const sdk = installFakeSdk();
  onTestFinished(() => sdk.remove());
  const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
  const telemetry = openTelemetry({ clock });
  onTestFinished(() => telemetry.close());
  const store = memoryStore({ clock });
  const kinds: string[] = [];
  const events = syncSink(({ kind }) => void kinds.push(kind));
  const jobs = jobsOn(store, { work: async () => 'done' }, { clock, telemetry, events });
  const request = sdk.tracer.startSpan('request');
  const inRequest = <T>(run: () => T): T =>
    context.with(trace.setSpan(context.active(), request), run);
  return { ...sdk, clock, telemetry, store, jobs, kinds, inRequest };
}

const traceOf = (headers: Readonly<Record<string, string>> | undefined) =>
  headers?.traceparent?.split('-')[2];

test('an enqueue is a span in the trace of its caller, and the attempt is its child', async () => {
  const { spans, jobs, clock, kinds, inRequest } = setUp();
  const { id } = await inRequest(() => jobs.enqueue('work'));
  await jobs.start();
  await clock.advance(1_000);
  await jobs.stop();
  const [request, enqueue, attempt] = spans;
  expect(spans.map(({ name }) => name)).toEqual(['request', 'enqueue work', 'attempt work']);
  expect(enqueue).toMatchObject({
    parentId: request?.spanId,
    ended: true,
    attributes: {
      'messaging.system': 'redrive',
      'messaging.operation.name': 'enqueue',
      'messaging.operation.type': 'send',
      'messaging.destination.name': 'work',
    },
  });
  expect(attempt).toMatchObject({ parentId: enqueue?.spanId, ended: true });
  expect(traceOf((await jobs.job(id))?.headers)).toBe(enqueue?.spanId);
  // The application's own listener gets all records beside it.
  expect(kinds).toEqual(['attempt_started', 'attempt_ended', 'session_ended']);
});

test('many jobs are enqueued in one span, and an empty list in none', async () => {
  const { spans, jobs } = setUp();
  await jobs.enqueueMany('work', []);
  const many = await jobs.enqueueMany('work', [undefined, undefined]);
  expect(spans.slice(1)).toMatchObject([
    { name: 'enqueue work', attributes: { 'messaging.batch.message_count': 2 } },
  ]);
  for (const { id } of many) {
    expect(traceOf((await jobs.job(id))?.headers)).toBe(spans[1]?.spanId);
  }
});

test('an enqueue that is refused is a failed span', async () => {
  const { spans, jobs, store } = setUp();
  await store.close();
  await expect(jobs.enqueue('work')).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(spans[1]).toMatchObject({
    name: 'enqueue work',
    ended: true,
    status: { code: SpanStatusCode.ERROR },
  });
});

test('a prepared job has the active trace, and a header of the caller stays', async () => {
  const { spans, jobs, inRequest } = setUp();
  const { job } = inRequest(() => jobs.prepare('work', undefined));
  expect(traceOf(job.headers)).toBe(spans[0]?.spanId);
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const own = await inRequest(() => jobs.enqueue('work', undefined, { headers: { traceparent } }));
  expect((await jobs.job(own.id))?.headers).toEqual({ traceparent });
});

test('a publish is a span, its messages carry it, and the bus works as before', async () => {
  const { spans, telemetry, inRequest } = setUp();
  const bus = telemetry.bus(memoryBus());
  await bus.declare({ name: 'orders' });
  const message = { destination: 'orders', body: new Uint8Array([1]), headers: { own: 'kept' } };
  await inRequest(() => bus.publish([message, { ...message, id: 'second' }]));
  expect(await bus.publish([])).toEqual([]);
  const [, publish, ...none] = spans;
  expect(none).toEqual([]);
  expect(publish).toMatchObject({
    name: 'publish orders',
    parentId: spans[0]?.spanId,
    attributes: { 'messaging.batch.message_count': 2 },
  });
  const taken = (await bus.peek?.({ name: 'orders' }, 5)) ?? [];
  expect(taken.map(({ headers }) => [headers.own, traceOf(headers)])).toEqual([
    ['kept', publish?.spanId],
    ['kept', publish?.spanId],
  ]);
  await bus.close();
});

test.each([false, true])('events of a source continue their trace (direct: %s)', async (direct) => {
  const { spans, jobs, store, clock, telemetry, inRequest } = setUp();
  const bus = memoryBus();
  const source = { name: 'orders', bus: 'main', handler: 'work', direct };
  await bus.declare(source);
  await jobs.start();
  const consumer = consumeEvents(source, { bus, store, jobs, clock });
  const sender = telemetry.bus(bus);
  await inRequest(() =>
    sender.publish([{ destination: 'orders', body: Buffer.from('1'), id: 'order-1' }]),
  );
  await clock.advance(5_000);
  const published = spans.find(({ name }) => name === 'publish orders');
  const attempt = spans.find(({ name }) => name === 'attempt work');
  expect(attempt).toMatchObject({ traceId: spans[0]?.traceId, parentId: published?.spanId });
  const stopped = Promise.all([consumer.stop(), jobs.stop()]);
  await clock.advance(5_000);
  await stopped;
  await bus.close();
});

test('a sweep is a span, and so are the events that it sends', async () => {
  const { spans, clock, telemetry, store } = setUp();
  const documents = memoryDocuments({ clock });
  const bus = telemetry.bus(memoryBus());
  await bus.declare({ name: 'archives' });
  const collection = testCollection('archives');
  documents.put(collection, { _id: 'a', status: 'pending' });
  const sweep: Sweep = {
    ...{ name: 'archives', source: documents, collection, thresholdMs: 1_000, minimumAgeMs: 0 },
    policy: definePolicy({ id: 'documents.archives', maxAttempts: 3 }),
    dependency: '',
    event: { type: 'Archived', bus: 'main', destination: 'archives', data: { id: '$_id' } },
  };
  const parts = { store, clock, actor: { name: 'sweep:test' }, notify: () => {} };
  const handlers = {
    [SWEEP_HANDLER]: sweepHandler({ ...parts, sweeps: [sweep], intervalMs: 60_000 }),
    'documents.archives': documentHandler(sweep, bus, { clock, store }),
  };
  const jobs = jobsOn(store, handlers, { clock, telemetry });
  await jobs.enqueue(SWEEP_HANDLER);
  await jobs.start();
  for (let step = 0; step < 20; step += 1) await clock.advance(1_000);
  await jobs.stop();
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      `attempt ${SWEEP_HANDLER}`,
      'attempt documents.archives',
      'publish archives',
    ]),
  );
  await bus.close();
});

test('without an SDK jobs have no headers', async () => {
  const clock = virtualClock();
  const telemetry = openTelemetry({ clock });
  const jobs = jobsOn(memoryStore({ clock }), { work: async () => 'done' }, { clock, telemetry });
  const { id } = await jobs.enqueue('work');
  expect((await jobs.job(id))?.headers).toEqual({});
  telemetry.close();
});

test('an option that it does not know is refused', () => {
  // `configuration` is an option of telemetry() alone, which has a method to report a reload.
  const wrong: object = { configuration: true };
  expect(() => openTelemetry(wrong)).toThrow(
    'Invalid OpenTelemetry: configuration is unknown; known are names, store, traces, clock.',
  );
});

test('an option that is no telemetry is refused', () => {
  const wrong = { telemetry: { events: 5 } };
  // @ts-expect-error what plain JavaScript may pass
  expect(() => jobsOn(memoryStore(), {}, wrong)).toThrow('telemetry with attempt()');
});
