import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPrometheus, until } from '@redrive/testkit/services';
import { expect, onTestFinished, test } from 'vitest';
import { runningWorker, workerPlace } from '../testing/worker-place.ts';

const RULES = join(import.meta.dirname, '../../../../deploy/prometheus/alerts/retry_policy.yml');

/** Two handlers with policies of two categories, which are retried at once; each category has its threshold. */
const CONFIG = `version: "1.1.0"
policies:
  RETRY_KV_PUT: { extends: RETRY_KV_PUT, base_delay: 0.01, max_delay: 0.01 }
  RETRY_KV_GET: { extends: RETRY_KV_GET, base_delay: 0.01, max_delay: 0.01 }
alerts:
  retries_per_minute: 100
  categories: { RETRY_KV_GET: 1000000 }
jobs:
  handlers:
    mail: { module: "./handlers.mjs", export: mail, policy: RETRY_KV_PUT, idempotent: true }
    slow: { module: "./handlers.mjs", export: mail, policy: RETRY_KV_GET, idempotent: true }
`;
const MANY = 600;

test('600 retries beside 600 jobs fire RedriveRetryRateHigh in a real Prometheus, above the threshold of redrive.yaml', async () => {
  const place = workerPlace(onTestFinished, CONFIG);
  const worker = runningWorker(onTestFinished, place, [
    '--health-port',
    '0',
    '--concurrency',
    '50',
  ]);
  const { port } = await worker.line('health.listening');
  // The rule as it is, with a shorter range and wait.
  const rules = readFileSync(RULES, 'utf8')
    .replaceAll('[5m]', '[20s]')
    .replaceAll('for: 5m', 'for: 1s');
  const prometheus = await startPrometheus({
    config: `
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [rules.yml]
scrape_configs: [{ job_name: redrive, static_configs: [{ targets: ["127.0.0.1:${port}"] }] }]
`,
    files: { 'rules.yml': rules },
  });
  onTestFinished(() => prometheus.stop());
  const query = async (expression: string): Promise<Record<string, number>> => {
    const address = `${prometheus.url}/api/v1/query?query=${encodeURIComponent(expression)}`;
    const { data } = await (await fetch(address)).json();
    return Object.fromEntries(
      data.result.map(({ metric, value }: { metric: { category: string }; value: string[] }) => [
        metric.category,
        Number(value[1]),
      ]),
    );
  };
  const firing = () => query('ALERTS{alertname="RedriveRetryRateHigh",alertstate="firing"}');
  const threshold = () => query('redrive_retries_per_minute_threshold');
  // A rate needs a value before the retries.
  await until(async () => (await threshold()).RETRY_KV_GET !== undefined, { timeoutMs: 30_000 });
  expect(await threshold()).toMatchObject({
    RETRY_KV_GET: 1_000_000,
    RETRY_KV_PUT: 100,
    none: 100,
  });
  expect(await firing()).toEqual({});

  const failing = Array.from({ length: MANY }, () => ({ failures: 1 }));
  await place.client.enqueueMany('mail', failing);
  await place.client.enqueueMany('slow', failing);
  await until(async () => 'RETRY_KV_PUT' in (await firing()), { timeoutMs: 60_000 });
  expect(Object.keys(await firing())).toEqual(['RETRY_KV_PUT']);

  // The independent count: attempts beyond the first one, by the rows of the jobs.
  const retries = { mail: 0, slow: 0 };
  const isDone = async () =>
    (await place.store.counts()).groups.every(({ state }) => state === 'succeeded');
  await until(isDone, { timeoutMs: 60_000 });
  for (const handler of ['mail', 'slow'] as const) {
    const { jobs } = await place.store.jobs({ handler }, { limit: 1_000 });
    expect(jobs).toHaveLength(MANY);
    for (const { id } of jobs) {
      const job = await place.store.job(id);
      retries[handler] += (job?.account.claims ?? 0) - 1;
    }
  }
  expect(retries).toEqual({ mail: MANY, slow: MANY });
  const counted = () => query('redrive_category_retries_total');
  await until(async () => (await counted()).RETRY_KV_GET === retries.slow, { timeoutMs: 10_000 });
  expect(await counted()).toMatchObject({ RETRY_KV_PUT: retries.mail, RETRY_KV_GET: retries.slow });
  // It resolves when the retries are over.
  await until(async () => Object.keys(await firing()).length === 0, { timeoutMs: 60_000 });
  expect(await firing()).toEqual({});
}, 240_000);
