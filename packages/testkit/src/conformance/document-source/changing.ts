import { deepEqual, equal, ok } from 'node:assert/strict';
import { MAX_DOCUMENT_PAGE, type StoredDocument } from '@redrive/durable/documents';
import { HOUR, type Place, type RegisterTest, STUCK } from './place.ts';

export function claiming(test: RegisterTest): void {
  test('raises the count, sets the time and the mark, and keeps the status', async (place) => {
    const before = await place.nowMs();
    const documents = await place.stuck(['a']);
    await place.put({ id: 'bare', status: 'processing' });
    deepEqual(await place.claim([...documents, await place.one('bare')]), [true, true]);
    const after = await place.nowMs();
    for (const [id, status, count] of [
      ['a', 'pending', 3],
      ['bare', 'processing', 1],
    ] as const) {
      const found = await place.one(id);
      deepEqual([found.status, found.count], [status, count]);
      deepEqual([found.mark?.event, found.mark?.sent], [`e-${id}`, false]);
      for (const ms of [found.timeMs, found.mark?.atMs]) {
        ok(Number(ms) >= before && Number(ms) <= after, `${ms} is now`);
      }
      equal(found.values.title, id === 'a' ? 'a' : undefined);
    }
  });

  test('is refused where status, count or time has changed, or the document is gone', async (place) => {
    const ids = ['same', 'done', 'counted', 'timed', 'reset'];
    const documents = await place.stuck(ids);
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
    equal((await place.one('a')).count, 1);
  });

  test('is won by one of many sweepers', async (place) => {
    const ids = Array.from({ length: 20 }, (_, n) => `d${n}`);
    const documents = await place.stuck(ids);
    const sweepers = ['s1', 's2', 's3', 's4', 's5'];
    const answers = await Promise.all(sweepers.map((name) => place.claim(documents, name)));
    for (const [n, id] of ids.entries()) {
      const winners = sweepers.filter((_, sweeper) => answers[sweeper]?.[n]);
      equal(winners.length, 1, `${id} was claimed by ${winners.join(' and ') || 'nobody'}`);
      const { count, mark } = await place.one(id);
      deepEqual([count, mark?.event], [3, `${winners[0]}-${id}`]);
    }
  });

  test('takes a whole page, and nothing', async (place) => {
    const timeMs = (await place.nowMs()) - 2 * HOUR;
    const ids = Array.from({ length: MAX_DOCUMENT_PAGE }, (_, n) => `d${n}`);
    await Promise.all(ids.map((id) => place.put({ id, status: 'pending', count: 1, timeMs })));
    const request = { ...STUCK, limit: MAX_DOCUMENT_PAGE };
    const { documents } = await place.source.find(place.collection, request);
    const answers = await place.claim(documents);
    equal(answers.filter((answer) => answer).length, MAX_DOCUMENT_PAGE);
    deepEqual(await place.ids(STUCK), []);
    deepEqual(await place.claim([]), []);
  });
}

export function settling(test: RegisterTest): void {
  test('marks a claim as sent, also if its status has changed since', async (place) => {
    await place.claim(await place.stuck(['a', 'b']));
    await place.put({ id: 'b', status: 'processed' });
    const settled = ['a', 'b'].map((id) => ({ id, event: `e-${id}`, to: 'sent' }) as const);
    const [before, done] = [await place.one('a'), await place.one('b')];
    deepEqual(await place.source.settle(place.collection, settled), [true, true]);
    const after = await place.one('a');
    const { timeMs, stamp } = after;
    deepEqual(after, { ...before, timeMs, stamp, mark: { ...before.mark, sent: true } });
    deepEqual(await place.one('b'), { ...done, mark: { ...done.mark, sent: true } });
    deepEqual(await place.source.settle(place.collection, settled), [false, false]);
  });

  test('a claim that is sent late begins its attempt then: a pending document is not stuck any more', async (place) => {
    await place.claim(await place.stuck(['a', 'b']));
    const timeMs = (await place.nowMs()) - 2 * HOUR;
    await place.put({ id: 'a', timeMs });
    await place.put({ id: 'b', status: 'failed_max_retries', timeMs });
    const settled = ['a', 'b'].map((id) => ({ id, event: `e-${id}`, to: 'sent' }) as const);
    deepEqual(await place.source.settle(place.collection, settled), [true, true]);
    deepEqual(await place.ids(STUCK), []);
    ok(Math.abs(Number((await place.one('a')).timeMs) - (await place.nowMs())) < HOUR);
    equal((await place.one('b')).timeMs, timeMs);
  });

  test('puts a claim back as it was', async (place) => {
    await place.put({ id: 'bare', status: 'processing' });
    const before = [...(await place.stuck(['a'])), await place.one('bare')];
    await place.claim(before);
    const back = before.map(
      ({ id, stamp }) => ({ id, event: `e-${id}`, to: 'put_back', stamp }) as const,
    );
    deepEqual(await place.source.settle(place.collection, back), [true, true]);
    deepEqual([await place.one('a'), await place.one('bare')], before);
    deepEqual(await place.claim(before), [true, true]);
  });

  test('drops the mark alone', async (place) => {
    await place.claim(await place.stuck(['a']));
    const { count, timeMs } = await place.one('a');
    const dropped = { id: 'a', event: 'e-a', to: 'dropped' } as const;
    deepEqual(await place.source.settle(place.collection, [dropped]), [true]);
    const after = await place.one('a');
    deepEqual([after.count, after.timeMs, after.mark], [count, timeMs, undefined]);
  });

  test('changes nothing where the claim is another one, or its document has moved on', async (place) => {
    const [a, b, c] = await place.stuck(['a', 'b', 'c']);
    ok(a && b && c);
    await place.claim([a, b]);
    await place.put({ id: 'b', status: 'processed' });
    const before = await Promise.all(['a', 'b', 'c'].map((id) => place.one(id)));
    const settlements = [
      { id: 'a', event: 'another', to: 'sent' },
      { id: 'a', event: 'another', to: 'dropped' },
      { id: 'b', event: 'e-b', to: 'put_back', stamp: b.stamp },
      { id: 'c', event: 'e-c', to: 'put_back', stamp: c.stamp },
      { id: 'gone', event: 'e-gone', to: 'sent' },
    ] as const;
    const answers = await place.source.settle(place.collection, settlements);
    deepEqual(answers, [false, false, false, false, false]);
    deepEqual(await Promise.all(['a', 'b', 'c'].map((id) => place.one(id))), before);
  });
}

export function recording(test: RegisterTest): void {
  const ERRORS = ['no answer', '$status', '{"$set":{"status":"x"}}', "it's; -- \\ ä€😀\n"];

  test('an attempt that begins: the time is now, and the count is raised unless it is counted already', async (place) => {
    const [a, b] = await place.stuck(['a', 'b']);
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
    await place.claim(await place.stuck(['a']));
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
    const documents = await place.stuck(ids);
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
    const documents = await place.stuck(ids);
    const failures = documents.map(({ id, stamp }) => ({ id, stamp, event: `f-${id}` }));
    const answers = await place.source.fail(place.collection, failures);
    deepEqual(
      answers,
      ids.map(() => true),
    );
  }

  test('fail sets status and mark, keeps count and time, and compares as claim does', async (place) => {
    const [a, b] = await place.stuck(['a', 'b']);
    ok(a && b);
    await place.put({ id: 'b', status: 'processed' });
    const failures = [a, b].map(({ id, stamp }) => ({ id, stamp, event: `f-${id}` }));
    deepEqual(await place.source.fail(place.collection, failures), [true, false]);
    const after = await place.one('a');
    deepEqual([after.status, after.count, after.timeMs], ['failed_max_retries', 2, a.timeMs]);
    deepEqual([after.mark?.event, after.mark?.sent], ['f-a', false]);
    equal((await place.one('b')).status, 'processed');
    deepEqual(await place.ids({ set: 'unsent', olderThanMs: 0 }), ['a']);
    const sent = { id: 'a', event: 'f-a', to: 'sent' } as const;
    deepEqual(await place.source.settle(place.collection, [sent]), [true]);
    deepEqual(await place.ids({ set: 'unsent', olderThanMs: 0 }), []);
  });

  test('reset makes failed documents pending, as never attempted', async (place) => {
    await failed(place, ['a']);
    await place.stuck(['b']);
    const resets = [{ id: 'a' }, { id: 'b' }, { id: 'gone' }];
    deepEqual(await place.source.reset(place.collection, resets), [true, false, false]);
    const { status, count, timeMs, mark } = await place.one('a');
    deepEqual([status, count, timeMs, mark], ['pending', 0, null, undefined]);
    equal((await place.one('b')).count, 2);
  });

  test('reset with an event claims them in the same step, and may be repeated', async (place) => {
    await failed(place, ['a']);
    const reset = { id: 'a', event: 'again' };
    deepEqual(await place.source.reset(place.collection, [reset]), [true]);
    const after = await place.one('a');
    deepEqual([after.status, after.count], ['pending', 1]);
    deepEqual([after.mark?.event, after.mark?.sent], ['again', true]);
    deepEqual(await place.source.reset(place.collection, [reset]), [true]);
    deepEqual(await place.one('a'), after);
    await place.put({ id: 'a', status: 'processed' });
    deepEqual(await place.source.reset(place.collection, [reset]), [false]);
  });

  test('remove deletes failed documents only, and archives them first where it is asked to', async (place) => {
    await failed(place, ['a', 'b']);
    await place.stuck(['c']);
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
