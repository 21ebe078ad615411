import { deepEqual, equal } from 'node:assert/strict';
import type { Store } from '@redrive/durable';
import type { PauseCommand } from '@redrive/durable/store';
import { ACTOR, claimedIds, enqueue, enqueueAll, lane, leased } from './commands.ts';
import { same } from './plain.ts';
import { endOf, settled } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

async function change(
  store: Store,
  kind: PauseCommand['kind'],
  scope: PauseCommand['scope'],
  name: string,
): Promise<boolean> {
  const [{ changed }] = await store.apply([{ kind, scope, name, actor: ACTOR }]);
  return changed;
}

export function pauseTests({ test }: StoreSuite): void {
  test('keep a queue from being claimed until it is resumed', async ({ store }) => {
    await enqueue(store, 'slow', { queue: 'slow' });
    await enqueue(store, 'fast', { queue: 'fast' });
    equal(await change(store, 'pause', 'queue', 'slow'), true);
    equal(await change(store, 'pause', 'queue', 'slow'), false);
    deepEqual(await claimedIds(store), ['fast']);
    deepEqual(await claimedIds(store, { queues: ['slow'] }), []);
    equal(await change(store, 'resume', 'queue', 'slow'), true);
    equal(await change(store, 'resume', 'queue', 'slow'), false);
    deepEqual(await claimedIds(store), ['slow']);
  });

  test('keep a handler from being claimed, and a queue of the same name not', async ({ store }) => {
    await enqueue(store, 'a', { handler: 'mail' });
    await enqueue(store, 'b', { queue: 'mail' });
    await change(store, 'pause', 'handler', 'mail');
    const lanes = [lane(), lane('mail')];
    deepEqual(await claimedIds(store, { lanes }), ['b']);
    await change(store, 'resume', 'queue', 'mail');
    deepEqual(await claimedIds(store, { lanes }), []);
    await change(store, 'resume', 'handler', 'mail');
    deepEqual(await claimedIds(store, { lanes }), ['a']);
  });

  test('leave alone what is leased', async ({ store }) => {
    const job = await leased(store, 'job-1');
    await change(store, 'pause', 'queue', 'default');
    await change(store, 'pause', 'handler', 'resize');
    deepEqual(await store.heartbeat([job], 60_000), ['held']);
    await settled(store, endOf(job, 'succeeded'));
  });

  test('do not hold up the rest', async ({ store, clock }) => {
    const many = Array.from({ length: 500 }, (_, n) => `held-${n}`);
    await enqueueAll(store, many, { queue: 'slow', priority: 9 });
    await clock.advance(1);
    await enqueue(store, 'free');
    await change(store, 'pause', 'queue', 'slow');
    deepEqual(await claimedIds(store, { limit: 10 }), ['free']);
  });

  test('are listed with who did it, when and why', async ({ store, clock }) => {
    deepEqual(await store.pauses(), []);
    const actor = { name: 'cli:ann@host', why: 'disk is full' };
    const startMs = clock.now();
    await store.apply([{ kind: 'pause', scope: 'queue', name: 'slow', actor }]);
    await clock.advance(5);
    await store.apply([
      { kind: 'pause', scope: 'queue', name: 'slow', actor: ACTOR },
      { kind: 'pause', scope: 'handler', name: 'slow', actor: ACTOR },
    ]);
    const listed = [...(await store.pauses())].sort((a, b) => a.sinceMs - b.sinceMs);
    same(listed, [
      { scope: 'queue', name: 'slow', sinceMs: startMs, by: 'cli:ann@host', why: 'disk is full' },
      { scope: 'handler', name: 'slow', sinceMs: startMs + 5, by: 'test' },
    ]);
  });
}
