import { deepEqual, equal, ok } from 'node:assert/strict';
import { MAX_DOCUMENT_PAGE, MAX_DOCUMENT_PAGE_BYTES } from '@redrive/durable/documents';
import { DUE, FAILED, HOUR, ODD_IDS, type RegisterTest, STUCK, UNSENT } from './place.ts';

export function finding(test: RegisterTest): void {
  test('finds due documents: never attempted first, then the oldest attempt', async (place) => {
    const nowMs = await place.nowMs();
    const ago = (hours: number) => nowMs - hours * HOUR;
    await place.put({ id: 'two', status: 'pending', count: 1, timeMs: ago(2) });
    await place.put({ id: 'three', status: 'processing', count: 1, timeMs: ago(3) });
    await place.put({ id: 'null', status: 'pending', count: 0, timeMs: null });
    await place.put({ id: 'bare', status: 'processing' });
    await place.put({ id: 'fresh', status: 'pending', count: 1, timeMs: ago(0.5) });
    await place.put({ id: 'done', status: 'processed', count: 1, timeMs: ago(2) });
    await place.put({ id: 'failed', status: 'failed_max_retries', count: 3, timeMs: ago(9) });
    deepEqual(await place.ids(DUE), ['bare', 'null', 'three', 'two']);
    deepEqual(await place.ids(FAILED), ['failed']);
  });

  test('returns fields as they are stored, and old documents without them', async (place) => {
    const timeMs = (await place.nowMs()) - 2 * HOUR;
    const lastError = 'no answer';
    await place.put({ id: 'a', status: 'pending', count: 2, timeMs, title: 'A', lastError });
    await place.put({ id: 'b', status: 'pending' });
    const { documents } = await place.source.find(place.collection, { ...DUE, limit: 9 });
    const [b, a] = documents;
    deepEqual(
      [b?.id, b?.count, b?.timeMs, b?.mark, b?.error],
      ['b', null, null, undefined, undefined],
    );
    deepEqual([a?.status, a?.count, a?.timeMs, a?.error], ['pending', 2, timeMs, lastError]);
    deepEqual(a?.values, { title: 'A' });
    const whole = {
      ...place.collection,
      fields: { ...place.collection.fields, read: 'all' },
    } as const;
    const one = (await place.source.find(whole, { ...DUE, limit: 9 })).documents[1];
    const own = { _id: 'a', status: 'pending', attemptCount: 2, title: 'A', lastError };
    deepEqual({ ...one?.values, ...own }, one?.values, 'the whole document');
    deepEqual((await place.one('a', whole)).values, one?.values);
  });

  test('pages through a set in both directions, each document once', async (place) => {
    await place.put({ id: 'never', status: 'pending' });
    // Several with the same time: the id decides.
    for (const hours of [4, 3, 2])
      await place.due([`${hours}-a`, `${hours}-b`, `${hours}-c`], hours);
    const order = ['4-a', '4-b', '4-c', '3-a', '3-b', '3-c', '2-a', '2-b', '2-c'];
    const all = ['never', ...order];
    deepEqual(await place.ids(DUE), all);
    for (const limit of [1, 2, 3, 10]) {
      deepEqual(await place.ids(DUE, { limit }), all);
      deepEqual(await place.ids(DUE, { limit, newestFirst: true }), all.toReversed());
    }
  });

  test('a page of large documents ends before MAX_DOCUMENT_PAGE_BYTES, and has one at least', async (place) => {
    const timeMs = (await place.nowMs()) - 2 * HOUR;
    // In sixteenths of a page.
    const sizes = [1, 9, 9, 5, 5, 5, 5, 2];
    for (const [n, size] of sizes.entries()) {
      const title = 'x'.repeat((size * MAX_DOCUMENT_PAGE_BYTES) / 16);
      await place.put({ id: `d${n}`, status: 'pending', count: 1, timeMs: timeMs + n, title });
    }
    for (const [newestFirst, lengths] of [
      [false, [2, 2, 3, 1]],
      [true, [3, 2, 1, 2]],
    ] as const) {
      const pages: string[][] = [];
      let after: string | undefined;
      do {
        const request = { ...DUE, limit: MAX_DOCUMENT_PAGE, newestFirst, after };
        const page = await place.source.find(place.collection, request);
        const chars = page.documents.map(({ values }) => String(values.title).length);
        const total = chars.reduce((sum, each) => sum + each, 0);
        ok(chars.length === 1 || total <= MAX_DOCUMENT_PAGE_BYTES, `a page of ${total} bytes`);
        pages.push(page.documents.map(({ id }) => id));
        after = page.next;
      } while (after !== undefined && pages.length <= sizes.length);
      const ids = sizes.map((_, n) => `d${n}`);
      deepEqual(pages.flat(), newestFirst ? ids.toReversed() : ids);
      deepEqual(
        pages.map((page) => page.length),
        lengths,
      );
    }
  });

  test('goes on behind its cursor when the documents before it have changed', async (place) => {
    const documents = await place.due(['a', 'b', 'c', 'd']);
    const first = await place.source.find(place.collection, { ...DUE, limit: 2 });
    await place.claim(first.documents);
    const then = await place.source.find(place.collection, {
      ...DUE,
      limit: 2,
      after: first.next,
    });
    const ids = [...first.documents, ...then.documents].map(({ id }) => id);
    deepEqual(
      ids.sort(),
      documents.map(({ id }) => id),
    );
  });

  test('finds claims that were not sent only after their time, and never as due', async (place) => {
    const nowMs = await place.nowMs();
    const timeMs = nowMs - 2 * HOUR;
    const mark = (event: string, agoMs: number, sent = false) => ({
      event,
      sent,
      at: new Date(nowMs - agoMs),
      attempt: 2,
    });
    await place.put({ id: 'old', status: 'pending', count: 1, timeMs, mark: mark('e1', 120_000) });
    await place.put({ id: 'young', status: 'pending', count: 1, timeMs, mark: mark('e2', 1_000) });
    await place.put({
      id: 'sent',
      status: 'pending',
      count: 1,
      timeMs,
      mark: mark('e3', 120_000, true),
    });
    await place.put({
      id: 'done',
      status: 'processed',
      count: 1,
      timeMs,
      mark: mark('e4', 130_000),
    });
    deepEqual(await place.ids(UNSENT), ['done', 'old']);
    deepEqual(await place.ids(DUE), ['sent']);
    const { mark: old } = await place.one('old');
    deepEqual(old, { event: 'e1', sent: false, atMs: nowMs - 120_000, attempt: 2 });
    // Somebody has changed the mark by hand: the document must not be lost.
    const ageless = { event: 'e5', sent: false };
    for (const id of ['x', 'y']) await place.put({ id, status: 'pending', timeMs, mark: ageless });
    for (const limit of [1, 100]) {
      deepEqual(await place.ids(UNSENT, { limit }), ['x', 'y', 'done', 'old']);
      const newest = await place.ids(UNSENT, { limit, newestFirst: true });
      deepEqual(newest, ['old', 'done', 'y', 'x']);
    }
    deepEqual((await place.one('x')).mark, { ...ageless, atMs: 0 });
    equal(await place.source.count(place.collection, UNSENT, 9), 4);
  });

  test('finds stuck documents by the time since when they are, and those that are done', async (place) => {
    const nowMs = await place.nowMs();
    const since = (hours: number) => ({ firstStuckAt: new Date(nowMs - hours * HOUR) });
    const claimed = { event: 'e1', sent: false, at: new Date(nowMs), attempt: 1 };
    await place.due(['due']);
    await place.put({ id: 'two', status: 'pending', mark: since(2) });
    await place.put({ id: 'three', status: 'processing', mark: { ...since(3), ...claimed } });
    await place.put({ id: 'also three', status: 'pending', timeMs: nowMs, mark: since(3) });
    await place.put({ id: 'claimed', status: 'pending', mark: claimed });
    await place.put({ id: 'done', status: 'processed', mark: since(4) });
    await place.put({ id: 'failed', status: 'failed_max_retries', mark: since(5) });
    for (const limit of [1, 2, 100]) {
      deepEqual(await place.ids(STUCK, { limit }), ['also three', 'three', 'two']);
      const newest = await place.ids(STUCK, { limit, newestFirst: true });
      deepEqual(newest, ['two', 'three', 'also three']);
      deepEqual(await place.ids({ set: 'over' }, { limit }), ['done']);
    }
    const { source, collection } = place;
    deepEqual(
      [await source.count(collection, STUCK, 9), await source.count(collection, STUCK, 2)],
      [3, 2],
    );
    equal(await source.count(collection, { set: 'over' }, 9), 1);
    const found = await place.one('three');
    deepEqual([found.firstStuckMs, found.mark?.event], [nowMs - 3 * HOUR, 'e1']);
    const bare = await place.one('two');
    deepEqual([bare.firstStuckMs, bare.mark], [nowMs - 2 * HOUR, undefined]);
  });

  test('finds times that are ahead of the clock', async (place) => {
    const nowMs = await place.nowMs();
    await place.put({ id: 'ahead', status: 'pending', count: 1, timeMs: nowMs + HOUR });
    await place.put({ id: 'done', status: 'processed', count: 1, timeMs: nowMs + HOUR });
    await place.put({ id: 'soon', status: 'pending', count: 1, timeMs: nowMs + 20_000 });
    deepEqual(await place.ids({ set: 'ahead' }), ['ahead']);
    deepEqual(await place.ids(DUE), []);
  });

  test('finds by ids, with any text as id, and leaves out missing ones', async (place) => {
    await place.due(ODD_IDS);
    for (const id of ODD_IDS) equal((await place.one(id)).values.title, id);
    deepEqual((await place.source.byIds(place.collection, ['nobody'])).documents, []);
    deepEqual((await place.ids(DUE, { limit: 2 })).sort(), [...ODD_IDS].sort());
    deepEqual(
      await place.claim(await place.due(ODD_IDS)),
      ODD_IDS.map(() => true),
    );
  });

  test('counts a set up to a limit', async (place) => {
    await place.due(['a', 'b', 'c']);
    await place.put({ id: 'd', status: 'processed' });
    const { source, collection } = place;
    equal(await source.count(collection, DUE, 100), 3);
    equal(await source.count(collection, DUE, 2), 2);
    equal(await source.count(collection, FAILED, 100), 0);
    equal(await source.count(collection, { set: 'all' }, 100), 4);
  });
}
