import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { Change, Command } from '@redrive/durable/store';
import { auditBlocks } from './audit-trail.ts';
import {
  ACTOR,
  claim,
  claimOf,
  enqueue,
  enqueueAll,
  enqueueOf,
  find,
  leased,
  stateOf,
} from './commands.ts';
import { controlOf } from './control-commands.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

// A command that TypeScript refuses, but JavaScript does not.
const NONSENSE = { kind: 'nonsense' } as unknown as Command;

export function transactionTests({ test }: StoreSuite): void {
  test('a transaction with an unknown command changes nothing', async ({ store }) => {
    await enqueueAll(store, ['a', 'b']);
    const { jobs } = await claim(store, { limit: 1 });
    const [a] = jobs;
    if (a === undefined) throw new Error('one job to be claimed');
    const before = await Promise.all([find(store, 'a'), find(store, 'b'), auditBlocks(store)]);
    const commands: Command[] = [
      enqueueOf('c'),
      { kind: 'settle', settlement: settlementFor(a, 'succeeded') },
      { kind: 'act', act: 'cancel', id: 'b', actor: ACTOR },
      controlOf('kill', 'pause:queue:default', 0, {}),
      claimOf(),
      NONSENSE,
    ];
    await rejects(store.apply(commands));
    same(await Promise.all([find(store, 'a'), find(store, 'b'), auditBlocks(store)]), before);
    equal(await store.job('c'), undefined);
    await settled(store, settlementFor(a, 'succeeded'));
    deepEqual((await claim(store)).jobs.length, 1);
  });

  test('a transaction that fails takes no other one with it', async ({ store }) => {
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        store.apply(n % 5 === 3 ? [enqueueOf(`job-${n}`), NONSENSE] : [enqueueOf(`job-${n}`)]),
      ),
    );
    for (const [n, { status }] of answers.entries()) {
      equal(status, n % 5 === 3 ? 'rejected' : 'fulfilled', `${n}`);
      equal(await stateOf(store, `job-${n}`), n % 5 === 3 ? undefined : 'ready', `${n}`);
    }
  });

  test('a refusal is a result, and the rest of the transaction happens', async ({ store }) => {
    const job = await leased(store, 'a');
    const [late, cancelled, created] = await store.apply([
      { kind: 'settle', settlement: { ...settlementFor(job, 'dead'), token: 77 } },
      { kind: 'act', act: 'cancel', id: 'nobody', actor: ACTOR },
      enqueueOf('b'),
    ]);
    deepEqual([late.ok, cancelled.ok, created.ok], [false, false, true]);
    equal(await stateOf(store, 'b'), 'ready');
  });

  test('commands happen in their order', async ({ store }) => {
    const [, first, , second] = await store.apply([
      enqueueOf('a'),
      claimOf(),
      enqueueOf('b'),
      claimOf(),
      { kind: 'act', act: 'cancel', id: 'b', actor: ACTOR },
    ]);
    deepEqual([first.jobs.map(({ id }) => id), second.jobs.map(({ id }) => id)], [['a'], ['b']]);
    equal((await find(store, 'b')).cancelRequested, true);
  });

  test('an empty transaction does nothing', async ({ store }) => {
    deepEqual(await store.apply([]), []);
    deepEqual(await auditBlocks(store), []);
  });

  test('a change to a returned job does not change the store', async ({ store }) => {
    const bytes = Uint8Array.of(1, 2, 3);
    await enqueue(store, 'a', { payload: { kind: 'bytes', bytes } });
    bytes[0] = 99;
    const given = await find(store, 'a');
    if (given.payload.kind === 'bytes') given.payload.bytes[1] = 99;
    same((await find(store, 'a')).payload, { kind: 'bytes', bytes: Uint8Array.of(1, 2, 3) });
  });

  test('watchers are notified of new work and of finished jobs, until they stop', async ({
    store,
    clock,
  }) => {
    const seen = new Set<Change>();
    const stop = store.watch((change) => seen.add(change));
    await enqueue(store, 'a');
    await clock.advance(0);
    ok(seen.has('ready'), 'a ready job');
    const [job] = (await claim(store)).jobs;
    if (job === undefined) throw new Error('one job to be claimed');
    seen.clear();
    await settled(store, settlementFor(job, 'succeeded'));
    await clock.advance(0);
    ok(seen.has('finished'), 'a finished job');
    seen.clear();
    await enqueue(store, 'later', { due: { inMs: 50 } });
    await clock.advance(0);
    ok(seen.has('ready'), 'a job that is due before the next one');
    seen.clear();
    store.committed();
    await clock.advance(0);
    ok(seen.has('ready'), 'a commit that the store did not see');
    stop();
    stop();
    seen.clear();
    await enqueue(store, 'b');
    await clock.advance(0);
    equal(seen.size, 0);
  });
}
