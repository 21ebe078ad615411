import { deepEqual, equal } from 'node:assert/strict';
import { auditRecords, eventsOf } from './audit-trail.ts';
import { act, claimedIds, enqueue, enqueueOf, find, leased, stateOf } from './commands.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

const KEY = { uniqueKey: 'invoice-7' };

export function uniqueKeyTests({ test }: StoreSuite): void {
  test('answer with the job that has it', async ({ store }) => {
    await enqueue(store, 'first', KEY);
    const before = await find(store, 'first');
    deepEqual(await enqueue(store, 'second', { ...KEY, priority: 9 }), {
      ok: true,
      id: 'first',
      outcome: 'existing',
    });
    same(await find(store, 'first'), before);
    equal(await store.job('second'), undefined);
  });

  test('refuse a second job where that is wanted', async ({ store }) => {
    await enqueue(store, 'first', KEY);
    const refused = { ok: false, refusal: 'unique_conflict', id: 'first' };
    deepEqual(await enqueue(store, 'second', { ...KEY, onConflict: 'refuse' }), refused);
    equal(await store.job('second'), undefined);
  });

  test('replace a waiting job: payload, headers, tags, priority, due time and deadline', async ({
    store,
    clock,
  }) => {
    await enqueue(store, 'first', {
      ...KEY,
      tenant: 'acme',
      deadline: { inMs: 1_000 },
      due: { inMs: 500 },
    });
    const { auditBlock: _before, ...before } = await find(store, 'first');
    await clock.advance(10);
    const other = {
      payload: { kind: 'json', text: '[2]' },
      headers: { h: '2' },
      tags: ['new'],
      priority: 3,
    } as const;
    const result = await enqueue(store, 'second', {
      ...KEY,
      ...other,
      queue: 'other',
      tenant: 'acme',
      due: { inMs: 700 },
      deadline: { inMs: 9_000 },
      onConflict: 'replace',
    });
    deepEqual(result, { ok: true, id: 'first', outcome: 'replaced' });
    const { auditBlock: _after, ...after } = await find(store, 'first');
    same(after, {
      ...before,
      ...other,
      state: 'scheduled',
      dueAtMs: clock.now() + 700,
      deadlineMs: clock.now() + 9_000,
      revision: 2,
    });
    equal(await store.job('second'), undefined);
    deepEqual(await eventsOf(store, 'first'), ['enqueue', 'replace']);
  });

  test('replace leaves a record that names the queue, session and origin that the job keeps', async ({
    store,
  }) => {
    const origin = { rung: 'event', bus: 'main', source: 'orders' } as const;
    await enqueue(store, 'first', { ...KEY, due: { inMs: 500 } });
    await enqueue(store, 'second', {
      ...KEY,
      queue: 'other',
      sessionId: 'session-2',
      correlationId: 'correlation-2',
      traceId: 'trace-2',
      origin,
      priority: 3,
      onConflict: 'replace',
    });
    const { queue, sessionId, correlationId } = await find(store, 'first');
    const replaced = (await auditRecords(store)).find(({ event }) => event === 'replace');
    const { due: _due, ...detail } = replaced?.detail ?? {};
    deepEqual(
      { queue: detail.queue, session: detail.session ?? 'first', correlation: detail.correlation },
      { queue, session: sessionId, correlation: correlationId },
    );
    deepEqual(detail, { by: 'test', handler: 'resize', queue: 'default', priority: 3 });
  });

  for (const other of [{ handler: 'invoice' }, { tenant: 'umbrella' }, { tenant: '' }]) {
    const named = JSON.stringify(other);
    test(`never give a job the payload of another handler or tenant: ${named}`, async ({
      store,
    }) => {
      await enqueue(store, 'first', { ...KEY, tenant: 'acme', due: { inMs: 500 } });
      const before = await find(store, 'first');
      const refused = { ok: false, refusal: 'unique_conflict', id: 'first' };
      const wish = { ...KEY, tenant: 'acme', ...other, onConflict: 'replace' } as const;
      deepEqual(await enqueue(store, 'second', wish), refused);
      same(await find(store, 'first'), before);
      equal(await store.job('second'), undefined);
    });
  }

  test('replace a scheduled job by one that is ready, without a deadline', async ({ store }) => {
    await enqueue(store, 'first', { ...KEY, due: { inMs: 500 }, deadline: { inMs: 1_000 } });
    await enqueue(store, 'second', { ...KEY, onConflict: 'replace' });
    const { state, dueAtMs, deadlineMs } = await find(store, 'first');
    same({ state, dueAtMs, deadlineMs }, { state: 'ready' });
    deepEqual(await claimedIds(store), ['first']);
  });

  test('replace a ready job at another place in the queue', async ({ store }) => {
    await enqueue(store, 'first', KEY);
    await enqueue(store, 'other', { priority: 1 });
    await enqueue(store, 'second', { ...KEY, priority: 2, onConflict: 'replace' });
    deepEqual(await claimedIds(store), ['first', 'other']);
  });

  test('replace a parked job, which then waits for nothing', async ({ store }) => {
    const job = await leased(store, 'first', KEY);
    await settled(store, settlementFor(job, 'parked', { dueInMs: 5_000, cause: 'breaker_open' }));
    const { account } = await find(store, 'first');
    await enqueue(store, 'second', { ...KEY, onConflict: 'replace' });
    const after = await find(store, 'first');
    same([after.state, after.dueAtMs, after.cause], ['ready', undefined, undefined]);
    deepEqual(after.account, account);
  });

  test('leave a leased job as it is', async ({ store }) => {
    await leased(store, 'first', KEY);
    const before = await find(store, 'first');
    deepEqual(await enqueue(store, 'second', { ...KEY, onConflict: 'replace' }), {
      ok: true,
      id: 'first',
      outcome: 'existing',
    });
    same(await find(store, 'first'), before);
  });

  for (const end of ['succeeded', 'dead', 'cancelled'] as const) {
    test(`are free again when the job is ${end}`, async ({ store }) => {
      const job = await leased(store, 'first', KEY);
      await settled(store, settlementFor(job, end));
      const result = await enqueue(store, 'second', { ...KEY, onConflict: 'refuse' });
      deepEqual(result, { ok: true, id: 'second', outcome: 'created' });
    });
  }

  test('are held by a job that waits for its retry', async ({ store }) => {
    const job = await leased(store, 'first', KEY);
    await settled(store, settlementFor(job, 'scheduled', { dueInMs: 1_000 }));
    equal((await enqueue(store, 'second', { ...KEY, onConflict: 'refuse' })).ok, false);
  });

  test('keep a dead job from being requeued while another one has it', async ({ store }) => {
    await settled(store, settlementFor(await leased(store, 'first', KEY), 'dead'));
    await enqueue(store, 'second', KEY);
    const before = await find(store, 'first');
    deepEqual(await act(store, 'requeue', 'first'), { ok: false, refusal: 'unique_conflict' });
    same(await find(store, 'first'), before);
    await act(store, 'cancel', 'second');
    deepEqual(await act(store, 'requeue', 'first'), { ok: true, state: 'ready' });
    equal((await enqueue(store, 'third', { ...KEY, onConflict: 'refuse' })).ok, false);
  });

  test('are not taken by a purged job that is restored', async ({ store }) => {
    await settled(store, settlementFor(await leased(store, 'first', KEY), 'dead'));
    await act(store, 'purge', 'first');
    await enqueue(store, 'second', KEY);
    deepEqual(await act(store, 'restore', 'first'), { ok: true, state: 'dead' });
    equal(await stateOf(store, 'second'), 'ready');
  });

  test('apply within one transaction', async ({ store }) => {
    const results = await store.apply([
      enqueueOf('first', KEY),
      enqueueOf('second', KEY),
      enqueueOf('third', { ...KEY, onConflict: 'refuse' }),
      enqueueOf('fourth', { uniqueKey: 'another' }),
    ]);
    deepEqual(results, [
      { ok: true, id: 'first', outcome: 'created' },
      { ok: true, id: 'first', outcome: 'existing' },
      { ok: false, refusal: 'unique_conflict', id: 'first' },
      { ok: true, id: 'fourth', outcome: 'created' },
    ]);
  });

  test('let one of fifty callers at once create the job', async ({ store }) => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) => enqueue(store, `job-${n}`, KEY)),
    );
    const created = results.filter((result) => result.ok && result.outcome === 'created');
    equal(created.length, 1);
    equal(new Set(results.map(({ id }) => id)).size, 1);
  });

  test('differ in anything that differs', async ({ store }) => {
    const keys = `k|K|k | k|k/1|k%|k_|k'|k"|k\\`.split('|');
    keys.push('', 'é', 'e\u0301', '😀', 'a'.repeat(512), 'a'.repeat(511));
    const commands = keys.map((uniqueKey, n) =>
      enqueueOf(`job-${n}`, { uniqueKey, onConflict: 'refuse' }),
    );
    for (const result of await store.apply(commands))
      equal(result.ok, true, JSON.stringify(result));
  });
}
