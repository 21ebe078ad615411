import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { FullStore } from '@redrive/durable';
import {
  BATCH_KEPT_MS,
  type BatchCommand,
  type BatchCounts,
  thenIdOf,
} from '@redrive/durable/store';
import { auditRecords } from './audit-trail.ts';
import { ACTOR, act, claim, claimOne, enqueue, enqueueAll, enqueueOf } from './commands.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { FullStoreSuite } from './suite.ts';

const THEN = JSON.stringify({ handler: 'mail', queue: 'default', priority: 5, data: '{"n":1}' });

const OPEN: BatchCommand = {
  kind: 'batch',
  act: 'open',
  id: 'b-1',
  tenant: '',
  then: THEN,
  actor: ACTOR,
};
const SEAL: BatchCommand = { ...OPEN, act: 'seal' };
const END = { kind: 'end_batches', limit: 10, actor: ACTOR } as const;
const NONE: BatchCounts = {
  ...{ total: 0, waiting: 0, running: 0, succeeded: 0, dead: 0, cancelled: 0, purged: 0 },
};
const DAY_MS = 86_400_000;

async function countsOf(store: FullStore, id = 'b-1'): Promise<Partial<BatchCounts>> {
  const { counts } = (await store.batch(id)) ?? {};
  return Object.fromEntries(Object.entries(counts ?? {}).filter(([, count]) => count > 0));
}

async function ended(store: FullStore): Promise<number> {
  return (await store.apply([END]))[0].ended;
}

export function batchTests({ test }: FullStoreSuite): void {
  test('are opened once, with one job that follows', async ({ store, clock }) => {
    equal(await store.batch('b-1'), undefined);
    const openedAtMs = clock.now();
    deepEqual(await store.apply([OPEN, OPEN]), [
      { ok: true, outcome: 'created' },
      { ok: true, outcome: 'existing' },
    ]);
    const about = { id: 'b-1', tenant: '', then: THEN, by: ACTOR.name, openedAtMs };
    same(await store.batch('b-1'), { ...about, state: 'open', counts: NONE });
    const conflict = { ok: false, refusal: 'conflict' };
    deepEqual(await store.apply([{ ...OPEN, then: undefined }]), [conflict]);
    deepEqual(await store.apply([{ ...OPEN, tenant: 'a' }]), [conflict]);
    await rejects(store.apply([{ ...OPEN, id: 'with "quotes"' }]), { code: 'invalid_option' });
    await clock.advance(5);
    const missing = { ok: false, refusal: 'not_found' };
    deepEqual(await store.apply([{ ...SEAL, id: 'b-2' }, { ...SEAL, tenant: 'a' }, SEAL, SEAL]), [
      missing,
      missing,
      { ok: true, outcome: 'created' },
      { ok: true, outcome: 'existing' },
    ]);
    const sealedAtMs = openedAtMs + 5;
    same(await store.batch('b-1'), { ...about, state: 'sealed', sealedAtMs, counts: NONE });
  });

  test('count their jobs by state', async ({ store, clock }) => {
    await store.apply([OPEN]);
    await enqueueAll(store, ['a', 'b', 'c', 'd'], { batch: 'b-1' });
    await enqueue(store, 'later', { batch: 'b-1', due: { inMs: 1_000 } });
    await enqueue(store, 'other');
    deepEqual(await countsOf(store), { total: 5, waiting: 5 });
    equal((await store.job('a'))?.batch, 'b-1');
    const { jobs } = await claim(store, { limit: 3 });
    deepEqual(await countsOf(store), { total: 5, waiting: 2, running: 3 });
    const [a, b, c] = jobs;
    if (a) await settled(store, settlementFor(a, 'succeeded'));
    if (b) await settled(store, settlementFor(b, 'dead'));
    if (c) await settled(store, settlementFor(c, 'scheduled', { dueInMs: 500 }));
    await act(store, 'cancel', 'd');
    deepEqual(await countsOf(store), { total: 5, waiting: 2, succeeded: 1, dead: 1, cancelled: 1 });
    await act(store, 'purge', 'd');
    deepEqual(await countsOf(store), { total: 5, waiting: 2, succeeded: 1, dead: 1, purged: 1 });
    await act(store, 'requeue', b?.id ?? '');
    deepEqual(await countsOf(store), { total: 5, waiting: 3, succeeded: 1, purged: 1 });
    await clock.advance(1);
  });

  test('refuse jobs when they are sealed, or of another tenant', async ({ store }) => {
    await store.apply([OPEN]);
    await enqueue(store, 'a', { batch: 'b-1', digest: 'd-1' });
    const refused = { ok: false, refusal: 'batch_closed' };
    deepEqual(await enqueue(store, 'x', { batch: 'b-2' }), { ...refused, id: 'x' });
    deepEqual(await enqueue(store, 'x', { batch: 'b-1', tenant: 'a' }), { ...refused, id: 'x' });
    await store.apply([SEAL]);
    const unique = { batch: 'b-1', uniqueKey: 'u', uniqueForMs: 1_000 };
    deepEqual(
      await store.apply([
        enqueueOf('x', { batch: 'b-1' }),
        enqueueOf('y'),
        enqueueOf('a', { batch: 'b-1', digest: 'd-1' }),
        enqueueOf('z', unique),
      ]),
      [
        { ...refused, id: 'x' },
        { ok: true, id: 'y', outcome: 'created' },
        // The same enqueue again: it was part of the batch before.
        { ok: true, id: 'a', outcome: 'existing' },
        { ...refused, id: 'z' },
      ],
    );
    deepEqual(await countsOf(store), { total: 1, waiting: 1 });
    // A refused job took no key.
    deepEqual(await enqueue(store, 'w', { uniqueKey: 'u', uniqueForMs: 1_000 }), {
      ...{ ok: true, id: 'w', outcome: 'created' },
    });
  });

  test('end once when all jobs are finished, and enqueue the job that follows', async ({
    store,
    clock,
  }) => {
    await store.apply([OPEN]);
    await enqueueAll(store, ['a', 'b'], { batch: 'b-1' });
    const a = await claimOne(store);
    await settled(store, settlementFor(a, 'succeeded'));
    equal((await store.pulse([])).batchEnds, undefined);
    await store.apply([SEAL]);
    equal(await ended(store), 0);
    await act(store, 'cancel', 'b');
    equal((await store.pulse([])).batchEnds, true);
    await clock.advance(10);
    equal(await ended(store), 1);
    equal(await ended(store), 0);
    equal((await store.pulse([])).batchEnds, undefined);
    const batch = await store.batch('b-1');
    equal(batch?.state, 'ended');
    equal(batch?.endedAtMs, clock.now());
    const follows = await store.job(thenIdOf('b-1'));
    equal(follows?.handler, 'mail');
    equal(follows?.priority, 5);
    const counts = { total: 2, succeeded: 1, dead: 0, cancelled: 1, purged: 0 };
    const text = JSON.stringify({ batch: 'b-1', counts, data: { n: 1 } });
    deepEqual(follows?.payload, { kind: 'json', text });
    // A retry does not end it again.
    await act(store, 'requeue', 'b');
    await act(store, 'cancel', 'b');
    equal(await ended(store), 0);
  });

  test('end at once when they are empty, and without a job that follows', async ({ store }) => {
    await store.apply([
      { ...OPEN, then: undefined },
      { ...SEAL, then: undefined },
      { ...OPEN, id: 'b-2', tenant: 'a' },
    ]);
    equal(await ended(store), 1);
    equal((await store.batch('b-1'))?.state, 'ended');
    equal(await store.job(thenIdOf('b-1')), undefined);
    await store.apply([{ ...SEAL, id: 'b-2', tenant: 'a' }]);
    equal(await ended(store), 1);
    equal((await store.job(thenIdOf('b-2')))?.tenant, 'a');
  });

  test('wait for jobs that were sent again before the end', async ({ store }) => {
    await store.apply([OPEN]);
    await enqueue(store, 'a', { batch: 'b-1' });
    await settled(store, settlementFor(await claimOne(store), 'dead'));
    await store.apply([SEAL]);
    await act(store, 'requeue', 'a');
    equal(await ended(store), 0);
    await settled(store, settlementFor(await claimOne(store), 'succeeded'));
    equal(await ended(store), 1);
  });

  test('keep counting jobs that retention deletes', async ({ store, clock }) => {
    await store.apply([OPEN]);
    await enqueueAll(store, ['a', 'b', 'c'], { batch: 'b-1' });
    const { jobs } = await claim(store, { limit: 2 });
    await store.apply(
      jobs.map((job) => ({ kind: 'settle', settlement: settlementFor(job, 'succeeded') })),
    );
    await store.apply([SEAL]);
    await clock.advance(DAY_MS);
    const prune = {
      kind: 'prune',
      succeededAfterMs: DAY_MS,
      cancelledAfterMs: DAY_MS,
      deadAfterMs: DAY_MS,
      purgedAfterMs: DAY_MS,
      limit: 1,
      actor: ACTOR,
    } as const;
    await store.apply([prune]);
    await store.apply([prune]);
    equal((await store.jobs({}, { limit: 10 })).jobs.length, 1);
    deepEqual(await countsOf(store), { total: 3, waiting: 1, succeeded: 2 });
    await act(store, 'cancel', 'c');
    equal(await ended(store), 1);
    await act(store, 'cancel', thenIdOf('b-1'));
    await clock.advance(BATCH_KEPT_MS);
    // It is kept until its last job is deleted.
    await store.apply([{ ...prune, cancelledAfterMs: Number.MAX_SAFE_INTEGER }]);
    equal((await store.batch('b-1'))?.counts.total, 3);
    await store.apply([{ ...prune, limit: 10 }]);
    equal(await store.batch('b-1'), undefined);
  });

  test('are listed newest first, and their jobs are found', async ({ store, clock }) => {
    for (const id of ['b-1', 'b-2', 'b-3']) {
      await store.apply([{ ...OPEN, id, tenant: id === 'b-2' ? 'a' : '' }]);
      await clock.advance(1);
    }
    await store.apply([{ ...SEAL, id: 'b-3' }]);
    const idsOf = async (...asked: Parameters<FullStore['batches']>) => {
      const { batches, next } = await store.batches(...asked);
      return [batches.map(({ id }) => id), next] as const;
    };
    const [first, next] = await idsOf({}, { limit: 2 });
    deepEqual(first, ['b-3', 'b-2']);
    deepEqual(await idsOf({}, { limit: 2, after: next }), [['b-1'], undefined]);
    deepEqual((await idsOf({ tenant: 'a' }, { limit: 9 }))[0], ['b-2']);
    deepEqual((await idsOf({ state: 'open', tenant: '' }, { limit: 9 }))[0], ['b-1']);
    await rejects(store.batches({}, { limit: 0 }), { code: 'invalid_option' });

    await enqueueAll(store, ['x', 'y'], { batch: 'b-1' });
    await enqueue(store, 'z');
    const { jobs } = await claim(store);
    for (const job of jobs) await settled(store, settlementFor(job, 'dead'));
    await act(store, 'requeue', 'y');
    const filter = { batch: 'b-1' };
    const found = await store.jobs(filter, { limit: 9 });
    deepEqual(found.jobs.map(({ id, batch }) => [id, batch]).sort(), [
      ['x', 'b-1'],
      ['y', 'b-1'],
    ]);
    deepEqual((await store.jobs({ ...filter, states: ['ready'] }, { limit: 9 })).jobs.length, 1);
    deepEqual(
      (await store.deadLetters(filter, { limit: 9 })).jobs.map(({ id }) => id),
      ['x'],
    );
    deepEqual(await store.countDead(filter, 9), { count: 1, bounded: false });
  });

  test('have notes in the audit log, and each job names its batch', async ({ store }) => {
    await store.apply([OPEN]);
    await enqueue(store, 'a', { batch: 'b-1' });
    await store.apply([SEAL]);
    await act(store, 'cancel', 'a');
    await ended(store);
    const records = await auditRecords(store);
    const by = ACTOR.name;
    const counts = { ...NONE, total: 1, cancelled: 1 };
    same(
      records.filter(({ id }) => id === 'batch:b-1').map(({ event, detail }) => [event, detail]),
      [
        ['batch', { by, act: 'open', then: 'mail' }],
        ['batch', { by, act: 'seal' }],
        ['batch', { by, act: 'end', then: 'mail', counts }],
      ],
    );
    equal(records.find(({ event }) => event === 'enqueue')?.detail.batch, 'b-1');
  });
}
