import { deepEqual, equal, ok } from 'node:assert/strict';
import { openAccount } from '@redrive/core/stored';
import { MAX_EARLIER_PAYLOADS, type Payload } from '@redrive/durable/store';
import { eventsOf, trailOf } from './audit-trail.ts';
import { act, claimOne, enqueue, find, leased, stateOf } from './commands.ts';
import { die } from './dying.ts';
import { same } from './plain.ts';
import { pruneAll } from './prune.ts';
import { decidedEnd, RETRYABLE, settle, settled, settlementFor } from './settlements.ts';
import type { FullStoreSuite } from './suite.ts';

const CHANGED = { ok: false, refusal: 'changed' };

function json(text: string): Payload {
  return { kind: 'json', text };
}

export function actTests({ test }: FullStoreSuite): void {
  test('reset gives fresh attempts to a job where it is', async ({ store, clock }) => {
    await settled(store, decidedEnd(await leased(store, 'tried'), RETRYABLE, clock.now()));
    await settled(store, settlementFor(await leased(store, 'parked'), 'parked', { dueInMs: 900 }));
    await die({ store, clock }, 'dead');
    await settled(store, settlementFor(await leased(store, 'cancelled'), 'cancelled'));
    await enqueue(store, 'ready');
    await enqueue(store, 'scheduled', { due: { inMs: 5_000 }, deadline: { inMs: 9_000 } });
    await clock.advance(10);
    for (const id of ['ready', 'scheduled', 'tried', 'parked', 'dead', 'cancelled']) {
      const { auditBlock: _old, ...before } = await find(store, id);
      deepEqual(await act(store, 'reset', id), { ok: true, state: before.state }, id);
      const { auditBlock: _new, ...after } = await find(store, id);
      const { generation, executions } = before.account;
      const expected = {
        ...before,
        revision: before.revision + 1,
        token: before.token + 1,
        account: { ...openAccount(), generation: generation + 1, executions },
        generationAtMs: clock.now(),
        retryCount: 0,
      };
      same(after, expected, id);
      equal((await eventsOf(store, id)).at(-1), 'reset');
    }
  });

  test('reset is refused for jobs that run, are done or were purged', async ({ store }) => {
    await leased(store, 'leased');
    await settled(store, settlementFor(await leased(store, 'succeeded'), 'succeeded'));
    await settled(store, settlementFor(await leased(store, 'purged'), 'dead'));
    await act(store, 'purge', 'purged');
    for (const id of ['leased', 'succeeded', 'purged']) {
      deepEqual(await act(store, 'reset', id), { ok: false, refusal: 'illegal' }, id);
      equal(await stateOf(store, id), id);
    }
    deepEqual(await act(store, 'reset', 'nobody'), { ok: false, refusal: 'not_found' });
  });

  test('a job that was reset has all its attempts again', async ({ store, clock }) => {
    await enqueue(store, 'job-1');
    for (let attempt = 0; attempt < 2; attempt++) {
      await settled(store, decidedEnd(await claimOne(store), RETRYABLE, clock.now()));
      await clock.advance(10_000);
    }
    await act(store, 'reset', 'job-1');
    for (let attempt = 0; attempt < 3; attempt++) {
      await settled(store, decidedEnd(await claimOne(store), RETRYABLE, clock.now()));
      await clock.advance(10_000);
    }
    const { state, account } = await find(store, 'job-1');
    same([state, account.generation, account.executions], ['dead', 2, 5]);
  });

  test('a generation that has passed is refused, for every act', async ({ store, clock }) => {
    await die({ store, clock }, 'job-1');
    const acts = ['cancel', 'run_now', 'unpark', 'requeue', 'reset', 'purge', 'restore'] as const;
    for (const generation of [0, 2]) {
      for (const what of acts) {
        deepEqual(await act(store, what, 'job-1', { generation }), CHANGED, what);
      }
    }
    deepEqual(await act(store, 'requeue', 'nobody', { generation: 1 }), {
      ok: false,
      refusal: 'not_found',
    });
    equal(await stateOf(store, 'job-1'), 'dead');
    ok((await act(store, 'requeue', 'job-1', { generation: 1 })).ok);
    deepEqual(await act(store, 'requeue', 'job-1', { generation: 1 }), CHANGED, 'twice');
    equal((await find(store, 'job-1')).account.generation, 2);
  });

  test('a wrong generation is refused before a unique key that is taken', async ({
    store,
    clock,
  }) => {
    await die({ store, clock }, 'job-1', { uniqueKey: 'u' });
    await enqueue(store, 'job-2', { uniqueKey: 'u' });
    deepEqual(await act(store, 'requeue', 'job-1', { generation: 7 }), CHANGED);
    deepEqual(await act(store, 'requeue', 'job-1', { generation: 1, payload: json('2') }), {
      ok: false,
      refusal: 'unique_conflict',
    });
    deepEqual(await store.earlierPayloads('job-1'), []);
  });

  test('an edited job runs with the new payload, and the old one is kept', async ({
    store,
    clock,
  }) => {
    const bytes = Uint8Array.of(0, 255, 1);
    await die({ store, clock }, 'job-1', { payload: { kind: 'bytes', bytes } });
    await clock.advance(5);
    const edited = json('{"fixed":"ä😀"}');
    ok((await act(store, 'requeue', 'job-1', { payload: edited, actor: { name: 'eve' } })).ok);
    const earlier = {
      generation: 1,
      payload: { kind: 'bytes', bytes },
      replacedAtMs: clock.now(),
      by: 'eve',
    };
    same(await store.earlierPayloads('job-1'), [earlier]);
    const job = await claimOne(store);
    same(job.payload, edited);
    const requeue = (await trailOf(store, 'job-1')).find(({ event }) => event === 'requeue');
    same(requeue?.detail, { by: 'eve', edited: true });
    ok(!JSON.stringify(await trailOf(store, 'job-1')).includes('fixed'), 'no payload in the log');

    await settled(store, settlementFor(job, 'dead'));
    const given = await store.earlierPayloads('job-1');
    const [first] = given;
    if (first?.payload.kind === 'bytes') first.payload.bytes[0] = 99;
    ok((await act(store, 'requeue', 'job-1')).ok);
    same(await store.earlierPayloads('job-1'), [earlier], 'only what was replaced');
    same((await find(store, 'job-1')).payload, edited);
  });

  test('the newest payloads that were replaced are kept, and go with the job', async ({
    store,
    clock,
  }) => {
    await enqueue(store, 'job-1', { payload: json('0') });
    const edits = MAX_EARLIER_PAYLOADS + 3;
    for (let edit = 1; edit <= edits; edit++) {
      await settled(store, settlementFor(await claimOne(store), 'dead'));
      await act(store, 'requeue', 'job-1', { payload: json(String(edit)) });
    }
    const kept = await store.earlierPayloads('job-1');
    deepEqual(
      kept.map(({ generation, payload }) => [generation, payload.kind === 'json' && payload.text]),
      Array.from({ length: MAX_EARLIER_PAYLOADS }, (_, index) => {
        const generation = edits - MAX_EARLIER_PAYLOADS + index + 1;
        return [generation, String(generation - 1)];
      }),
    );
    deepEqual(await store.earlierPayloads('nobody'), []);
    await act(store, 'cancel', 'job-1');
    await clock.advance(1);
    await pruneAll(store);
    deepEqual(await store.earlierPayloads('job-1'), []);
  });

  test('only a requeue takes a payload', async ({ store, clock }) => {
    await die({ store, clock }, 'job-1', { payload: json('1') });
    for (const what of ['reset', 'purge', 'restore'] as const) {
      ok((await act(store, what, 'job-1', { payload: json('2') })).ok, what);
    }
    same((await find(store, 'job-1')).payload, json('1'));
    deepEqual(await store.earlierPayloads('job-1'), []);
  });

  test('the operation that an act is part of stands in its record', async ({ store, clock }) => {
    await die({ store, clock }, 'job-1');
    await act(store, 'requeue', 'job-1', {
      operation: 'op-1',
      actor: { name: 'eve', why: 'fixed' },
    });
    same((await trailOf(store, 'job-1')).at(-1)?.detail, {
      by: 'eve',
      why: 'fixed',
      operation: 'op-1',
    });
  });

  test('a token from before a reset is worth nothing', async ({ store }) => {
    const job = await leased(store, 'job-1');
    await settled(store, settlementFor(job, 'ready'));
    await act(store, 'reset', 'job-1');
    const again = await claimOne(store);
    equal(again.token, job.token + 3);
    deepEqual(await settle(store, settlementFor(job, 'succeeded')), {
      ok: false,
      refusal: 'stale_token',
    });
  });
}
