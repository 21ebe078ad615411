import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { isRedriveError } from '@redrive/core';
import type { Store } from '@redrive/durable';
import { type JobFilter, MAX_JOB_SCAN } from '@redrive/durable/store';
import { act, enqueue, enqueueAll, find, leased } from './commands.ts';
import { plain, same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

/** The ids of all pages, in their order. */
async function listed(store: Store, filter: JobFilter, limit = 1_000): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = await store.jobs(filter, { limit, after });
    ok(page.jobs.length <= limit);
    ids.push(...page.jobs.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  return ids;
}

export function pagingTests({ test }: StoreSuite): void {
  test('goes from the newest submission to the oldest, every job once', async ({
    store,
    clock,
  }) => {
    for (let round = 0; round < 4; round++) {
      await enqueueAll(
        store,
        ['a', 'c', 'b'].map((name) => `${round}${name}`),
      );
      await clock.advance(1);
    }
    const all = await listed(store, {});
    deepEqual(all.map((id) => id[0]).join(''), '333222111000');
    equal(new Set(all).size, 12);
    for (const limit of [1, 2, 3, 5, 12]) {
      deepEqual(await listed(store, {}, limit), all, `${limit} per page`);
    }
  });

  test('answers with the states of jobs by their ids, and leaves out ids of no job', async ({
    store,
  }) => {
    const { id } = await leased(store, 'leased');
    await enqueueAll(store, ['ready', 'gone', 'cancelled']);
    await act(store, 'cancel', 'cancelled');
    await act(store, 'cancel', 'gone');
    await act(store, 'purge', 'gone');
    const states = await store.states([id, 'ready', 'cancelled', 'gone', 'nobody', 'ready']);
    deepEqual(Object.fromEntries(states), {
      ...{ leased: 'leased', ready: 'ready', cancelled: 'cancelled', gone: 'purged' },
    });
    equal((await store.states([])).size, 0);
    const many = Array.from({ length: 1_001 }, (_, n) => `j${n}`);
    await rejects(store.states(many), (error: unknown) => isRedriveError(error, 'invalid_option'));
  });

  test('lists the jobs of all handlers but some', async ({ store }) => {
    for (const handler of ['mail', 'report', 'sweep']) {
      await enqueueAll(store, [`${handler} 1`, `${handler} 2`], { handler });
    }
    const all = await listed(store, {});
    const without = (name: string) => all.filter((id) => !id.startsWith(name));
    deepEqual(await listed(store, { otherThan: [] }), all);
    deepEqual(await listed(store, { otherThan: ['sweep'] }), without('sweep'));
    deepEqual(await listed(store, { otherThan: ['mail', 'sweep'], handler: 'mail' }), []);
    deepEqual(await listed(store, { otherThan: ['sweep', 'none'] }, 1), without('sweep'));
  });

  test('has no next page when there is nothing on it', async ({ store }) => {
    deepEqual(plain(await store.jobs({}, { limit: 10 })), { jobs: [] });
    await enqueueAll(store, ['a', 'b']);
    equal((await store.jobs({}, { limit: 2 })).next, undefined);
    ok((await store.jobs({}, { limit: 1 })).next);
  });

  test('is not confused by jobs that come and go between two pages', async ({ store, clock }) => {
    for (const id of ['a', 'b', 'c', 'd']) {
      await enqueue(store, id);
      await clock.advance(1);
    }
    const first = await store.jobs({ states: ['ready'] }, { limit: 2 });
    await enqueueAll(store, ['e', 'f']);
    await act(store, 'cancel', 'c');
    const second = await store.jobs({ states: ['ready'] }, { limit: 2, after: first.next });
    deepEqual(
      [...first.jobs, ...second.jobs].map(({ id }) => id),
      ['d', 'c', 'b', 'a'],
    );
  });

  test('finds by state, handler, queue, tenant, tag, session and time', async ({
    store,
    clock,
  }) => {
    const startMs = clock.now();
    await enqueue(store, 'plain');
    await clock.advance(10);
    await enqueue(store, 'mail', { handler: 'mail', tags: ['urgent', 'x'] });
    await clock.advance(10);
    await enqueue(store, 'slow', { queue: 'slow', tenant: 'acme', tags: ['x'] });
    await clock.advance(10);
    await enqueue(store, 'handed', { sessionId: 's-1', due: { inMs: 5 }, handler: 'mail' });
    const cases: [JobFilter, string[]][] = [
      [{}, ['handed', 'slow', 'mail', 'plain']],
      [{ states: ['ready'] }, ['slow', 'mail', 'plain']],
      [{ states: ['scheduled', 'dead'] }, ['handed']],
      [{ states: [] }, []],
      [{ handler: 'mail' }, ['handed', 'mail']],
      [{ queue: 'slow' }, ['slow']],
      [{ tenant: 'acme' }, ['slow']],
      [{ tenant: '' }, ['handed', 'mail', 'plain']],
      [{ tag: 'x' }, ['slow', 'mail']],
      [{ tag: 'urgent' }, ['mail']],
      [{ tag: 'urg' }, []],
      [{ sessionId: 's-1' }, ['handed']],
      [{ sessionId: 'plain' }, ['plain']],
      [{ submittedAfterMs: startMs + 10 }, ['handed', 'slow', 'mail']],
      [{ submittedBeforeMs: startMs + 10 }, ['plain']],
      [{ submittedAfterMs: startMs + 1, submittedBeforeMs: startMs + 20 }, ['mail']],
      [{ handler: 'mail', states: ['ready'], tag: 'x' }, ['mail']],
      [{ handler: 'mail', tenant: 'acme' }, []],
    ];
    for (const [filter, ids] of cases) {
      const name = JSON.stringify(filter);
      deepEqual(await listed(store, filter), ids, name);
      deepEqual(await listed(store, filter, 1), ids, `${name}, one per page`);
    }
  });

  test('looks at a bounded number of jobs per page, however rare the filter', async ({
    store,
    clock,
  }) => {
    await enqueue(store, 'rare', {
      tags: ['rare'],
      tenant: 'acme',
      handler: 'mail',
      sessionId: 's-1',
    });
    await clock.advance(1);
    for (let from = 0; from < MAX_JOB_SCAN; from += 1_000) {
      await enqueueAll(
        store,
        Array.from({ length: 1_000 }, (_, n) => `job-${from + n}`),
      );
    }
    for (const filter of [{ tag: 'rare' }, { tenant: 'acme' }, { handler: 'mail' }]) {
      const words = JSON.stringify(filter);
      const first = await store.jobs(filter, { limit: 10 });
      deepEqual(first.jobs, [], words);
      ok(first.next, words);
      const second = await store.jobs(filter, { limit: 10, after: first.next });
      deepEqual(
        second.jobs.map(({ id }) => id),
        ['rare'],
        words,
      );
      equal(second.next, undefined, words);
      deepEqual(await listed(store, filter, 1), ['rare'], words);
    }
    deepEqual(await listed(store, { sessionId: 's-1' }), ['rare']);
    equal((await store.jobs({}, { limit: 10 })).jobs.length, 10);
    // All that is in the store would be read again.
    return 'unchecked';
  });

  test('shows purged jobs only when asked for', async ({ store, clock }) => {
    await settled(store, settlementFor(await leased(store, 'gone'), 'dead'));
    await clock.advance(1);
    await enqueue(store, 'here');
    await act(store, 'purge', 'gone');
    deepEqual(await listed(store, {}), ['here']);
    deepEqual(await listed(store, { handler: 'resize' }), ['here']);
    deepEqual(await listed(store, { states: ['purged'] }), ['gone']);
    deepEqual(await listed(store, { states: ['ready', 'purged'] }), ['here', 'gone']);
  });

  test('gives all of a job but payload, result, headers and attempts', async ({ store }) => {
    await enqueue(store, 'job-1', {
      tenant: 'acme',
      tags: ['x'],
      headers: { h: '1' },
      uniqueKey: 'u',
      limitKey: 'l',
      correlationId: 'c',
      deadline: { inMs: 5_000 },
    });
    const { payload: _p, headers: _h, attempts: _a, ...expected } = await find(store, 'job-1');
    same((await store.jobs({}, { limit: 1 })).jobs, [expected]);
  });

  test('refuses filters with unknown names and unknown states', async ({ store }) => {
    await enqueue(store, 'job-1');
    for (const filter of [{ handlr: 'mail' }, { state: 'dead' }, { states: ['ded'] }]) {
      // As plain JavaScript may pass it.
      const jobs = store.jobs(filter as JobFilter, { limit: 1 });
      await rejects(jobs, { code: 'invalid_option' }, Object.keys(filter).join());
    }
  });

  test('has 100 jobs per page unless its caller names a limit', async ({ store }) => {
    for (let n = 0; n < 101; n += 1) await enqueue(store, `job-${n}`);
    equal((await store.jobs({})).jobs.length, 100);
    const { next } = await store.jobs({}, {});
    equal((await store.jobs({}, { after: next })).jobs.length, 1);
  });

  test('takes 1 to 1,000 per page and its own marks', async ({ store }) => {
    const invalid = (error: unknown) => isRedriveError(error, 'invalid_option');
    for (const limit of [0, -1, 1_001, 1.5, Number.NaN]) {
      await rejects(store.jobs({}, { limit }), invalid, `${limit}`);
    }
    for (const after of ['', 'x', '5', "'; drop table jobs; --"]) {
      await rejects(store.jobs({}, { limit: 1, after }), invalid, after);
    }
    // As plain JavaScript may pass it.
    await rejects(store.jobs({}, { limt: 1 } as object), invalid, 'limt');
    await rejects(store.finished(Array.from({ length: 1_001 }, (_, n) => `${n}`)), invalid);
  });
}
