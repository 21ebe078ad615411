import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { RetryError, retry } from '@redrive/core';
import { jobsOn, memoryStore } from '@redrive/durable';
import { memoryBus, publishHandler } from '@redrive/durable/events';
import { virtualClock } from '@redrive/testkit';
import { leakedSecrets, PLANTED_SECRETS, plantSecrets } from '@redrive/testkit/conformance/secrets';
import { expect, onTestFinished, test } from 'vitest';
import { telemetry } from '../telemetry.ts';
import { installFakeSdk, type SeenSpan } from '../testing/fake-sdk.ts';
import { traceHeaders } from './spans.ts';

const QUICK = { maxAttempts: 3, baseDelayMs: 1_000, jitter: 'none' } as const;

function setUp(options: { isSampled?: boolean } = {}) {
  const sdk = installFakeSdk(options);
  onTestFinished(() => sdk.remove());
  const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
  const metrics = telemetry({ clock, names: { operations: ['mail'] } });
  onTestFinished(() => metrics.close());
  /** Runs with a span of the application around it. */
  const inSpan = <T>(run: () => T): T => {
    const span = sdk.tracer.startSpan('request');
    return context.with(trace.setSpan(context.active(), span), run);
  };
  return { ...sdk, clock, metrics, inSpan };
}

const named = (spans: readonly SeenSpan[], name: string) =>
  spans.filter((span) => span.name === name);
const failing = (until: number) => {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls < until) throw new Error('connection reset');
    return calls;
  };
};

test('a call: a span per operation, attempts as children; a recovered operation is not an error', async () => {
  const { spans, clock, metrics, inSpan, tracer } = setUp();
  const { events } = metrics;
  const operation = failing(3);
  const call = metrics.tracedCall(async () => {
    tracer.startSpan('GET');
    return operation();
  });
  const done = inSpan(() => retry(call, QUICK, { events, clock }));
  await clock.advance(10_000);
  await done;
  const [request] = named(spans, 'request');
  const [mail] = spans.filter(({ parentId }) => parentId === request?.spanId);
  expect(mail).toMatchObject({
    status: { code: SpanStatusCode.UNSET },
    ended: true,
    attributes: { 'redrive.result': 'recovered', 'redrive.attempts': 3 },
  });
  const attempts = spans.filter(({ name }) => name.startsWith('attempt '));
  expect(attempts.map(({ parentId }) => parentId)).toEqual(Array(3).fill(mail?.spanId));
  // The policy has no id: its hash is shown, not masked as a secret.
  expect(attempts[0]?.attributes['redrive.policy']).toMatch(/^[0-9a-f]{64}$/);
  expect(attempts.map(({ status }) => status.code)).toEqual([
    SpanStatusCode.ERROR,
    SpanStatusCode.ERROR,
    SpanStatusCode.UNSET,
  ]);
  expect(attempts[0]?.attributes).toMatchObject({
    'redrive.attempt': 1,
    'error.type': 'Error',
  });
  // Spans of the operation's own calls belong to their attempt.
  expect(named(spans, 'GET').map(({ parentId }) => parentId)).toEqual(
    attempts.map(({ spanId }) => spanId),
  );
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(spans.filter(({ name, ended }) => !ended && !['request', 'GET'].includes(name))).toEqual(
    [],
  );
});

test('a call that gives up is an error; a cancelled one is not', async () => {
  const { spans, clock, metrics } = setUp();
  const { events } = metrics;
  const gaveUp = retry(failing(9), QUICK, { events, clock }).catch((error: unknown) => error);
  await clock.advance(10_000);
  expect(await gaveUp).toBeInstanceOf(RetryError);
  const stop = new AbortController();
  const cancelled = retry(failing(9), QUICK, { events, clock, signal: stop.signal });
  await clock.advance(10);
  stop.abort();
  await cancelled.catch(() => undefined);
  const operations = spans.filter(({ name }) => !name.startsWith('attempt '));
  expect(
    operations.map(({ status, attributes, ended }) => [
      status.code,
      attributes['redrive.result'],
      ended,
    ]),
  ).toEqual([
    [SpanStatusCode.ERROR, 'exhausted', true],
    [SpanStatusCode.UNSET, 'cancelled', true],
  ]);
});

test('a job: its attempts are spans of the trace that enqueued it, over a restart', async () => {
  const { spans, clock, metrics, inSpan, tracer } = setUp();
  const { events, onNotice } = metrics;
  const store = memoryStore({ clock });
  const run = failing(3);
  const handlers = metrics.traced({
    mail: {
      policy: { id: 'quick', ...QUICK },
      run: async (_: unknown) => {
        tracer.startSpan('GET');
        return run();
      },
    },
  });
  const start = () => jobsOn(store, handlers, { clock, events, onNotice });
  let jobs = start();
  const headers = inSpan(() => traceHeaders());
  expect(headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  await jobs.enqueue('mail', null, { headers });
  await jobs.start();
  await clock.advance(500);
  await jobs.stop();
  jobs = start();
  await jobs.start();
  for (let second = 0; second < 5; second++) await clock.advance(1_000);
  await jobs.stop();
  const [request] = named(spans, 'request');
  const attempts = named(spans, 'attempt mail');
  expect(attempts.map(({ parentId, traceId, ended }) => [parentId, traceId, ended])).toEqual(
    Array(3).fill([request?.spanId, request?.traceId, true]),
  );
  expect(attempts.map(({ status }) => status.code)).toEqual([2, 2, 0]);
  expect(named(spans, 'GET').map(({ parentId }) => parentId)).toEqual(
    attempts.map(({ spanId }) => spanId),
  );
});

test('a call that is handed over goes on in its trace', async () => {
  const { spans, clock, metrics } = setUp();
  const { events, onNotice } = metrics;
  const store = memoryStore({ clock });
  const jobs = jobsOn(store, metrics.traced({ mail: () => 'sent' }), { clock, events, onNotice });
  const to = metrics.tracedHandOver(jobs.handOver);
  const limited = retry(
    () => {
      throw Object.assign(new Error('slow down'), {
        status: 429,
        headers: { 'retry-after': '3600' },
      });
    },
    QUICK,
    { events, clock, handOver: { to, handler: 'mail', payload: 1 } },
  ).catch((error: unknown) => error);
  await clock.advance(1);
  expect(await limited).toMatchObject({ reason: 'handed_over' });
  await jobs.start();
  for (let minute = 0; minute < 80; minute++) await clock.advance(60_000);
  await jobs.stop();
  const operations = spans.filter(
    ({ attributes }) => attributes['redrive.result'] === 'handed_over',
  );
  expect(operations).toHaveLength(1);
  expect(operations[0]?.status.code).toBe(SpanStatusCode.UNSET);
  expect(named(spans, 'attempt mail').map(({ parentId }) => parentId)).toEqual([
    operations[0]?.spanId,
  ]);
});

test('a published event carries the trace of its job', async () => {
  const { clock, metrics, inSpan } = setUp();
  const bus = memoryBus();
  await bus.declare({ name: 'orders' });
  const store = memoryStore({ clock });
  const jobs = jobsOn(
    store,
    { 'events.publish': publishHandler({ main: bus }) },
    { clock, events: metrics.events },
  );
  const headers = inSpan(() => traceHeaders());
  const outgoing = { bus: 'main', destination: 'orders', event: { n: 1 } };
  await jobs.enqueue('events.publish', outgoing, { headers });
  await jobs.start();
  await clock.advance(1_000);
  await jobs.stop();
  const [message] = (await bus.peek?.({ name: 'orders' }, 1)) ?? [];
  expect(message?.headers).toEqual(headers);
});

test('exemplars have the ids of sampled traces', async () => {
  for (const isSampled of [true, false]) {
    const { spans, clock, metrics, remove } = setUp({ isSampled });
    const done = retry(async () => 1, QUICK, { events: metrics.events, clock });
    await clock.advance(1);
    await done;
    const { body } = await metrics.scrape('application/openmetrics-text');
    expect(spans).toHaveLength(2);
    expect(body.includes(`# {trace_id="${spans[0]?.traceId}"}`)).toBe(isSampled);
    remove();
  }
});

test('without an SDK, or with traces off, nothing is kept and there is no header', async () => {
  const clock = virtualClock();
  const metrics = telemetry({ clock });
  onTestFinished(() => metrics.close());
  const done = retry(
    metrics.tracedCall(async () => trace.getActiveSpan()),
    QUICK,
    {
      ...{ events: metrics.events, clock },
    },
  );
  await clock.advance(1);
  expect(await done).toBeUndefined();
  expect(traceHeaders()).toEqual({});
  const sdk = installFakeSdk();
  onTestFinished(() => sdk.remove());
  const off = telemetry({ clock, traces: false });
  onTestFinished(() => off.close());
  await retry(async () => 1, QUICK, { events: off.events, clock });
  expect(sdk.spans).toEqual([]);
});

test('a header that is not one of W3C trace context is no parent', async () => {
  const { spans, clock, metrics } = setUp();
  const store = memoryStore({ clock });
  const jobs = jobsOn(store, { mail: () => 1 }, { clock, events: metrics.events });
  for (const traceparent of ['x', '00-0-0-0', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`]) {
    await jobs.enqueue('mail', null, { headers: { traceparent } });
  }
  await jobs.start();
  await clock.advance(1_000);
  await jobs.stop();
  expect(spans.map(({ parentId }) => parentId)).toEqual([undefined, undefined, undefined]);
});

test('50 planted secrets: none is found in traces', async () => {
  const { spans, metrics } = setUp();
  const { events, onNotice } = metrics;
  await plantSecrets(memoryStore(), { events, onNotice });
  for (const { secret, text } of PLANTED_SECRETS) {
    const call = { events, category: text(secret), correlationId: secret, tenantId: secret };
    await retry(async () => 1, { ...QUICK, id: 'p', dependency: text(secret).slice(0, 60) }, call);
  }
  expect(spans.length).toBeGreaterThan(600);
  expect(spans.filter(({ ended }) => !ended)).toEqual([]);
  expect(leakedSecrets(JSON.stringify(spans))).toEqual([]);
});
