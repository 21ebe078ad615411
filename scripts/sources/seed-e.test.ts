import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explain, lookUp, presetConfig } from '@redrive/config';
import type { Policy } from '@redrive/core';
import { type Handlers, jobsOn, logRecords, memoryStore } from '@redrive/durable';
import { deadLetterOf } from '@redrive/durable/dead-letters';
import {
  consumeEvents,
  DocumentNotFoundError,
  handleEventWithRetry,
  memoryBus,
} from '@redrive/durable/events';
import { telemetry } from '@redrive/telemetry';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';

const START_MS = Date.parse('2026-01-17T05:00:00Z');
const preset = presetConfig();
const policies = (id: string) => lookUp(preset, id).policy?.policy;

interface ChunkingEvent {
  readonly data: { readonly message_ids: readonly string[] };
}
const EVENT = { event_type: 'JSONParsed', data: { message_ids: ['abc', 'def', 'ghi'] } };
const KEY = 'chunking-abc-def-ghi';

/** The chunking service of document E, with a broker in memory, in virtual time. */
async function chunkingService(run: Handlers[string]) {
  const clock = virtualClock({ startMs: START_MS });
  const store = memoryStore({ clock });
  const lines: string[] = [];
  const line = (level: string) => (_: object, text: string) => void lines.push(`${level}: ${text}`);
  const log = { info: line('INFO'), warn: line('WARNING'), error: line('ERROR') };
  const metrics = telemetry({ clock, store, names: { services: ['chunking'] } });
  const logged = logRecords(log);
  const events = {
    ...logged,
    emit: (record: Parameters<typeof logged.emit>[0]) => {
      logged.emit(record);
      metrics.events.emit(record);
    },
  };
  const jobs = jobsOn(store, { chunk: run }, { clock, policies, events, log: 'off' });
  const bus = memoryBus();
  const source = {
    ...{ name: 'chunking', bus: 'main', subject: 'json.parsed', handler: 'chunk' },
    key: ['data.message_ids'],
  };
  await bus.declare(source);
  await jobs.start();
  const consumer = consumeEvents(source, { bus, store, jobs, clock });
  onTestFinished(async () => {
    const stopped = Promise.all([consumer.stop(), jobs.stop()]);
    await clock.advance(5_000);
    await stopped;
    metrics.close();
    await bus.close();
  });
  const publish = async (event: object = EVENT) => {
    const body = Buffer.from(JSON.stringify(event));
    await bus.publish([{ destination: 'json.parsed', body }]);
  };
  const look = async (id = KEY) => {
    const job = await store.job(id);
    if (job === undefined) throw new Error(`There is no job ${id}`);
    return job;
  };
  const samples = async (start: string) => {
    const { body } = await metrics.scrape();
    return body.split('\n').filter((text) => text.startsWith(start) && !text.endsWith(' 0'));
  };
  await clock.advance(1_100);
  return { clock, store, jobs, lines, publish, look, samples };
}

const notFound = () => {
  throw new DocumentNotFoundError('No messages found in the database');
};

test('a document that is not there yet is found at a later attempt', async () => {
  let found = 0;
  const service = await chunkingService((_: ChunkingEvent, { attempt }) => {
    if (attempt < 3) notFound();
    found += 1;
  });
  await service.publish();
  await service.clock.advance(10_000);
  expect([found, (await service.look()).state]).toEqual([1, 'succeeded']);
});

describe('the defaults', () => {
  const found = lookUp(preset, 'events.default');
  if (found.policy === undefined) throw new Error('events.default exists');
  const { policy } = found.policy;

  test.each([
    ['RETRY_MAX_ATTEMPTS', policy.maxAttempts, 8],
    ['RETRY_BASE_DELAY_MS', policy.baseDelayMs, 250],
    ['RETRY_BACKOFF_FACTOR', policy.multiplier, 2],
    ['RETRY_MAX_DELAY_SECONDS', policy.maxDelayMs, 60_000],
    ['RETRY_TTL_MINUTES', policy.ttlMs, 30 * 60_000],
  ])('the default of %s', (_, value, expected) => {
    expect(value).toBe(expected);
  });

  test('the waits: 250 ms, doubling, each from 0 to that', () => {
    const { delays_ms } = explain(found.policy, found);
    expect(delays_ms.map(({ nominal }) => nominal)).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 16_000,
    ]);
    for (const { min, max, nominal } of delays_ms) expect([min, max]).toEqual([0, nominal]);
  });
});

test('full jitter: the waits of many events fill the range from 0 to the nominal wait', async () => {
  const service = await chunkingService(notFound);
  for (let n = 0; n < 200; n += 1) await service.publish({ data: { message_ids: [`m${n}`] } });
  await service.clock.advance(1);
  const firstWaits = await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const { attempts } = await service.look(`chunking-m${n}`);
      return attempts.kept[0]?.delayMs ?? -1;
    }),
  );
  expect(Math.min(...firstWaits)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...firstWaits)).toBeLessThanOrEqual(250);
  for (const from of [0, 50, 100, 150, 200]) {
    const inside = firstWaits.filter((ms) => ms >= from && ms < from + 50).length;
    expect(inside, `${from} to ${from + 50} ms`).toBeGreaterThan(15);
  }
});

describe('an error that does not pass', () => {
  class ValidationError extends Error {
    override name = 'ValidationError';
  }
  test.each([
    ['a validation error', () => new ValidationError('chunk_size must be positive')],
    [
      'a violated integrity rule',
      () => Object.assign(new Error('duplicate key'), { code: '23505' }),
    ],
    ['a TypeError', () => new TypeError("Cannot read properties of undefined (reading 'text')")],
    ['a ReferenceError', () => new ReferenceError('chunks is not defined')],
  ])('is a dead letter at the first attempt: %s', async (_, error) => {
    let runs = 0;
    const service = await chunkingService(() => {
      runs += 1;
      throw error();
    });
    await service.publish();
    await service.clock.advance(60_000);
    expect(runs).toBe(1);
    expect(deadLetterOf(await service.look())).toMatchObject({
      ...{ attempt_count: 1, abandoned_reason: 'non_retryable', service_name: 'chunking' },
    });
    expect(service.lines.at(-1)).toMatch(
      /^ERROR: Event sent to DLQ after 1 attempt \(reason: non_retryable\)/,
    );
    expect(await service.samples('event_retry_dlq_total')).toEqual([
      'event_retry_dlq_total{service="chunking",reason="non_retryable"} 1',
    ]);
  });
});

describe('an event whose document never comes', () => {
  const abandoned = async () => {
    let runs = 0;
    const service = await chunkingService(() => {
      runs += 1;
      notFound();
    });
    await service.publish();
    await service.clock.advance(120_000);
    return { ...service, runs: () => runs };
  };

  test('is given up after 8 attempts, with the diagnostic payload', async () => {
    const { look, runs } = await abandoned();
    const { redrive: _, ...payload } = deadLetterOf(await look(), { payload: 'full' });
    expect(runs()).toBe(8);
    expect(Object.entries(payload)).toEqual([
      ['original_event', EVENT],
      ['idempotency_key', KEY],
      ['attempt_count', 8],
      ['last_error', 'DocumentNotFoundError: No messages found in the database'],
      ['error_type', 'DocumentNotFoundError'],
      ['abandoned_reason', 'max_attempts_exceeded'],
      ['service_name', 'chunking'],
      ['timestamp', expect.stringMatching(/^2026-01-17T05:00:/)],
    ]);
  });

  test('waits about half a minute in all, at most', async () => {
    const { look } = await abandoned();
    const waits = (await look()).attempts.kept.map(({ delayMs }) => delayMs ?? 0);
    const total = waits.reduce((sum, ms) => sum + ms, 0);
    expect(total).toBeLessThanOrEqual(31_750);
  });

  test('is logged: retries at INFO, the last attempt as a warning, the end as an error', async () => {
    const { lines } = await abandoned();
    for (let attempt = 2; attempt <= 8; attempt += 1) {
      const text = `Retry attempt ${attempt}/8 for event with idempotency key: ${KEY}`;
      expect(lines).toContain(`INFO: ${text}`);
    }
    expect(lines.filter((text) => !text.startsWith('INFO'))).toEqual([
      `WARNING: Last attempt 8/8 for event with idempotency key: ${KEY}`,
      'ERROR: Event sent to DLQ after 8 attempts (reason: max_attempts_exceeded): No messages found in the database',
    ]);
  });

  test('is counted: the dead letter with its reason, and the attempts', async () => {
    const { samples } = await abandoned();
    expect(await samples('event_retry_dlq_total')).toEqual([
      'event_retry_dlq_total{service="chunking",reason="max_attempts"} 1',
    ]);
    expect(await samples('event_retry_attempt_count_sum')).toEqual([
      'event_retry_attempt_count_sum{service="chunking"} 8',
    ]);
    expect(await samples('event_retry_success_total')).toEqual([]);
  });
});

test('an event is abandoned when its TTL is over, with attempts left', async () => {
  const clock = virtualClock({ startMs: START_MS });
  const store = memoryStore({ clock });
  const policy: Policy = {
    id: 'slow',
    maxAttempts: 1_000,
    backoff: 'fixed',
    jitter: 'none',
    baseDelayMs: 60_000,
    ttlMs: 30 * 60_000,
  };
  let runs = 0;
  const run = () => {
    runs += 1;
    notFound();
  };
  const jobs = jobsOn(store, { chunk: { run, policy } }, { clock, log: 'off' });
  await jobs.start();
  const handled = handleEventWithRetry(EVENT, run, {
    ...{ jobs, clock, policy, handler: 'chunk', source: 'chunking', bus: 'main' },
    idempotencyKey: KEY,
  });
  await clock.advance(60 * 60_000);
  expect(await handled).toBe('handed_over');
  const stopped = jobs.stop();
  await clock.advance(1_000);
  await stopped;
  const job = await store.job(KEY);
  expect(job && deadLetterOf(job)).toMatchObject({ abandoned_reason: 'ttl_exceeded' });
  expect(runs).toBe(30);
});

describe('a success after retries', () => {
  test('is logged with its attempts and its latency', async () => {
    const { publish, clock, lines } = await chunkingService((_: ChunkingEvent, { attempt }) => {
      if (attempt < 3) notFound();
    });
    await publish();
    await clock.advance(10_000);
    expect(lines.at(-1)).toMatch(
      /^INFO: Event processed successfully after 3 retry attempts \(total latency: \d+\.\d\ds\)$/,
    );
    expect(lines.filter((text) => !text.startsWith('INFO'))).toEqual([]);
  });

  test('is counted by service and attempt, with its latency', async () => {
    const { publish, clock, samples } = await chunkingService((_: ChunkingEvent, { attempt }) => {
      if (attempt < 3) notFound();
    });
    await publish();
    await clock.advance(10_000);
    expect(await samples('event_retry_success_total')).toEqual([
      'event_retry_success_total{service="chunking",attempt="3"} 1',
    ]);
    expect(await samples('event_retry_latency_seconds_count')).toEqual([
      'event_retry_latency_seconds_count{service="chunking"} 1',
    ]);
    expect(await samples('event_retry_dlq_total')).toEqual([]);
  });
});

test('an event that arrives twice is handled once; its key is the same in every attempt', async () => {
  const keys: string[] = [];
  const { publish, clock } = await chunkingService((_: ChunkingEvent, context) => {
    keys.push(context.idempotencyKey);
    if (context.attempt < 3) notFound();
  });
  await publish();
  await publish();
  await clock.advance(10_000);
  expect(keys).toEqual([KEY, KEY, KEY]);
});

test('the page of the alert says what a high rate and dead letters all the time suggest', () => {
  const page = join(import.meta.dirname, '../../docs/how-to/respond-to-alerts.md');
  const [, section = ''] = readFileSync(page, 'utf8').split('\n## RedriveEventsDeadLettered\n');
  expect(section.split('\n## ')[0]).toMatch(
    /high rate suggests a slow database.*all the time a wrong configuration.*attempts.*TTL/,
  );
});
