import { expect, it } from 'vitest';
import { enqueueOf, ids } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { newestEventsSql } from './event-documents.ts';

const server = testServer(NO_SYNC);

it('a page of documents is one query that looks each of them up, and scans nothing', async () => {
  const schema = server.newSchema();
  const store = await openMade(server.url, { schema, onWarning: () => {} });
  const jobs = ids(2_000);
  await store.apply(jobs.map((id) => enqueueOf(id)));
  await store.noteEventDocuments(
    jobs.map((job) => ({
      collection: 'docs',
      job,
      bytes: 1,
      documents: [`of ${job}`, `${job}/2`],
    })),
  );
  const page = jobs.slice(0, 500).map((id) => `of ${id}`);
  expect((await store.newestEvents('docs', page)).size).toBe(500);
  await store.close();
  for (const table of ['event_documents', 'jobs', 'finished'])
    await server.sql(`analyze ${schema}.${table}`);
  const text = newestEventsSql(schema)
    .replace('$1', "'docs'")
    .replace('$2', `'{${page.slice(0, 50).map((id) => `"${id}"`)}}'`);
  const plan = (await server.sql(`explain ${text}`)).map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/event_documents_pkey/);
  expect(plan).toMatch(/jobs_pkey/);
  expect(plan).not.toMatch(/Seq Scan on (?:event_documents|jobs)/);
});
