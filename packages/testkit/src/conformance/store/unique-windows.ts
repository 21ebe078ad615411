import { deepEqual, equal } from 'node:assert/strict';
import type { PruneCommand } from '@redrive/durable/store';
import { ACTOR, act, claimedIds, enqueue, enqueueOf, find, leased, stateOf } from './commands.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

const HOUR_MS = 3_600_000;
const KEY = { uniqueKey: 'report 2026-11-16', uniqueForMs: HOUR_MS };
const PRUNE: PruneCommand = {
  kind: 'prune',
  ...{ succeededAfterMs: 0, cancelledAfterMs: 0, deadAfterMs: 0, purgedAfterMs: 0 },
  limit: 100,
  actor: ACTOR,
};
const created = (id: string) => ({ ok: true, id, outcome: 'created' });
const existing = (id: string) => ({ ok: true, id, outcome: 'existing' });

export function uniqueWindowTests({ test }: StoreSuite): void {
  for (const end of ['succeeded', 'dead', 'cancelled'] as const) {
    test(`hold the key when the job is ${end}, from its submission on`, async ({
      store,
      clock,
    }) => {
      const job = await leased(store, 'first', KEY);
      await clock.advance(1_000);
      await settled(store, settlementFor(job, end));
      deepEqual(await enqueue(store, 'second', KEY), existing('first'));
      deepEqual(await enqueue(store, 'second', { ...KEY, onConflict: 'refuse' }), {
        ok: false,
        refusal: 'unique_conflict',
        id: 'first',
      });
      clock.tick(HOUR_MS - 1_001);
      deepEqual(await enqueue(store, 'second', KEY), existing('first'));
      clock.tick(1);
      deepEqual(await enqueue(store, 'second', KEY), created('second'));
      equal(await stateOf(store, 'first'), end);
    });
  }

  test('hold the key after the job was purged and deleted', async ({ store, clock }) => {
    await settled(store, settlementFor(await leased(store, 'first', KEY), 'succeeded'));
    await act(store, 'purge', 'first');
    deepEqual(await enqueue(store, 'second', KEY), existing('first'));
    await clock.advance(1);
    await store.apply([PRUNE]);
    equal(await store.job('first'), undefined);
    deepEqual(await enqueue(store, 'second', KEY), existing('first'));
    clock.tick(HOUR_MS - 2);
    await store.apply([PRUNE]);
    deepEqual(await enqueue(store, 'second', KEY), existing('first'));
    clock.tick(1);
    await store.apply([PRUNE]);
    deepEqual(await enqueue(store, 'second', KEY), created('second'));
  });

  test('begin anew with the next job', async ({ store, clock }) => {
    await settled(store, settlementFor(await leased(store, 'first', KEY), 'succeeded'));
    clock.tick(HOUR_MS);
    await settled(store, settlementFor(await leased(store, 'second', KEY), 'succeeded'));
    clock.tick(HOUR_MS - 1);
    deepEqual(await enqueue(store, 'third', KEY), existing('second'));
    clock.tick(1);
    deepEqual(await enqueue(store, 'third', KEY), created('third'));
  });

  test('last as long as the earlier job said', async ({ store, clock }) => {
    await settled(store, settlementFor(await leased(store, 'first', KEY), 'succeeded'));
    clock.tick(HOUR_MS - 1);
    const short = { ...KEY, uniqueForMs: 1 };
    deepEqual(await enqueue(store, 'second', short), existing('first'));
    clock.tick(1);
    await settled(store, settlementFor(await leased(store, 'second', short), 'succeeded'));
    clock.tick(1);
    deepEqual(await enqueue(store, 'third', KEY), created('third'));
  });

  test('do not end while the job is unfinished', async ({ store, clock }) => {
    await enqueue(store, 'first', { ...KEY, due: { inMs: 3 * HOUR_MS } });
    clock.tick(2 * HOUR_MS);
    await store.apply([PRUNE]);
    deepEqual(await enqueue(store, 'second', KEY), existing('first'));
  });

  test('are not looked at, and not made, by a unique key alone', async ({ store }) => {
    const plain = { uniqueKey: KEY.uniqueKey };
    await settled(store, settlementFor(await leased(store, 'first', KEY), 'succeeded'));
    const second = await leased(store, 'second', plain);
    deepEqual(await enqueue(store, 'third', KEY), existing('second'));
    await settled(store, settlementFor(second, 'succeeded'));
    deepEqual(await enqueue(store, 'third', KEY), existing('first'));
  });

  test('are not taken by an enqueue that was not accepted', async ({ store }) => {
    const plain = { uniqueKey: KEY.uniqueKey };
    const first = await leased(store, 'first', plain);
    deepEqual(await enqueue(store, 'second', KEY), existing('first'));
    deepEqual(await enqueue(store, 'first', { ...KEY, onConflict: 'refuse' }), {
      ok: false,
      refusal: 'duplicate_id',
      id: 'first',
    });
    await settled(store, settlementFor(first, 'succeeded'));
    deepEqual(await enqueue(store, 'second', KEY), created('second'));
  });

  test('count from the submission of a job that was replaced', async ({ store, clock }) => {
    await enqueue(store, 'first', { ...KEY, due: { inMs: 500 } });
    clock.tick(HOUR_MS / 2);
    const replaced = await enqueue(store, 'second', { ...KEY, priority: 2, onConflict: 'replace' });
    deepEqual(replaced, { ok: true, id: 'first', outcome: 'replaced' });
    equal((await find(store, 'first')).priority, 2);
    await act(store, 'cancel', 'first');
    clock.tick(HOUR_MS / 2 - 1);
    deepEqual(await enqueue(store, 'third', KEY), existing('first'));
    clock.tick(1);
    deepEqual(await enqueue(store, 'third', KEY), created('third'));
  });

  test('leave a finished job as it is where a waiting one would be replaced', async ({ store }) => {
    await settled(store, settlementFor(await leased(store, 'first', KEY), 'succeeded'));
    const before = await find(store, 'first');
    const replace = { ...KEY, onConflict: 'replace' } as const;
    deepEqual(await enqueue(store, 'second', replace), existing('first'));
    const refused = { ok: false, refusal: 'unique_conflict', id: 'first' };
    deepEqual(await enqueue(store, 'second', { ...replace, tenant: 'umbrella' }), refused);
    deepEqual(await enqueue(store, 'second', { ...replace, handler: 'invoice' }), refused);
    same(await find(store, 'first'), before);
  });

  test('do not keep a dead job from being requeued', async ({ store }) => {
    await settled(store, settlementFor(await leased(store, 'first', KEY), 'dead'));
    deepEqual(await act(store, 'requeue', 'first'), { ok: true, state: 'ready' });
    deepEqual(await claimedIds(store), ['first']);
  });

  test('apply within one transaction, among many others', async ({ store }) => {
    await settled(
      store,
      settlementFor(await leased(store, 'first', { ...KEY, uniqueKey: 'b' }), 'succeeded'),
    );
    const results = await store.apply([
      enqueueOf('plain-1'),
      enqueueOf('a-1', { ...KEY, uniqueKey: 'a' }),
      enqueueOf('a-2', { ...KEY, uniqueKey: 'a' }),
      enqueueOf('b-1', { ...KEY, uniqueKey: 'b' }),
      enqueueOf('b-2', { uniqueKey: 'b' }),
      enqueueOf('c-1', { ...KEY, uniqueKey: 'c', due: { inMs: 500 } }),
      enqueueOf('c-2', { ...KEY, uniqueKey: 'c', onConflict: 'refuse' }),
      enqueueOf('plain-2'),
    ]);
    deepEqual(
      results.map((result) => [result.id, result.ok ? result.outcome : result.refusal]),
      [
        ['plain-1', 'created'],
        ['a-1', 'created'],
        ['a-1', 'existing'],
        ['first', 'existing'],
        ['b-2', 'created'],
        ['c-1', 'created'],
        ['c-1', 'unique_conflict'],
        ['plain-2', 'created'],
      ],
    );
  });

  test('are all taken by many new jobs of one transaction', async ({ store }) => {
    const commands = Array.from({ length: 20 }, (_, n) =>
      enqueueOf(`job-${n}`, { ...KEY, uniqueKey: `k-${n}` }),
    );
    for (const result of await store.apply(commands)) equal(result.ok && result.outcome, 'created');
    await Promise.all(commands.map(({ job }) => act(store, 'cancel', job.id)));
    const again = commands.map(({ job: { uniqueKey } }, n) =>
      enqueueOf(`again-${n}`, { ...KEY, uniqueKey }),
    );
    deepEqual(
      (await store.apply(again)).map((result) => result.id),
      commands.map(({ job }) => job.id),
    );
  });

  test('let one of fifty callers at once create the job', async ({ store }) => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) => enqueue(store, `job-${n}`, KEY)),
    );
    const made = results.filter((result) => result.ok && result.outcome === 'created');
    equal(made.length, 1);
    equal(new Set(results.map(({ id }) => id)).size, 1);
  });

  test('of a job that is dead from the start are not looked at', async ({ store }) => {
    await settled(store, settlementFor(await leased(store, 'first', KEY), 'succeeded'));
    const dead = { ...KEY, dead: { reason: 'final_error' } } as const;
    deepEqual(await enqueue(store, 'second', dead), created('second'));
  });

  test('differ in anything that differs', async ({ store }) => {
    const keys = `k|K|k | k|k/1|k%|k_|k'|k"|k\\`.split('|');
    keys.push('', 'é', 'e\u0301', '😀', 'a'.repeat(512), 'a'.repeat(511));
    const commands = keys.map((uniqueKey, n) =>
      enqueueOf(`job-${n}`, { ...KEY, uniqueKey, onConflict: 'refuse' }),
    );
    for (const result of await store.apply(commands))
      equal(result.ok, true, JSON.stringify(result));
  });
}
