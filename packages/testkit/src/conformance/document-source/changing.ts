import { deepEqual, equal, ok } from 'node:assert/strict';
import { MAX_DOCUMENT_PAGE, type StoredDocument } from '@redrive/durable/documents';
import { DUE, HOUR, type OwnersMark, type Place, type RegisterTest } from './place.ts';

export function claiming(test: RegisterTest): void {
  test('sets the mark, and keeps status, count and time', async (place) => {
    const before = await place.nowMs();
    await place.put({ id: 'bare', status: 'processing' });
    const documents = [...(await place.due(['a'])), await place.one('bare')];
    deepEqual(await place.claim(documents), [true, true]);
    for (const [n, attempt] of [3, 1].entries()) {
      const found = documents[n];
      ok(found !== undefined);
      const { mark, ...after } = await place.one(found.id);
      deepEqual({ ...after, mark: undefined }, { ...found, mark: undefined });
      const { atMs, ...claim } = mark ?? {};
      deepEqual(claim, { event: `e-${found.id}`, sent: false, attempt });
      ok(await place.isNow(atMs, before), `${atMs} is now`);
    }
  });

  test('of a stuck document keeps the first time since when it is', async (place) => {
    const before = await place.nowMs();
    const [a, b, c] = await place.due(['a', 'b', 'c']);
    ok(a && b && c);
    const firstStuckAt = new Date(before - HOUR);
    for (const id of ['b', 'c']) await place.put({ id, mark: { firstStuckAt } });
    deepEqual(await place.claim([a, b], 'e', 'stuck'), [true, true]);
    deepEqual(await place.claim([c]), [true]);
    ok(await place.isNow((await place.one('a')).firstStuckMs, before));
    for (const id of ['b', 'c']) equal((await place.one(id)).firstStuckMs, before - HOUR);
  });

  test('of a document that was never attempted keeps when it was found, until its attempt counts', async (place) => {
    const before = await place.nowMs();
    const foundAt = new Date(before - HOUR);
    for (const id of ['a', 'b']) await place.put({ id, status: 'pending', timeMs: null });
    await place.put({ id: 'b', mark: { foundAt } });
    const [a, b] = [await place.one('a'), await place.one('b')];
    deepEqual(await place.claim([a, b], 'e', 'found'), [true, true]);
    ok(await place.isNow((await place.one('a')).foundMs, before));
    equal((await place.one('b')).foundMs, before - HOUR);
    await place.source.settle(place.collection, [{ id: 'a', event: 'e-a', to: 'dropped' }]);
    ok(await place.isNow((await place.one('a')).foundMs, before));
    await place.claim([await place.one('a')], 'f', 'stuck');
    const { foundMs, firstStuckMs } = await place.one('a');
    ok(foundMs !== undefined && firstStuckMs !== undefined);
    await place.source.settle(place.collection, [{ id: 'a', event: 'f-a', to: 'sent' }]);
    const sent = await place.one('a');
    deepEqual([sent.foundMs, sent.firstStuckMs], [undefined, firstStuckMs]);
  });

  test('is refused while another claim is not sent', async (place) => {
    const found = await place.due(['a']);
    deepEqual(await place.claim(found), [true]);
    const before = await place.one('a');
    deepEqual(await place.claim(found, 'other'), [false]);
    const failure = { id: 'a', stamp: before.stamp, event: 'f' };
    deepEqual(await place.source.fail(place.collection, [failure]), [false]);
    deepEqual(await place.one('a'), before);
    await place.source.settle(place.collection, [{ id: 'a', event: 'e-a', to: 'sent' }]);
    deepEqual(await place.claim([await place.one('a')], 'other'), [true]);
    deepEqual((await place.one('a')).mark?.attempt, 4);
  });

  test('is refused where status, count or time has changed, or the document is gone', async (place) => {
    const ids = ['same', 'done', 'counted', 'timed', 'reset'];
    const documents = await place.due(ids);
    const nowMs = await place.nowMs();
    await place.put({ id: 'done', status: 'processed' });
    await place.put({ id: 'counted', count: 3 });
    await place.put({ id: 'timed', timeMs: nowMs - 90 * 60_000 });
    await place.put({ id: 'reset', timeMs: null });
    const gone = { ...documents[0], id: 'gone' } as StoredDocument;
    const changed = await Promise.all(ids.slice(1).map((id) => place.one(id)));
    const answers = await place.claim([...documents.toReversed(), gone]);
    deepEqual(answers, [false, false, false, false, true, false]);
    deepEqual(await Promise.all(ids.slice(1).map((id) => place.one(id))), changed);
  });

  test('is refused for a document that was never attempted and has a time by now', async (place) => {
    await place.put({ id: 'a', status: 'pending', count: 0, timeMs: null });
    const found = await place.one('a');
    await place.put({ id: 'a', timeMs: (await place.nowMs()) - HOUR });
    deepEqual(await place.claim([found]), [false]);
    deepEqual(await place.claim([await place.one('a')]), [true]);
    equal((await place.one('a')).mark?.attempt, 1);
  });

  test('is won by one of many sweepers', async (place) => {
    const ids = Array.from({ length: 20 }, (_, n) => `d${n}`);
    const documents = await place.due(ids);
    const sweepers = ['s1', 's2', 's3', 's4', 's5'];
    const answers = await Promise.all(sweepers.map((name) => place.claim(documents, name)));
    for (const [n, id] of ids.entries()) {
      const winners = sweepers.filter((_, sweeper) => answers[sweeper]?.[n]);
      equal(winners.length, 1, `${id} was claimed by ${winners.join(' and ') || 'nobody'}`);
      const { mark } = await place.one(id);
      deepEqual([mark?.attempt, mark?.event], [3, `${winners[0]}-${id}`]);
    }
  });

  test('takes a whole page, and nothing', async (place) => {
    const timeMs = (await place.nowMs()) - 2 * HOUR;
    const ids = Array.from({ length: MAX_DOCUMENT_PAGE }, (_, n) => `d${n}`);
    await Promise.all(ids.map((id) => place.put({ id, status: 'pending', count: 1, timeMs })));
    const request = { ...DUE, limit: MAX_DOCUMENT_PAGE };
    const { documents } = await place.source.find(place.collection, request);
    const answers = await place.claim(documents);
    equal(answers.filter((answer) => answer).length, MAX_DOCUMENT_PAGE);
    deepEqual(await place.ids(DUE), []);
    deepEqual(await place.claim([]), []);
  });
}

export function settling(test: RegisterTest): void {
  test('an event that is sent counts its attempt once, and begins it, whatever the status is', async (place) => {
    await place.put({ id: 'bare', status: 'processing' });
    await place.claim([...(await place.due(['a', 'b'])), await place.one('bare')], 'e', 'stuck');
    await place.put({ id: 'b', status: 'processed' });
    const ids = ['a', 'b', 'bare'];
    const before = await place.nowMs();
    const claimed = await Promise.all(ids.map((id) => place.one(id)));
    const settled = ids.map((id) => ({ id, event: `e-${id}`, to: 'sent' }) as const);
    deepEqual(await place.source.settle(place.collection, settled), [true, true, true]);
    for (const [n, count] of [3, 3, 1].entries()) {
      const after = await place.one(ids[n] ?? '');
      const { timeMs, stamp } = after;
      const mark = { ...claimed[n]?.mark, sent: true };
      deepEqual(after, { ...claimed[n], count, timeMs, stamp, mark });
      ok(await place.isNow(timeMs, before), `${timeMs} is now`);
    }
    deepEqual(await place.source.settle(place.collection, settled), [false, false, false]);
    equal((await place.one('a')).count, 3);
    deepEqual(await place.ids(DUE), []);
  });

  test('a stored dead letter changes the mark alone', async (place) => {
    await place.claim(await place.due(['a']));
    const before = await place.one('a');
    const stored = { id: 'a', event: 'e-a', to: 'stored' } as const;
    deepEqual(await place.source.settle(place.collection, [stored]), [true]);
    deepEqual(await place.one('a'), { ...before, mark: { ...before.mark, sent: true } });
  });

  test('drops the claim, and keeps since when the document is stuck', async (place) => {
    const [a, b] = await place.due(['a', 'b']);
    ok(a && b);
    await place.claim([a]);
    await place.claim([b], 'e', 'stuck');
    const { firstStuckMs } = await place.one('b');
    const dropped = ['a', 'b'].map((id) => ({ id, event: `e-${id}`, to: 'dropped' }) as const);
    deepEqual(await place.source.settle(place.collection, dropped), [true, true]);
    deepEqual(await place.one('a'), a);
    deepEqual(await place.one('b'), { ...b, firstStuckMs });
    deepEqual(await place.claim([a, b]), [true, true]);
  });

  test('changes nothing where the claim is another one, or its document is gone', async (place) => {
    const [a, b] = await place.due(['a', 'b']);
    ok(a && b);
    await place.claim([a]);
    const before = await Promise.all(['a', 'b'].map((id) => place.one(id)));
    const settlements = [
      { id: 'a', event: 'another', to: 'sent' },
      { id: 'a', event: 'another', to: 'dropped' },
      { id: 'b', event: 'e-b', to: 'stored' },
      { id: 'gone', event: 'e-gone', to: 'sent' },
    ] as const;
    const answers = await place.source.settle(place.collection, settlements);
    deepEqual(answers, [false, false, false, false]);
    deepEqual(await Promise.all(['a', 'b'].map((id) => place.one(id))), before);
  });
}

export function noting(test: RegisterTest): void {
  test('keeps the first time since when a document is stuck, beside its claim', async (place) => {
    const [a, b] = await place.due(['a', 'b']);
    ok(a && b);
    await place.claim([b]);
    const before = await place.nowMs();
    const notes = [a, b].map(({ id, stamp }) => ({ id, stamp, to: 'stuck' }) as const);
    deepEqual(await place.source.note(place.collection, notes), [true, true]);
    const [firstA, firstB] = [await place.one('a'), await place.one('b')];
    ok(await place.isNow(firstA.firstStuckMs, before));
    deepEqual([firstA.mark, firstB.mark?.event], [undefined, 'e-b']);
    deepEqual([firstA.count, firstA.timeMs, firstA.status], [a.count, a.timeMs, a.status]);
    await place.source.note(place.collection, notes);
    deepEqual([await place.one('a'), await place.one('b')], [firstA, firstB]);
    // Noted together, in either order.
    deepEqual((await place.ids({ set: 'stuck' })).toSorted(), ['a', 'b']);
    await place.put({ id: 'b', status: 'processed' });
    const { stamp } = await place.one('b');
    const calm = { id: 'b', stamp, to: 'calm' } as const;
    deepEqual(await place.source.note(place.collection, [calm]), [true]);
    const { firstStuckMs, mark } = await place.one('b');
    deepEqual([firstStuckMs, mark?.event, mark?.sent], [undefined, 'e-b', false]);
    deepEqual(await place.ids({ set: 'over' }), []);
  });

  test('keeps that a document was found, and clears its mark, unless it is claimed', async (place) => {
    const documents = await place.due(['a', 'b']);
    const before = await place.nowMs();
    const found = documents.map(({ id, stamp }) => ({ id, stamp, to: 'found' }) as const);
    deepEqual(await place.source.note(place.collection, found), [true, true]);
    ok(await place.isNow((await place.one('a')).foundMs, before));
    await place.claim(documents.slice(1));
    deepEqual(await place.source.note(place.collection, found.slice(1)), [false]);
    const cleared = documents.map(({ id, stamp }) => ({ id, stamp, to: 'cleared' }) as const);
    deepEqual(await place.source.note(place.collection, cleared), [true, false]);
    deepEqual(await place.one('a'), documents[0]);
    equal((await place.one('b')).mark?.event, 'e-b');
  });

  test('compares as claim does', async (place) => {
    const documents = await place.due(['done', 'counted']);
    await place.put({ id: 'done', status: 'processed' });
    await place.put({ id: 'counted', count: 3 });
    const before = await Promise.all(['done', 'counted'].map((id) => place.one(id)));
    for (const to of ['found', 'stuck', 'calm', 'cleared'] as const) {
      const notes = documents.map(({ id, stamp }) => ({ id, stamp, to }));
      deepEqual(await place.source.note(place.collection, notes), [false, false]);
    }
    deepEqual(await Promise.all(['done', 'counted'].map((id) => place.one(id))), before);
    deepEqual(await place.source.note(place.collection, []), []);
  });

  test('replaces something else in the mark than an object', async (place) => {
    const [a] = await place.due(['a']);
    ok(a);
    // An owner may have written anything into it.
    await place.put({ id: 'a', mark: [1, 2] as OwnersMark & number[] });
    const note = { id: 'a', stamp: a.stamp, to: 'stuck' } as const;
    deepEqual(await place.source.note(place.collection, [note]), [true]);
    ok((await place.one('a')).firstStuckMs);
  });
}

export function recording(test: RegisterTest): void {
  const ERRORS = ['no answer', '$status', '{"$set":{"status":"x"}}', "it's; -- \\ ä€😀\n"];

  test('an attempt that begins: the time is now, and the count is raised unless it is counted already', async (place) => {
    const [a, b] = await place.due(['a', 'b']);
    ok(a && b);
    await place.put({ id: 'bare', status: 'processing' });
    const bare = await place.one('bare');
    const before = await place.nowMs();
    const attempts = [a, b, bare].map(
      ({ id, stamp }) => ({ id, stamp, to: 'begun', isCounted: id !== 'b' }) as const,
    );
    deepEqual(await place.source.record(place.collection, attempts), [true, true, true]);
    for (const [found, count] of [
      [a, 3],
      [b, 2],
      [bare, 1],
    ] as const) {
      const { timeMs, stamp, ...after } = await place.one(found.id);
      ok(Number(timeMs) >= before && Number(timeMs) <= (await place.nowMs()), `${timeMs} is now`);
      deepEqual({ ...after, timeMs: found.timeMs, stamp: found.stamp }, { ...found, count });
    }
  });

  test('an attempt that fails keeps its error, one that succeeds removes it; nothing else changes', async (place) => {
    await place.claim(await place.due(['a']));
    const before = await place.one('a');
    for (const error of ERRORS) {
      const failed = { id: 'a', stamp: before.stamp, to: 'failed', error } as const;
      deepEqual(await place.source.record(place.collection, [failed]), [true]);
      deepEqual(await place.one('a'), { ...before, error });
    }
    const succeeded = { id: 'a', stamp: before.stamp, to: 'succeeded' } as const;
    deepEqual(await place.source.record(place.collection, [succeeded]), [true]);
    const { stamp, ...after } = await place.one('a');
    deepEqual({ ...after, stamp: before.stamp }, { ...before, status: 'processed' });
  });

  test('compares as claim does', async (place) => {
    const ids = ['done', 'counted', 'timed'];
    const documents = await place.due(ids);
    await place.put({ id: 'done', status: 'processed' });
    await place.put({ id: 'counted', count: 3 });
    await place.put({ id: 'timed', timeMs: null });
    const gone = { ...documents[0], id: 'gone' } as StoredDocument;
    const before = await Promise.all(ids.map((id) => place.one(id)));
    for (const report of [
      { to: 'begun', isCounted: true },
      { to: 'succeeded' },
      { to: 'failed', error: 'late' },
    ] as const) {
      const attempts = [...documents, gone].map(({ id, stamp }) => ({ id, stamp, ...report }));
      const answers = await place.source.record(place.collection, attempts);
      deepEqual(answers, [false, false, false, false]);
    }
    deepEqual(await Promise.all(ids.map((id) => place.one(id))), before);
    deepEqual(await place.source.record(place.collection, []), []);
  });
}

export function ending(test: RegisterTest): void {
  async function failed(place: Place, ids: readonly string[]): Promise<void> {
    const documents = await place.due(ids);
    const failures = documents.map(({ id, stamp }) => ({ id, stamp, event: `f-${id}` }));
    const answers = await place.source.fail(place.collection, failures);
    deepEqual(
      answers,
      ids.map(() => true),
    );
  }

  test('fail sets status and mark, keeps count and time, and compares as claim does', async (place) => {
    const [a, b] = await place.due(['a', 'b']);
    ok(a && b);
    await place.put({ id: 'b', status: 'processed' });
    const failures = [a, b].map(({ id, stamp }) => ({ id, stamp, event: `f-${id}` }));
    deepEqual(await place.source.fail(place.collection, failures), [true, false]);
    const after = await place.one('a');
    deepEqual([after.status, after.count, after.timeMs], ['failed_max_retries', 2, a.timeMs]);
    deepEqual([after.mark?.event, after.mark?.sent], ['f-a', false]);
    equal((await place.one('b')).status, 'processed');
    deepEqual(await place.ids({ set: 'unsent', olderThanMs: 0 }), ['a']);
    const stored = { id: 'a', event: 'f-a', to: 'stored' } as const;
    deepEqual(await place.source.settle(place.collection, [stored]), [true]);
    deepEqual(await place.ids({ set: 'unsent', olderThanMs: 0 }), []);
    equal((await place.one('a')).count, 2);
  });

  test('reset makes failed documents pending, as never attempted', async (place) => {
    await failed(place, ['a']);
    await place.due(['b']);
    await place.put({ id: 'a', mark: { firstStuckAt: new Date(0) } });
    const resets = [{ id: 'a' }, { id: 'b' }, { id: 'gone' }];
    deepEqual(await place.source.reset(place.collection, resets), [true, false, false]);
    const { status, count, timeMs, mark, firstStuckMs } = await place.one('a');
    deepEqual([status, count, timeMs, mark], ['pending', 0, null, undefined]);
    equal(firstStuckMs, undefined);
    equal((await place.one('b')).count, 2);
  });

  test('reset with an event claims them in the same step, and may be repeated', async (place) => {
    await failed(place, ['a']);
    const reset = { id: 'a', event: 'again' };
    deepEqual(await place.source.reset(place.collection, [reset]), [true]);
    const after = await place.one('a');
    deepEqual([after.status, after.count, after.timeMs], ['pending', 0, null]);
    const { event, sent, attempt } = after.mark ?? {};
    deepEqual([event, sent, attempt, after.firstStuckMs], ['again', false, 1, undefined]);
    deepEqual(await place.source.reset(place.collection, [reset]), [true]);
    deepEqual(await place.one('a'), after);
    await place.put({ id: 'a', status: 'processed' });
    deepEqual(await place.source.reset(place.collection, [reset]), [false]);
  });

  test('remove deletes failed documents only, and archives them first where it is asked to', async (place) => {
    await failed(place, ['a', 'b']);
    await place.due(['c']);
    const { source, collection } = place;
    const whole = await place.one('a');
    deepEqual(await source.remove(collection, ['a', 'c'], { archive: true }), [true, false]);
    deepEqual(await source.remove(collection, ['b', 'gone'], { archive: false }), [true, false]);
    const exist = await Promise.all(['a', 'b', 'c'].map((id) => place.exists(id)));
    deepEqual(exist, [false, false, true]);
    const archive = { ...collection, name: `${collection.name}_dead_letters` };
    const kept = await place.one('a', archive);
    deepEqual([kept.status, kept.count, kept.values], [whole.status, whole.count, whole.values]);
    deepEqual((await source.byIds(archive, ['b'])).documents, []);
  });
}
