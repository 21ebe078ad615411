import { pauseWork } from '@redrive/durable/control';
import { memoryDocuments } from '@redrive/durable/documents';
import { memoryBus } from '@redrive/durable/events';
import { expect, onTestFinished, test } from 'vitest';
import { runningWorker, workerPlace } from '../testing/worker-place.ts';

const CONFIG = `version: "1.1.0"
buses: { main: { url: "nats://127.0.0.1:4222" } }
sweeps: { collections: { archives: { source: "mongodb://127.0.0.1/docs", bus: main } } }
`;

test('a worker with configured collections serves all retry_job_* metrics as 0 before its first sweep', async () => {
  const place = workerPlace(onTestFinished, CONFIG);
  // The first sweep would begin at once.
  const actor = { name: 'cli:eve@host' };
  await pauseWork(place.store, { scope: 'queue', name: 'documents', actor });
  const worker = runningWorker(onTestFinished, place, ['--health-port', '0'], {
    documents: memoryDocuments(),
    bus: memoryBus(),
  });
  const { port } = await worker.line('health.listening');
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('retry_job_'));
  expect(lines).toEqual(
    expect.arrayContaining([
      'retry_job_documents_requeued_total{collection="archives"} 0',
      'retry_job_documents_skipped_backoff_total{collection="archives"} 0',
      'retry_job_documents_max_retries_exceeded_total{collection="archives"} 0',
      'retry_job_runs_total{status="success"} 0',
      'retry_job_runs_total{status="failure"} 0',
      'retry_job_errors_total{error_type="invalid_document"} 0',
      'retry_job_stuck_documents{collection="archives"} 0',
      'retry_job_failed_documents{collection="archives"} 0',
      'retry_job_duration_seconds_bucket{le="+Inf"} 0',
    ]),
  );
  expect(lines.filter((line) => !line.endsWith(' 0'))).toEqual([]);
});
