import { once } from 'node:events';
import { connect } from 'node:net';
import { jobsSettings, parseConfig } from '@redrive/config';
import { systemClock } from '@redrive/core';
import { jobsOn, memoryStore } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { runningWorker, CONFIG as WORKER_CONFIG, workerPlace } from '../testing/worker-place.ts';
import { startMetrics } from './start-metrics.ts';

const SCRAPERS = 100;
const CONFIG = `version: "1.1.0"
buses:
  main: { url: "nats://127.0.0.1:4222" }
events:
  sources:
    chunking: { bus: main, stream: docs, subject: json.parsed, handler: mail, key: [data.id] }
jobs:
  handlers: { mail: { command: [/bin/true] } }
schedules:
  nightly: { handler: mail, every: 3600, queue: reports }
`;

async function setUp() {
  const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
  const store = memoryStore({ clock });
  const { config, problems } = parseConfig(CONFIG);
  if (config === undefined) return expect.fail(JSON.stringify(problems));
  const settings = { ...jobsSettings(config), health: { port: 0, named: false } };
  const jobs = jobsOn(store, { mail: () => 1 }, { clock });
  for (const queue of ['chunking', 'reports', 'events.dead_letters', 'documents', 'strange']) {
    await jobs.enqueue('mail', null, { queue });
  }
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  // Only these are called.
  const { metrics } = startMetrics({ settings, config, store, clock, log: log as never });
  onTestFinished(() => metrics.close());
  const scraper = { agent: 'Prometheus/2.42.0', address: '127.0.0.1', accept: undefined };
  const scrape = async () => (await metrics.answer?.(scraper))?.body ?? '';
  return { clock, metrics, scrape };
}

const body = async () => (await setUp()).scrape();

test('a hundred scrapers within a second get one answer, and a later one a new answer', async () => {
  const { clock, metrics, scrape } = await setUp();
  const started = (text: string) =>
    /^redrive_notices_total\{kind="started"\} (\d)$/m.exec(text)?.[1];
  expect(started(await scrape())).toBe('0');
  metrics.onNotice({ kind: 'started', worker: 'w', handlers: [] });
  const again = await Promise.all(Array.from({ length: 100 }, scrape));
  expect(new Set(again.map(started))).toEqual(new Set(['0']));
  clock.tick(1_000);
  expect(started(await scrape())).toBe('1');
});

test('100 scrapers that ask for ten seconds: one answer per second and format is built', async () => {
  const { clock, metrics } = await setUp();
  const built = new Set<unknown>();
  for (let turn = 0; turn < 100; turn += 1) {
    for (let scraper = 0; scraper < SCRAPERS; scraper += 1) {
      // No two of them ask with the same words.
      const type = scraper % 2 === 0 ? 'text/plain' : 'application/openmetrics-text';
      const accept = `${type};q=0.${scraper + 1}`;
      built.add(metrics.answer?.({ agent: 'slow', address: '127.0.0.1', accept }));
    }
    await clock.advance(100);
  }
  expect(built.size).toBe(20);
});

test('100 scrapers that do not read their answers: no lease is lost, and the store is asked once', async () => {
  const startMs = systemClock.monotonic();
  const place = workerPlace(onTestFinished, `${WORKER_CONFIG}  lease_seconds: 1\n`);
  let asked = 0;
  const { counts } = place.store;
  const store = {
    ...place.store,
    counts: (...options: Parameters<typeof counts>) => {
      asked += 1;
      return counts.apply(place.store, options);
    },
  };
  const worker = runningWorker(onTestFinished, place, ['--health-port', '0'], { store });
  const { port } = await worker.line('health.listening');
  const sockets = Array.from({ length: SCRAPERS }, () => connect(Number(port), '127.0.0.1'));
  onTestFinished(() => sockets.forEach((socket) => void socket.on('error', () => {}).destroy()));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) {
    socket.pause();
    socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(10));
  }
  await expect.poll(() => asked).toBe(1);
  const payloads = Array.from({ length: 300 }, (_, index) => ({ failures: index % 2 }));
  await place.client.enqueueMany('mail', payloads);
  await expect
    .poll(() => worker.lines().filter(({ event }) => event === 'retry.succeeded').length, {
      timeout: 10_000,
    })
    .toBe(150);
  const trails = (await store.auditBlocks(0, 1_000)).flatMap((block) => recordsIn(block));
  expect(trails.filter(({ event }) => event === 'lease_lost')).toEqual([]);
  expect(trails.filter(({ event, to }) => event === 'settle' && to === 'succeeded')).toHaveLength(
    300,
  );
  // Once in five seconds, on a busy machine too.
  expect(asked).toBeLessThanOrEqual(1 + (systemClock.monotonic() - startMs) / 5_000);
});

test('queues of sources, dead letters, documents and schedules have their names', async () => {
  const ready = (await body())
    .split('\n')
    .filter((line) => /^redrive_queue_jobs\{.*state="ready"\} 1$/.test(line))
    .map((line) => /queue="([^"]*)"/.exec(line)?.[1]);
  expect(ready.sort()).toEqual([
    '_other',
    'chunking',
    'documents',
    'events.dead_letters',
    'reports',
  ]);
});

test('a worker makes no calls, so that it shows no number of them', async () => {
  expect(await body()).not.toContain('redrive_calls_running ');
});

test('a worker without a health port has traces, notices and no answer to scrapers', async () => {
  const { config } = parseConfig(CONFIG);
  if (config === undefined) return expect.fail('The configuration is not valid');
  const clock = virtualClock();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const settings = { ...jobsSettings(config), health: undefined };
  const store = memoryStore({ clock });
  // Only these are called.
  const { metrics } = startMetrics({ settings, config, store, clock, log: log as never });
  onTestFinished(() => metrics.close());
  const handlers = { mail: () => 1 };
  // A wrapped handler runs inside its span.
  expect(metrics.traced(handlers).mail).not.toBe(handlers.mail);
  expect(metrics.answer).toBeUndefined();
});
