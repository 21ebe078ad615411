import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { Ledger } from '@redrive/core';
import { isRedriveError } from '@redrive/core';
import { same } from './plain.ts';
import { pruneAll } from './prune.ts';
import type { FullStoreSuite } from './suite.ts';

const REQUEST = { fingerprint: 'f', leaseMs: 1_000 };
const DAY_MS = 86_400_000;

async function hold(ledger: Ledger, key: string): Promise<number> {
  const reservation = await ledger.reserve(key, REQUEST);
  ok(reservation.state === 'reserved', `${key} is ${reservation.state}`);
  return reservation.token;
}

async function done(ledger: Ledger, key: string, value: unknown): Promise<number> {
  const token = await hold(ledger, key);
  equal(await ledger.complete(key, token, value), true);
  return token;
}

/** The promises of a store's ledger beyond those of every ledger. */
export function ledgerTests({ test }: FullStoreSuite): void {
  test('keeps values as JSON, each answer a new one', async ({ store }) => {
    const ledger = store.ledger();
    const given = { at: new Date(0), list: [1, undefined], gone: undefined, text: '\u0000é😀' };
    await done(ledger, 'k', given);
    given.list.push(2);
    const kept = { at: '1970-01-01T00:00:00.000Z', list: [1, null], text: '\u0000é😀' };
    const first = await ledger.reserve('k', REQUEST);
    deepEqual(first, { state: 'done', value: kept });
    if (first.state === 'done') Object.assign(first.value ?? {}, { changed: true });
    deepEqual(await ledger.reserve('k', REQUEST), { state: 'done', value: kept });
    const entry = await ledger.look('k');
    deepEqual(entry?.state === 'done' && entry.value, kept);
  });

  test('distinguishes undefined from null', async ({ store }) => {
    const ledger = store.ledger();
    await done(ledger, 'undefined', undefined);
    await done(ledger, 'null', null);
    deepEqual(await ledger.reserve('undefined', REQUEST), { state: 'done', value: undefined });
    deepEqual(await ledger.reserve('null', REQUEST), { state: 'done', value: null });
  });

  test('writes nothing of a value that is too large or no JSON', async ({ store }) => {
    const ledger = store.ledger({ maxValueBytes: 12 });
    const token = await hold(ledger, 'k');
    const before = await ledger.look('k');
    // 11 characters in quotation marks are 13 bytes, 6 of two bytes each 14.
    for (const value of ['x'.repeat(11), 'é'.repeat(6)]) {
      await rejects(ledger.complete('k', token, value), { code: 'payload_too_large' });
    }
    const loop: { self?: unknown } = {};
    loop.self = loop;
    for (const value of [loop, 1n, () => 1]) {
      await rejects(ledger.complete('k', token, value), { code: 'invalid_option' });
    }
    deepEqual(await ledger.look('k'), before);
    equal(await ledger.complete('k', token, 'x'.repeat(10)), true);
  });

  test('keeps a value of a mebibyte, and no larger one, unless `maxValueBytes` allows it', async ({
    store,
  }) => {
    const ledger = store.ledger();
    const large = 'x'.repeat(2 ** 20 - 2);
    await done(ledger, 'k', large);
    deepEqual(await ledger.reserve('k', REQUEST), { state: 'done', value: large });
    const token = await hold(ledger, 'larger');
    await rejects(ledger.complete('larger', token, `${large}x`), { code: 'payload_too_large' });
  });

  test('refuses keys, fingerprints and options out of their bounds', async ({ store }) => {
    const invalid = (error: unknown) => isRedriveError(error, 'invalid_option');
    const ledger = store.ledger();
    for (const key of ['', 'x'.repeat(513), 'a\u0000b', 'half \ud800']) {
      await rejects(ledger.reserve(key, REQUEST), invalid, JSON.stringify(key));
    }
    await rejects(ledger.reserve('k', { ...REQUEST, fingerprint: 'x'.repeat(513) }), invalid);
    equal((await ledger.reserve('x'.repeat(512), REQUEST)).state, 'reserved');
    for (const options of [{ retentionMs: 0 }, { maxValueBytes: 0 }, { maxValueBytes: 1.5 }]) {
      await rejects(async () => store.ledger(options), invalid);
    }
  });

  test('is one, however many ask for it', async ({ store }) => {
    await done(store.ledger(), 'k', 1);
    deepEqual(await store.ledger().reserve('k', REQUEST), { state: 'done', value: 1 });
  });

  test('masks and cuts the messages of failures', async ({ store }) => {
    const ledger = store.ledger();
    const message = `postgres://user:hunter2@db/x refused ${'x'.repeat(5_000)}`;
    await ledger.fail('k', await hold(ledger, 'k'), { type: 'Error', message });
    const entry = await ledger.look('k');
    ok(entry?.state === 'failed');
    ok(!entry.error.message.includes('hunter2'), entry.error.message);
    ok(entry.error.message.length <= 500);
  });

  test('goes by the store’s clock, wherever it jumps', async ({ store, clock }) => {
    const ledger = store.ledger();
    await hold(ledger, 'k');
    clock.setWall(clock.now() + 999);
    deepEqual(await ledger.reserve('k', REQUEST), { state: 'in_progress', leaseLeftMs: 1 });
    clock.setWall(clock.now() + 1);
    await hold(ledger, 'k');
  });

  test('forgets finished keys after their time, and tokens still rise', async ({
    store,
    clock,
  }) => {
    const ledger = store.ledger({ retentionMs: 100 });
    const first = await done(ledger, 'done', 1);
    const failed = await hold(ledger, 'failed');
    await ledger.fail('failed', failed, { type: 'Error', message: '' });
    await clock.advance(99);
    equal((await ledger.look('done'))?.state, 'done');
    equal((await ledger.look('failed'))?.state, 'failed');
    await clock.advance(1);
    equal(await ledger.look('done'), undefined);
    equal(await ledger.look('failed'), undefined);
    const second = await ledger.reserve('done', { ...REQUEST, fingerprint: 'another' });
    ok(second.state === 'reserved' && second.token > failed && second.token > first);
    await ledger.clear('done');
    const third = await hold(ledger, 'done');
    ok(third > second.token);
    await pruneAll(store);
    equal((await ledger.look('done'))?.state, 'in_progress');
  });

  test('keeps tokens rising also when retention has deleted everything', async ({
    store,
    clock,
  }) => {
    const ledger = store.ledger({ retentionMs: 10 });
    const before = await done(ledger, 'k', 1);
    await clock.advance(10);
    await pruneAll(store);
    equal(await ledger.look('k'), undefined);
    ok((await hold(ledger, 'k')) > before);
  });

  test('forgets a key of a lost holder when `retentionMs` has passed since its lease', async ({
    store,
    clock,
  }) => {
    const ledger = store.ledger({ retentionMs: 100 });
    const token = await hold(ledger, 'k');
    await clock.advance(REQUEST.leaseMs + 99);
    equal((await ledger.look('k'))?.state, 'in_progress');
    await clock.advance(1);
    equal(await ledger.look('k'), undefined);
    equal(await ledger.complete('k', token, 1), false);
    await pruneAll(store);
    ok((await hold(ledger, 'k')) > token);
  });

  test('keeps finished keys for thirty days, or for ever', async ({ store, clock }) => {
    await done(store.ledger(), 'k', 1);
    await done(store.ledger({ retentionMs: Number.POSITIVE_INFINITY }), 'ever', 1);
    await done(store.ledger({ retentionMs: Number.MAX_VALUE }), 'as good as ever', 1);
    await clock.advance(30 * DAY_MS - 1);
    await pruneAll(store);
    equal((await store.ledger().look('k'))?.state, 'done');
    await clock.advance(1);
    await pruneAll(store);
    equal(await store.ledger().look('k'), undefined);
    for (const key of ['ever', 'as good as ever']) {
      equal((await store.ledger().look(key))?.state, 'done');
    }
  });

  test('runs an effect once for a hundred callers with one key', async ({ store }) => {
    let runs = 0;
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        store.ledger().once({ key: 'k' }, async () => {
          runs += 1;
          return { run: runs };
        }),
      ),
    );
    equal(runs, 1);
    for (const answer of answers) deepEqual(answer, { run: 1 });
  });

  test('leaves nothing in the audit log, and no job', async ({ store }) => {
    await done(store.ledger(), 'k', 1);
    deepEqual(await store.auditBlocks(0, 10), []);
    deepEqual((await store.jobs({}, { limit: 1 })).jobs, []);
  });

  test('keeps its keys when the store is opened anew', async ({ store, clock, reopen }) => {
    if (reopen === undefined) return;
    const token = await done(store.ledger(), 'k', { a: 1 });
    const held = await hold(store.ledger(), 'held');
    const again = await reopen();
    const ledger = again.ledger();
    same(await ledger.reserve('k', REQUEST), { state: 'done', value: { a: 1 } });
    equal(await ledger.complete('held', held, 'late'), true);
    ok((await hold(ledger, 'new')) > Math.max(token, held));
    await clock.advance(1);
    return again;
  });

  test('ends with the store', async ({ store }) => {
    const ledger = store.ledger();
    await store.close();
    const closed = { code: 'store_unavailable' };
    await rejects(ledger.reserve('k', REQUEST), closed);
    await rejects(ledger.look('k'), closed);
    await rejects(ledger.clear('k'), closed);
    await rejects(store.deadLetters({}, { limit: 1 }), closed);
    await rejects(store.actSubjects(['x']), closed);
    await rejects(store.operation('x'), closed);
    return 'unchecked';
  });
}
