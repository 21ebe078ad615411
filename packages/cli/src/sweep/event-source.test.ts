import { memoryDocuments } from '@redrive/durable/documents';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { workerPlace } from '../testing/worker-place.ts';

const CONFIG = `version: "1.1.0"
buses: { main: { url: "store:" } }
jobs: { handlers: { plain: { module: handlers.mjs, idempotent: true } } }
events:
  sources: { chunking: { bus: main, subject: json.parsed, handler: plain, key: [data.message_ids] } }
sweeps:
  collections:
    messages: { source: "mongodb://127.0.0.1/docs", bus: main, event_source: { source: chunking } }
`;
const EVENT = {
  correlation_id: 'c-1',
  data: { message_ids: ['m-1'], archive: { path: 'a.mbox' } },
};

test('a source notes the documents of its events, and a sweep sends the stored event of a stuck one again', async () => {
  const place = workerPlace(onTestFinished, CONFIG);
  const documents = memoryDocuments();
  const run = (...args: string[]) => runMain(args, { ...place, documents });
  const published = await run('events', 'publish', 'chunking', JSON.stringify(EVENT));
  expect(published).toMatchObject({ exitCode: 0 });
  expect([...(await place.store.newestEvents('messages', ['m-1', 'm-2'])).entries()]).toEqual([
    ['m-1', { job: 'chunking-m-1', bytes: JSON.stringify(EVENT).length }],
  ]);
  const fields = {
    ...{ id: '_id', status: 'status', count: 'attemptCount', time: 'lastAttemptTime' },
    ...{ mark: 'retry_sweep', error: 'lastError', read: [] },
  };
  const messages = {
    ...{ name: 'messages', fields, pending: ['pending'], done: ['processed'], failed: 'failed' },
  };
  const lastAttemptTime = new Date('2026-01-01T00:00:00Z');
  documents.put(messages, { _id: 'm-1', status: 'pending', attemptCount: 1, lastAttemptTime });
  expect(await run('sweep', 'run', '--once')).toMatchObject({ exitCode: 0 });
  const { jobs } = await place.store.jobs({ handler: 'documents.messages' }, { limit: 10 });
  const job = await place.store.job(jobs[0]?.id ?? '');
  expect(job?.payload.kind === 'json' && JSON.parse(job.payload.text).event).toEqual({
    ...EVENT,
    event_id: job?.id,
    timestamp: expect.any(String),
    retry_sweep: { attempt: 2 },
  });
});
