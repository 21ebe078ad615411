import { definePolicy, RedriveError } from '@redrive/core';
import { memoryStore } from '@redrive/durable';
import { memoryDocuments, runSweeps, type Sweep, sentCounter } from '@redrive/durable/documents';
import { virtualClock } from '@redrive/testkit';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { expect, onTestFinished, test } from 'vitest';
import { telemetry } from '../telemetry.ts';

const DAY_MS = 86_400_000;

async function setUp() {
  const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
  const store = memoryStore({ clock });
  const documents = memoryDocuments({ clock });
  const sweep: Sweep = {
    name: 'archives',
    source: documents,
    collection: testCollection('archives'),
    policy: definePolicy({ id: 'documents.archives', maxAttempts: 3 }),
    thresholdMs: DAY_MS,
    minimumAgeMs: 0,
    dependency: '',
    event: { type: 'ArchiveIngested', bus: 'main', destination: 'archive.ingested', data: {} },
  };
  const parts = { store, clock, actor: { name: 'sweep' }, notify: () => {}, intervalMs: 900_000 };
  const run = (sweeps: readonly Sweep[]) => runSweeps({ ...parts, sweeps });
  const put = (id: string, attemptCount: number) => {
    const lastAttemptTime = new Date(clock.now() - DAY_MS - 1);
    documents.put(sweep.collection, { _id: id, status: 'pending', attemptCount, lastAttemptTime });
  };
  const metrics = telemetry({ store, clock });
  onTestFinished(() => metrics.close());
  const lines = async () => {
    clock.tick(5_000);
    const { body } = await metrics.scrape();
    return body.split('\n').filter((line) => line.startsWith('retry_job_'));
  };
  return { sweep, run, put, lines, metrics, counter: sentCounter(parts) };
}

test('all metrics of sweeps are 0 before the first sweep for collections that are configured', async () => {
  const { sweep, run, lines, metrics } = await setUp();
  metrics.learn('collections', ['archives']);
  const before = await lines();
  const buckets = [...[0.1, 0.5, 1, 5, 10, 30, 60, 300, 900].map(String), '+Inf'];
  expect(before).toEqual([
    'retry_job_documents_requeued_total{collection="archives"} 0',
    'retry_job_documents_skipped_backoff_total{collection="archives"} 0',
    'retry_job_documents_max_retries_exceeded_total{collection="archives"} 0',
    'retry_job_runs_total{status="success"} 0',
    'retry_job_runs_total{status="failure"} 0',
    'retry_job_errors_total{error_type="invalid_document"} 0',
    'retry_job_stuck_documents{collection="archives"} 0',
    'retry_job_failed_documents{collection="archives"} 0',
    'retry_job_documents_waiting{collection="archives"} 0',
    ...buckets.map((le) => `retry_job_duration_seconds_bucket{le="${le}"} 0`),
    'retry_job_duration_seconds_sum 0',
    'retry_job_duration_seconds_count 0',
  ]);
  await run([sweep]);
  const nameOf = (line: string) => line.replace(/ .*/, '');
  expect((await lines()).map(nameOf)).toEqual([
    ...before.map(nameOf),
    'retry_job_last_success_timestamp_seconds',
  ]);
});

test('a collection that is not configured any more has no gauge of stuck documents', async () => {
  const { sweep, run, lines, metrics } = await setUp();
  metrics.learn('collections', ['archives']);
  await run([sweep, { ...sweep, name: 'old' }]);
  await lines();
  await run([sweep]);
  const gauges = (await lines()).filter((line) => line.startsWith('retry_job_stuck_documents'));
  expect(gauges).toEqual(['retry_job_stuck_documents{collection="archives"} 0']);
});

test('the metrics of sweeps are those of the seed, from the first sweep on, and 0 when all is well', async () => {
  const { sweep, run, lines } = await setUp();
  // A first run that fails must be an increase.
  expect(await lines()).toEqual([
    'retry_job_runs_total{status="success"} 0',
    'retry_job_runs_total{status="failure"} 0',
  ]);
  await run([sweep]);
  const shown = await lines();
  expect(shown).toEqual(
    expect.arrayContaining([
      'retry_job_documents_requeued_total{collection="archives"} 0',
      'retry_job_documents_skipped_backoff_total{collection="archives"} 0',
      'retry_job_documents_max_retries_exceeded_total{collection="archives"} 0',
      'retry_job_runs_total{status="success"} 1',
      'retry_job_runs_total{status="failure"} 0',
      'retry_job_errors_total{error_type="invalid_document"} 0',
      'retry_job_stuck_documents{collection="archives"} 0',
      'retry_job_failed_documents{collection="archives"} 0',
      'retry_job_duration_seconds_bucket{le="0.1"} 1',
      'retry_job_duration_seconds_bucket{le="900"} 1',
      'retry_job_duration_seconds_bucket{le="+Inf"} 1',
      'retry_job_duration_seconds_count 1',
    ]),
  );
});

test('sweeps are counted over all runs: requeued, beyond their attempts, failed runs', async () => {
  const { sweep, run, put, lines, counter } = await setUp();
  put('a', 1);
  put('b', 3);
  await run([sweep]);
  // As the job does when the broker has confirmed the event.
  counter.add('archives');
  await counter.written();
  const away = async () => {
    throw new RedriveError('documents_unavailable', 'The database is away');
  };
  const { source } = sweep;
  const broken = { ...source, find: away, byIds: away, prepare: away, count: away };
  await run([{ ...sweep, source: broken as unknown as Sweep['source'] }]); // Only these are called.
  expect(await lines()).toEqual(
    expect.arrayContaining([
      'retry_job_documents_requeued_total{collection="archives"} 1',
      'retry_job_documents_max_retries_exceeded_total{collection="archives"} 1',
      'retry_job_failed_documents{collection="archives"} 1',
      'retry_job_runs_total{status="success"} 1',
      'retry_job_runs_total{status="failure"} 1',
      'retry_job_errors_total{error_type="documents_unavailable"} 1',
      'retry_job_duration_seconds_count 2',
    ]),
  );
});
