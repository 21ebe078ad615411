import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { isRedriveError } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import type { DeadFilter } from '@redrive/durable/dead-letters';
import type { DeadPageRequest } from '@redrive/durable/store';
import { EXPIRED_GROUP, MAX_DEAD_COUNT, summaryOf } from '@redrive/durable/store';
import { act, claimOne, enqueue, enqueueAll, find, leased, tick } from './commands.ts';
import { die, dieInTurn } from './dying.ts';
import { same } from './plain.ts';
import { decidedEnd, RETRYABLE, settled, settlementFor } from './settlements.ts';
import type { FullStoreSuite } from './suite.ts';

/** The ids of all pages, in their order. A page may be empty and still have a next one. */
export async function deadIds(
  store: FullStore,
  filter: DeadFilter = {},
  page: Partial<DeadPageRequest> = {},
): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const { limit = 1_000, first } = page;
    const { jobs, next } = await store.deadLetters(filter, { limit, first, after });
    ok(jobs.length <= limit);
    ids.push(...jobs.map(({ id }) => id));
    after = next;
  } while (after !== undefined);
  return ids;
}

const invalid = (error: unknown) => isRedriveError(error, 'invalid_option');

export function deadLetterTests({ test }: FullStoreSuite): void {
  test('are in the order of their deaths, then of their ids, every one once', async ({
    store,
    clock,
  }) => {
    for (let round = 0; round < 3; round++) {
      const names = ['b', 'é', 'a', '😀', 'B'].map((name) => `${round}${name}`);
      for (const id of names) await die({ store, clock }, id);
      await clock.advance(1);
    }
    const oldest = [0, 1, 2].flatMap((round) =>
      ['B', 'a', 'b', 'é', '😀'].map((name) => `${round}${name}`),
    );
    for (const limit of [1, 2, 4, 5, 15, 1_000]) {
      const words = `${limit} per page`;
      deepEqual(await deadIds(store, {}, { limit, first: 'oldest' }), oldest, words);
      deepEqual(await deadIds(store, {}, { limit }), oldest.toReversed(), words);
      deepEqual(await deadIds(store, {}, { limit, first: 'newest' }), oldest.toReversed(), words);
    }
  });

  test('are not found by a filter with an unknown name', async ({ store, clock }) => {
    await die({ store, clock }, 'job-1');
    // As plain JavaScript may pass it.
    const filter = { handlr: 'mail' } as DeadFilter;
    await rejects(store.deadLetters(filter, { limit: 1 }), invalid);
    await rejects(store.countDead(filter, 1), invalid);
    await rejects(store.deadGroups(filter, { limit: 1 }), invalid);
    await rejects(store.deadLetters({}, { fist: 'oldest' } as object), invalid);
  });

  test('are the dead jobs, and no others', async ({ store, clock }) => {
    await dieInTurn({ store, clock }, { dead: {}, requeued: {}, purged: {}, restored: {} });
    await settled(store, settlementFor(await leased(store, 'succeeded'), 'succeeded'));
    await settled(store, settlementFor(await leased(store, 'cancelled'), 'cancelled'));
    await act(store, 'requeue', 'requeued');
    await act(store, 'purge', 'purged');
    await act(store, 'purge', 'restored');
    deepEqual(await deadIds(store), ['dead']);
    await act(store, 'restore', 'restored');
    deepEqual(await deadIds(store), ['restored', 'dead']);
    deepEqual(await store.countDead({}, 10), { count: 2, bounded: false });
    same(
      [(await find(store, 'purged')).fingerprint, (await find(store, 'restored')).fingerprint],
      Array(2).fill((await find(store, 'dead')).fingerprint),
    );
    same((await find(store, 'requeued')).fingerprint, undefined);
  });

  test('are lines of a list, as in other lists', async ({ store, clock }) => {
    await die({ store, clock }, 'a', { tags: ['x'], tenant: 't', message: 'no luck at all' });
    const job = await find(store, 'a');
    same((await store.deadLetters({}, { limit: 1 })).jobs, [summaryOf(job)]);
    same((await store.deadLetters({})).jobs, [summaryOf(job)]);
    equal(summaryOf(job).lastError?.message, 'no luck at all');
  });

  test('are found by everything that a filter can say', async ({ store, clock }) => {
    const startMs = await dieInTurn(
      { store, clock },
      {
        plain: {},
        mail: { handler: 'mail', tags: ['urgent', 'x'], message: 'smtp 550 Mailbox Unknown' },
        slow: { queue: 'slow', tenant: 'acme', tags: ['x'], message: '100% of a_b\\c' },
        handed: { sessionId: 's-1', handler: 'mail', message: 'smtp 550 mailbox unknown' },
      },
    );
    await enqueue(store, 'tried');
    for (let attempt = 0; attempt < 3; attempt++) {
      await settled(store, decidedEnd(await claimOne(store), RETRYABLE, clock.now()));
      await clock.advance(60_000);
    }
    const { fingerprint } = await find(store, 'mail');
    ok(fingerprint?.startsWith('fp1:'));
    const cases: [DeadFilter, string[]][] = [
      [{}, ['tried', 'handed', 'slow', 'mail', 'plain']],
      [{ handler: 'mail' }, ['handed', 'mail']],
      [{ handler: 'mai' }, []],
      [{ queue: 'slow' }, ['slow']],
      [{ handler: 'resize', queue: 'default' }, ['tried', 'plain']],
      [{ tenant: 'acme' }, ['slow']],
      [{ tenant: '' }, ['tried', 'handed', 'mail', 'plain']],
      [{ tag: 'x' }, ['slow', 'mail']],
      [{ tag: 'urg' }, []],
      [{ sessionId: 's-1' }, ['handed']],
      [{ fingerprint }, ['handed', 'mail']],
      [{ fingerprint, sessionId: 's-1' }, ['handed']],
      [{ fingerprint: 'fp1:nobody' }, []],
      [{ reason: 'max_attempts_exceeded' }, ['tried']],
      [{ errorClass: 'final' }, ['handed', 'slow', 'mail', 'plain']],
      [{ text: 'MAILBOX unk' }, ['handed', 'mail']],
      [{ text: 'mailbox', handler: 'resize' }, []],
      [{ text: 'error: no luck' }, ['tried', 'plain']],
      [{ text: '% of a_b\\' }, ['slow']],
      [{ text: '%' }, ['slow']],
      [{ text: '_' }, ['slow']],
      [{ text: 'a%b' }, []],
      [{ text: "'" }, []],
      [{ diedAfterMs: startMs + 3 }, ['tried', 'handed', 'slow']],
      [{ diedBeforeMs: startMs + 3 }, ['mail', 'plain']],
      [{ diedAfterMs: startMs + 2, diedBeforeMs: startMs + 4 }, ['slow', 'mail']],
      [{ tag: 'x', diedBeforeMs: startMs + 3, text: 'smtp' }, ['mail']],
    ];
    for (const [filter, ids] of cases) {
      const words = JSON.stringify(filter);
      deepEqual(await deadIds(store, filter), ids, words);
      deepEqual(await deadIds(store, filter, { limit: 1 }), ids, `${words}, one per page`);
      deepEqual(await deadIds(store, filter, { first: 'oldest', limit: 2 }), ids.toReversed());
      same(await store.countDead(filter, 100), { count: ids.length, bounded: false }, words);
    }
  });

  test('of two pages do not change places when others come and go', async ({ store, clock }) => {
    await dieInTurn({ store, clock }, { a: {}, b: {}, c: {}, d: {} });
    const { jobs, next } = await store.deadLetters({}, { limit: 2 });
    await dieInTurn({ store, clock }, { e: {} });
    await act(store, 'requeue', 'c');
    await act(store, 'purge', 'b');
    const rest = await store.deadLetters({}, { limit: 2, after: next });
    deepEqual(
      [...jobs, ...rest.jobs].map(({ id }) => id),
      ['d', 'c', 'a'],
    );
    equal(rest.next, undefined);
  });

  test('are counted up to a bound', async ({ store, clock }) => {
    const ids = Array.from({ length: 7 }, (_, n) => `job-${n}`);
    for (const id of ids) await die({ store, clock }, id);
    deepEqual(await store.countDead({}, 6), { count: 6, bounded: true });
    deepEqual(await store.countDead({}, 8), { count: 7, bounded: false });
    deepEqual(await store.countDead({ handler: 'mail' }, 1), { count: 0, bounded: false });
    deepEqual(await store.countDead({ tag: 'x' }, MAX_DEAD_COUNT), { count: 0, bounded: false });
  });

  test('are a thousand on a page at most', async ({ store, clock }) => {
    const ids = Array.from({ length: 1_001 }, (_, n) => `job-${String(n).padStart(4, '0')}`);
    await enqueueAll(store, ids.slice(0, 600), { deadline: { inMs: 5 } });
    await enqueueAll(store, ids.slice(600), { deadline: { inMs: 5 } });
    await clock.advance(5);
    while ((await tick(store)).expired > 0);
    const page = await store.deadLetters({}, { limit: 1_000, first: 'oldest' });
    deepEqual(
      page.jobs.map(({ id }) => id),
      ids.slice(0, 1_000),
    );
    deepEqual(await deadIds(store, { fingerprint: EXPIRED_GROUP.fingerprint }, { limit: 999 }), [
      ...ids.toReversed(),
    ]);
  });

  test('refuse pages, counts and texts out of their bounds, and marks that are none', async ({
    store,
  }) => {
    for (const limit of [0, -1, 1_001, 1.5, Number.NaN]) {
      await rejects(store.deadLetters({}, { limit }), invalid, `${limit} letters`);
    }
    for (const limit of [0, 101, 1.5]) {
      await rejects(store.deadGroups({}, { limit }), invalid, `${limit} groups`);
    }
    for (const atMost of [0, MAX_DEAD_COUNT + 1, 0.5]) {
      await rejects(store.countDead({}, atMost), invalid, `${atMost}`);
    }
    await rejects(store.deadLetters({}, { limit: 1, after: 'nonsense' }), invalid);
    await rejects(store.deadGroups({}, { limit: 1, after: 'nonsense' }), invalid);
    const text = 'x'.repeat(201);
    await rejects(store.deadLetters({ text }, { limit: 1 }), invalid);
    await rejects(store.deadGroups({ text }, { limit: 1 }), invalid);
    await rejects(store.countDead({ text }, 1), invalid);
    deepEqual(await deadIds(store, { text: text.slice(1) }), []);
  });
}
