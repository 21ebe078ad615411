import { memoryStore } from '@redrive/durable';
import { memoryDocuments } from '@redrive/durable/documents';
import { memoryBus } from '@redrive/durable/events';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { expect, onTestFinished, test } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

const CONFIG = `version: "1.1.0"
buses: { main: { url: "nats://127.0.0.1:4222" } }
jobs: { health_port: 0 }
sweeps: { collections: { archives: { source: "mongodb://127.0.0.1/docs", bus: main } } }
`;

test('redrive start counts the events of documents that the broker has confirmed', async () => {
  const store = memoryStore();
  const documents = memoryDocuments();
  const bus = memoryBus();
  await bus.declare({ name: 'archive.ingested' });
  const collection = testCollection('archives');
  for (const id of ['a', 'b', 'c']) documents.put(collection, { _id: id, status: 'pending' });
  const directory = scratchDirectory(onTestFinished, { 'redrive.yaml': CONFIG });
  const run = (...args: string[]) => runMain(args, { store, documents, bus, directory });
  expect(await run('sweep', 'run', '--once')).toMatchObject({ exitCode: 0 });
  expect(await run('start', '--until-idle')).toMatchObject({ exitCode: 0 });
  expect((await bus.check({ name: 'archive.ingested' })).waiting).toBe(3);
  const { stdout } = await run('sweep', 'status', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    retry_job_documents_requeued_total: { archives: 3 },
  });
});
