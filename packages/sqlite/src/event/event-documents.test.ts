import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { scratch } from '../testing/scratch.ts';
import { NEWEST_EVENTS } from './event-documents.ts';

it('a page of documents is one query that looks each of them up, and scans nothing', async () => {
  const place = scratch();
  onTestFinished(() => place.remove());
  const store = await openMade(place.path);
  await store.apply([enqueueOf('e-1')]);
  await store.noteEventDocuments([
    { collection: 'docs', job: 'e-1', bytes: 1, documents: ['a', 'b'] },
  ]);
  expect([...(await store.newestEvents('docs', ['b', 'c'])).keys()]).toEqual(['b']);
  await store.close();
  const db = new DatabaseSync(place.path);
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${NEWEST_EVENTS}`).all('[]', '');
  db.close();
  expect(plan.map(({ detail }) => String(detail))).toEqual([
    expect.stringMatching(/^SCAN d VIRTUAL TABLE/),
    expect.stringMatching(/^SEARCH e USING PRIMARY KEY \(collection=\? AND document=\?\)/),
    expect.stringMatching(/^SEARCH j USING INTEGER PRIMARY KEY/),
  ]);
});
