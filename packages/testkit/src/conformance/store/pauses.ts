import { deepEqual, equal, ok } from 'node:assert/strict';
import { engageKill, pauses, pauseWork, releaseKill, resumeWork } from '@redrive/durable/control';
import { auditRecords } from './audit-trail.ts';
import { ACTOR, claimedIds, enqueue, enqueueAll, lane, leased } from './commands.ts';
import { changesDuring } from './control-commands.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { FullStoreSuite } from './suite.ts';

const queue = (name: string) => ({ scope: 'queue', name, actor: ACTOR }) as const;
const handler = (name: string) => ({ scope: 'handler', name, actor: ACTOR }) as const;

export function pauseTests({ test }: FullStoreSuite): void {
  test('keep a queue from being claimed until it is resumed', async ({ store, clock }) => {
    await enqueue(store, 'slow', { queue: 'slow' });
    await enqueue(store, 'fast', { queue: 'fast' });
    deepEqual(await pauseWork(store, queue('slow')), { changed: true });
    deepEqual(await pauseWork(store, queue('slow')), { changed: false });
    deepEqual(await claimedIds(store), ['fast']);
    deepEqual(await claimedIds(store, { queues: ['slow'] }), []);
    const changes = await changesDuring({ store, clock }, () => resumeWork(store, queue('slow')));
    ok(changes.has('ready') && changes.has('control'));
    deepEqual(await resumeWork(store, queue('slow')), { changed: false });
    deepEqual(await claimedIds(store), ['slow']);
  });

  test('keep a handler from being claimed, and a queue of the same name not', async ({ store }) => {
    await enqueue(store, 'a', { handler: 'mail' });
    await enqueue(store, 'b', { queue: 'mail' });
    await pauseWork(store, handler('mail'));
    const lanes = [lane(), lane('mail')];
    deepEqual(await claimedIds(store, { lanes }), ['b']);
    await resumeWork(store, queue('mail'));
    deepEqual(await claimedIds(store, { lanes }), []);
    await resumeWork(store, handler('mail'));
    deepEqual(await claimedIds(store, { lanes }), ['a']);
  });

  for (const target of [queue('default'), handler('resize')]) {
    test(`pause and kill switch of one ${target.scope}: releasing one leaves the other`, async ({
      store,
    }) => {
      await enqueue(store, 'a');
      await pauseWork(store, target);
      await engageKill(store, target);
      await releaseKill(store, target);
      equal((await pauses(store)).length, 1);
      deepEqual(await claimedIds(store), []);
      await engageKill(store, target);
      await resumeWork(store, target);
      deepEqual(await pauses(store), []);
      deepEqual(await claimedIds(store), []);
      await releaseKill(store, target);
      deepEqual(await claimedIds(store), ['a']);
    });
  }

  test('do not touch leased jobs', async ({ store }) => {
    const job = await leased(store, 'job-1');
    await pauseWork(store, queue('default'));
    await pauseWork(store, handler('resize'));
    deepEqual(await store.heartbeat([job], 60_000), ['held']);
    await settled(store, settlementFor(job, 'succeeded'));
  });

  test('do not delay other jobs', async ({ store, clock }) => {
    const many = Array.from({ length: 500 }, (_, n) => `held-${n}`);
    await enqueueAll(store, many, { queue: 'slow', priority: 9 });
    await clock.advance(1);
    await enqueue(store, 'free');
    await pauseWork(store, queue('slow'));
    deepEqual(await claimedIds(store, { limit: 10 }), ['free']);
  });

  test('are listed with actor, time and reason', async ({ store, clock }) => {
    deepEqual(await pauses(store), []);
    const actor = { name: 'cli:ann@host', why: 'disk is full' };
    const startMs = clock.now();
    await pauseWork(store, { ...queue('slow'), actor });
    await clock.advance(5);
    await pauseWork(store, queue('slow'));
    await pauseWork(store, handler('slow'));
    same(await pauses(store), [
      { scope: 'handler', name: 'slow', sinceMs: startMs + 5, by: 'test' },
      { scope: 'queue', name: 'slow', sinceMs: startMs, by: 'cli:ann@host', why: 'disk is full' },
    ]);
  });

  test('are in the audit log, and so is their end, when they change something', async ({
    store,
  }) => {
    const slow = { ...queue('slow'), actor: { name: 'ann', why: 'full' } };
    for (const change of [pauseWork, pauseWork, resumeWork, resumeWork]) await change(store, slow);
    await pauseWork(store, handler('mail'));
    deepEqual(
      (await auditRecords(store)).map((note) => [note.event, note.id, note.detail]),
      [
        ['control', 'kill:pause:queue:slow', { by: 'ann', why: 'full', act: 'pause' }],
        ['control', 'kill:pause:queue:slow', { by: 'ann', why: 'full', act: 'resume' }],
        ['control', 'kill:pause:operation:mail', { by: 'test', act: 'pause' }],
      ],
    );
  });
}
