import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@redrive/core';
import { memoryDocuments } from '@redrive/durable/documents';
import { memoryBus } from '@redrive/durable/events';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { startPrometheus, until } from '@redrive/testkit/services';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { runningWorker, workerPlace } from '../testing/worker-place.ts';

const RULES = join(import.meta.dirname, '../../../../deploy/prometheus/alerts/retry_policy.yml');
const HOUR = 3_600_000;
const CONFIG = `version: "1.1.0"
buses: { main: { url: "nats://127.0.0.1:4222" } }
sweeps: { collections: { archives: { source: "mongodb://127.0.0.1/docs", bus: main } } }
`;

test('60 archives of a dead service are 60 stuck documents after the first sweep, and StuckDocumentsWarning fires in a real Prometheus', async () => {
  const place = workerPlace(onTestFinished, CONFIG);
  const documents = memoryDocuments();
  const archives = testCollection('archives');
  const bus = memoryBus();
  await bus.declare({ name: 'archive.ingested' });
  const ids = Array.from({ length: 60 }, (_, n) => `a-${n}`);
  const attempted = { attemptCount: 1, lastAttemptTime: new Date(systemClock.now() - 30 * HOUR) };
  for (const _id of ids) documents.put(archives, { _id, status: 'processing', ...attempted });
  const worker = runningWorker(onTestFinished, place, ['--health-port', '0'], { documents, bus });
  const { port } = await worker.line('health.listening');
  // The rule as it is, with a shorter wait.
  const rules = readFileSync(RULES, 'utf8').replaceAll('for: 1h', 'for: 1s');
  const prometheus = await startPrometheus({
    config: `
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [rules.yml]
scrape_configs: [{ job_name: redrive, static_configs: [{ targets: ["127.0.0.1:${port}"] }] }]
`,
    files: { 'rules.yml': rules },
  });
  onTestFinished(() => prometheus.stop());
  const query = async (expression: string): Promise<readonly (readonly [string, number])[]> => {
    const address = `${prometheus.url}/api/v1/query?query=${encodeURIComponent(expression)}`;
    const { data } = await (await fetch(address)).json();
    return data.result.map(({ metric, value }: Result) => [metric.collection, Number(value[1])]);
  };
  const firing = () => query('ALERTS{alertname="StuckDocumentsWarning",alertstate="firing"}');
  await until(async () => (await firing()).length > 0, { timeoutMs: 60_000 });
  expect(await firing()).toEqual([['archives', 1]]);
  expect(await query('retry_job_stuck_documents')).toEqual([['archives', 60]]);

  // The claims between have set the time of the last attempt: the documents are stuck all the same.
  const command = async (...args: string[]) => {
    const { stdout } = await runMain(args, { ...place, documents, bus });
    return JSON.parse(stdout);
  };
  const { documents: listed } = await command('stuck', 'list', '--limit', '100', '--json');
  expect(listed).toHaveLength(60);
  const status = await command('sweep', 'status', '--json');
  expect(status.retry_job_stuck_documents).toEqual({ archives: 60 });
  const { escalations } = await command('escalations', 'list', '--json');
  expect(escalations).toMatchObject([{ key: 'archives', stuck: 60 }]);

  // A service that finishes its documents, and knows nothing of the marker.
  for (const _id of ids)
    documents.put(archives, { ...documents.get(archives, _id), _id, status: 'processed' });
  await command('sweep', 'run', '--once', '--json');
  await until(async () => (await firing()).length === 0, { timeoutMs: 60_000 });
  expect(await query('retry_job_stuck_documents')).toEqual([['archives', 0]]);
}, 180_000);

interface Result {
  readonly metric: { readonly collection: string };
  readonly value: readonly [number, string];
}
