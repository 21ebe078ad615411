import { deepEqual, equal } from 'node:assert/strict';
import type { FullStore } from '@redrive/durable';
import { act, enqueue } from './commands.ts';
import { die } from './dying.ts';
import { prune } from './prune.ts';
import type { FullStoreSuite } from './suite.ts';

const note = (store: FullStore, job: string, documents: readonly string[], collection = 'docs') =>
  store.noteEventDocuments([{ collection, job, bytes: 7, documents }]);

/** The job of each document's newest event. */
async function newest(store: FullStore, documents: readonly string[], collection = 'docs') {
  const found = await store.newestEvents(collection, documents);
  return Object.fromEntries([...found].map(([document, { job }]) => [document, job]));
}

export function eventDocumentTests({ test }: FullStoreSuite): void {
  test('a document has the event that the store accepted last, however often it is noted', async ({
    store,
  }) => {
    for (const id of ['first', 'second']) await enqueue(store, id);
    await note(store, 'second', ['b', 'c']);
    // A redelivery of the older one.
    await note(store, 'first', ['a', 'b']);
    deepEqual(await newest(store, ['a', 'b', 'c', 'd']), { a: 'first', b: 'second', c: 'second' });
    await note(store, 'second', ['a']);
    deepEqual(await newest(store, ['a']), { a: 'second' });
    deepEqual(
      [...(await store.newestEvents('docs', ['a'])).values()],
      [{ job: 'second', bytes: 7 }],
    );
  });

  test('one call may have two events of a document, and an event without a job', async ({
    store,
  }) => {
    for (const id of ['first', 'second']) await enqueue(store, id);
    const events = ['second', 'nobody', 'first'].map((job) => {
      return { collection: 'docs', job, bytes: 1, documents: ['a', `of ${job}`] };
    });
    await store.noteEventDocuments(events);
    deepEqual(await newest(store, ['a', 'of nobody', 'of first']), {
      a: 'second',
      'of first': 'first',
    });
    await store.noteEventDocuments([]);
    equal((await store.newestEvents('docs', [])).size, 0);
  });

  test('collections have documents of their own, with any text as their id', async ({ store }) => {
    const odd = ['it\'s "odd"; drop table x', '\\{"$gt":""}', 'ä€😀 %_,{}', 'NULL'];
    for (const id of ['one', 'two']) await enqueue(store, id);
    await note(store, 'one', odd, 'chunks');
    await note(store, 'two', odd.slice(1), 'docs');
    deepEqual(await newest(store, odd, 'chunks'), Object.fromEntries(odd.map((id) => [id, 'one'])));
    deepEqual(Object.keys(await newest(store, odd)).sort(), odd.slice(1).sort());
  });

  test('an event that was purged is not sent again, and one that was deleted is forgotten', async ({
    store,
    clock,
  }) => {
    for (const id of ['old', 'purged']) {
      await die({ store, clock }, id);
      await note(store, id, [id]);
    }
    deepEqual(await newest(store, ['old', 'purged']), { old: 'old', purged: 'purged' });
    await act(store, 'purge', 'purged');
    deepEqual(await newest(store, ['old', 'purged']), { old: 'old' });
    await act(store, 'restore', 'purged');
    deepEqual(await newest(store, ['purged']), { purged: 'purged' });
    await clock.advance(1);
    await prune(store, { deadAfterMs: 0 });
    deepEqual(await newest(store, ['old', 'purged']), {});
    // The row went with its job: another job with the same number has no documents.
    await enqueue(store, 'new');
    deepEqual(await newest(store, ['old', 'purged']), {});
  });
}
