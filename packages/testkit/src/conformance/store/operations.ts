import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { FullStore } from '@redrive/durable';
import { type ActCommand, OPERATION_KEPT_MS, type OperationStep } from '@redrive/durable/store';
import { auditRecords } from './audit-trail.ts';
import { act, enqueue, find, leased, stateOf } from './commands.ts';
import { dieInTurn } from './dying.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { FullStoreSuite } from './suite.ts';

const EVE = { name: 'cli:eve@host', why: 'the cause is fixed' };
const REQUEST = JSON.stringify({ act: 'requeue', filter: { handler: 'resize' } });

function requeue(id: string): ActCommand {
  return { kind: 'act', act: 'requeue', id, actor: EVE, generation: 1, operation: 'op-1' };
}

function stepOf(revision: number, with_: Partial<OperationStep> = {}): OperationStep {
  return { id: 'op-1', revision, acts: [], finished: false, ...with_ };
}

async function begin(store: FullStore) {
  return store.beginOperation({ id: 'op-1', request: REQUEST, actor: EVE });
}

/** The notes about the operation. */
async function notes(store: FullStore) {
  const records = await auditRecords(store);
  return records
    .filter(({ id }) => id === 'operation:op-1')
    .map(({ event, detail }) => [event, detail]);
}

const BEGUN = ['act', { by: EVE.name, why: EVE.why, request: JSON.parse(REQUEST) }];

export function operationTests({ test }: FullStoreSuite): void {
  test('begin once, also when another caller submits them again', async ({ store, clock }) => {
    equal(await store.operation('op-1'), undefined);
    const first = await begin(store);
    same(first, {
      id: 'op-1',
      revision: 1,
      request: REQUEST,
      state: 'running',
      acted: 0,
      refused: 0,
      by: EVE.name,
      why: EVE.why,
      startedAtMs: clock.now(),
      updatedAtMs: clock.now(),
    });
    await clock.advance(10);
    const again = await store.beginOperation({
      id: 'op-1',
      request: REQUEST,
      actor: { name: 'bob' },
    });
    same(again, first);
    same(await store.operation('op-1'), first);
    same(await notes(store), [BEGUN]);
  });

  test('begin once also when many submit them at the same time', async ({ store }) => {
    const all = await Promise.all(Array.from({ length: 10 }, () => begin(store)));
    for (const one of all) same(one, all[0]);
    equal((await notes(store)).length, 1);
  });

  test('do not take the id of another one', async ({ store }) => {
    await begin(store);
    const other = { id: 'op-1', request: '{"act":"purge"}', actor: EVE };
    await rejects(store.beginOperation(other), { code: 'operation_conflict' });
    equal((await store.operation('op-1'))?.request, REQUEST);
  });

  test('refuse ids and requests out of their bounds', async ({ store }) => {
    const good = { id: 'op-1', request: '{}', actor: EVE };
    for (const bad of [{ id: '' }, { id: 'x'.repeat(201) }, { request: '{' }]) {
      await rejects(store.beginOperation({ ...good, ...bad }), { code: 'invalid_option' });
    }
    const request = JSON.stringify('x'.repeat(20_000));
    await rejects(store.beginOperation({ ...good, request }), { code: 'invalid_option' });
    equal(await store.operation('op-1'), undefined);
  });

  test('go on step by step, acts and progress together', async ({ store, clock }) => {
    await dieInTurn({ store, clock }, { a: {}, b: { uniqueKey: 'u' }, c: {} });
    await enqueue(store, 'holder', { uniqueKey: 'u' });
    const { revision, startedAtMs } = await begin(store);
    await clock.advance(10);
    const first = await store.stepOperation(
      stepOf(revision, { acts: [requeue('a'), requeue('b')], cursor: 'after b' }),
    );
    ok(first.ok);
    same(first.results, [
      { ok: true, state: 'ready' },
      { ok: false, refusal: 'unique_conflict' },
    ]);
    const { operation } = first;
    same(
      [operation.acted, operation.refused, operation.cursor, operation.state],
      [1, 1, 'after b', 'running'],
    );
    deepEqual([operation.startedAtMs, operation.updatedAtMs], [startedAtMs, clock.now()]);
    same(await store.operation('op-1'), operation);
    const last = await store.stepOperation(
      stepOf(operation.revision, { acts: [requeue('c'), requeue('a')], finished: true }),
    );
    ok(last.ok);
    same(last.results[1], { ok: false, refusal: 'changed' });
    same(
      [last.operation.acted, last.operation.refused, last.operation.cursor, last.operation.state],
      [2, 2, undefined, 'finished'],
    );
    same(await notes(store), [
      BEGUN,
      ['act', { by: EVE.name, why: EVE.why, acted: 2, refused: 2 }],
    ]);
    same(await begin(store), last.operation);
  });

  test('do nothing for a step that somebody else has taken', async ({ store, clock }) => {
    await dieInTurn({ store, clock }, { a: {}, b: {} });
    const { revision } = await begin(store);
    const step = stepOf(revision, { acts: [requeue('a')], cursor: 'a' });
    ok((await store.stepOperation(step)).ok);
    const operation = await store.operation('op-1');
    same(await store.stepOperation({ ...step, acts: [requeue('b')] }), {
      ok: false,
      refusal: 'stale_revision',
      operation,
    });
    equal(await stateOf(store, 'b'), 'dead');
    const end = stepOf(operation?.revision ?? 0, { finished: true });
    ok((await store.stepOperation(end)).ok);
    const finished = await store.operation('op-1');
    for (const late of [revision, finished?.revision ?? 0]) {
      const answer = await store.stepOperation(stepOf(late, { acts: [requeue('b')] }));
      same(answer, { ok: false, refusal: 'finished', operation: finished });
    }
    same(await store.stepOperation(stepOf(1, { id: 'nobody', acts: [requeue('b')] })), {
      ok: false,
      refusal: 'not_found',
    });
    equal(await stateOf(store, 'b'), 'dead');
  });

  test('take one of many steps that come at the same time', async ({ store, clock }) => {
    await dieInTurn({ store, clock }, { a: {} });
    const { revision } = await begin(store);
    const step = stepOf(revision, { acts: [requeue('a')] });
    const all = await Promise.all(Array.from({ length: 10 }, () => store.stepOperation(step)));
    equal(all.filter(({ ok: taken }) => taken).length, 1);
    const { acted, refused } = (await store.operation('op-1')) ?? {};
    deepEqual([acted, refused], [1, 0]);
    equal((await find(store, 'a')).account.generation, 2);
  });

  test('take no more than a thousand acts at once', async ({ store }) => {
    const { revision } = await begin(store);
    const acts = Array.from({ length: 1_001 }, (_, n) => requeue(`job-${n}`));
    await rejects(store.stepOperation(stepOf(revision, { acts })), { code: 'invalid_option' });
    const answer = await store.stepOperation(stepOf(revision, { acts: acts.slice(1) }));
    ok(answer.ok);
    deepEqual([answer.results.length, answer.operation.refused], [1_000, 1_000]);
  });

  test('are still there when the store is opened anew', async ({ store, clock, reopen }) => {
    await dieInTurn({ store, clock }, { a: {}, b: {} });
    const { revision } = await begin(store);
    await store.stepOperation(stepOf(revision, { acts: [requeue('a')], cursor: 'after a' }));
    const before = await store.operation('op-1');
    if (reopen === undefined) return;
    const again = await reopen();
    same(await begin(again), before);
    await act(again, 'purge', 'b');
    return again;
  });

  test('are listed, the newest first, page by page', async ({ store, clock }) => {
    same(await store.operations({ limit: 10 }), { operations: [], next: undefined });
    const begun = [];
    for (const id of ['b', 'a', 'c']) {
      begun.push(await store.beginOperation({ id, request: '{}', actor: EVE }));
      // The first two at the same time: then by id, from the last.
      if (id !== 'b') await clock.advance(5);
    }
    const [b, a, c] = begun;
    const first = await store.operations({ limit: 2 });
    same(first.operations, [c, b]);
    ok(first.next !== undefined);
    same(await store.operations({ limit: 2, after: first.next }), {
      operations: [a],
      next: undefined,
    });
    same((await store.operations({ limit: 3 })).next, undefined);
    for (const page of [{ limit: 0 }, { limit: 1_001 }, { limit: 1, after: 'nonsense' }]) {
      await rejects(store.operations(page), { code: 'invalid_option' });
    }
  });

  test('are forgotten a month after their end, and then act again', async ({ store, clock }) => {
    const { revision } = await begin(store);
    const running = await store.beginOperation({ id: 'runs', request: '{}', actor: EVE });
    ok((await store.stepOperation(stepOf(revision, { finished: true }))).ok);
    const never = Number.MAX_SAFE_INTEGER;
    const prune = async (): Promise<void> => {
      const kept = { succeededAfterMs: never, cancelledAfterMs: never, deadAfterMs: never };
      const command = { kind: 'prune', ...kept, purgedAfterMs: never, limit: 10 } as const;
      await store.apply([{ ...command, actor: EVE }]);
    };
    await clock.advance(OPERATION_KEPT_MS - 1);
    await prune();
    equal((await store.operation('op-1'))?.state, 'finished');
    await clock.advance(1);
    await prune();
    equal(await store.operation('op-1'), undefined);
    same(await store.operation('runs'), running);
    equal((await begin(store)).state, 'running');
  });

  test('read the standings of their jobs', async ({ store, clock }) => {
    same(await store.standings([]), []);
    await dieInTurn({ store, clock }, { dead: {}, sent: {} });
    await store.apply([requeue('sent')]);
    await enqueue(store, 'fresh', { handler: 'mail' });
    const cause = 'operation:op-1';
    for (const [id, entry] of [
      ['failed', 'failed'],
      ['limited', 'rate_limited'],
    ] as const) {
      const job = await leased(store, id, { handler: id });
      await settled(store, settlementFor(job, 'parked', { entry, dueInMs: 1_000, cause }));
    }
    const ids = ['limited', 'sent', 'nobody', 'dead', 'fresh', 'dead', 'failed'];
    const found = [...(await store.standings(ids))].sort((a, b) => (a.id < b.id ? -1 : 1));
    same(found, [
      { id: 'dead', generation: 1, state: 'dead', failed: 1, cause: undefined },
      { id: 'failed', generation: 1, state: 'parked', failed: 1, cause },
      { id: 'fresh', generation: 1, state: 'ready', failed: 0, cause: undefined },
      { id: 'limited', generation: 1, state: 'parked', failed: 1, cause },
      { id: 'sent', generation: 2, state: 'ready', failed: 0, cause: undefined },
    ]);
    const many = Array.from({ length: 1_001 }, (_, n) => `job-${n}`);
    await rejects(store.standings(many), { code: 'invalid_option' });
  });
}
