import { deepEqual, equal } from 'node:assert/strict';
import { HOOK_DIGEST, hookId, hookOf } from '@redrive/durable/store';
import { eventsOf } from './audit-trail.ts';
import { ACTOR, act, enqueue, enqueueOf, find, leased, stateOf, tick } from './commands.ts';
import { same } from './plain.ts';
import { settle, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

const HOOKED = {
  onDead: 'mail',
  tenant: 'acme',
  queue: 'slow',
  correlationId: 'c "1"',
  traceId: 't',
};

export function hookTests({ test }: StoreSuite): void {
  test('a deadline that passes leaves the job that onDead names, in the same transaction', async ({
    store,
    clock,
  }) => {
    const deadline = { inMs: 1_000 };
    await store.apply([
      enqueueOf('late', { ...HOOKED, deadline }),
      enqueueOf('plain', { deadline }),
      enqueueOf('parked-"1"', { onDead: 'mail', deadline, sessionId: 's-1' }),
      enqueueOf('alive', HOOKED),
    ]);
    await clock.advance(1_001);
    const ticked = await tick(store);
    equal(ticked.expired, 3);
    const dead = await find(store, 'late');
    const hook = await find(store, hookId('late', 1));
    equal(hook.auditBlock, dead.auditBlock);
    same(
      { ...hook, auditBlock: 0 },
      {
        ...hookOf(dead, ACTOR)?.job,
        ...{ state: 'ready', revision: 1, token: 0, cancelRequested: false, retryCount: 0 },
        ...{ submittedAtMs: clock.now(), generationAtMs: clock.now(), auditBlock: 0 },
        ...{ account: hook.account, attempts: hook.attempts },
      },
    );
    same([hook.handler, hook.digest, hook.parentId], ['mail', HOOK_DIGEST, 'late']);
    equal((await find(store, hookId('parked-"1"', 1))).correlationId, 's-1');
    deepEqual(await eventsOf(store, hook.id), ['enqueue']);
    same(
      [await stateOf(store, hookId('plain', 1)), await stateOf(store, hookId('alive', 1))],
      [undefined, undefined],
    );
    // Once per death.
    equal((await tick(store)).expired, 0);
    deepEqual(await eventsOf(store, hook.id), ['enqueue']);
  });

  test('each death of a job leaves one of its own', async ({ store, clock }) => {
    await enqueue(store, 'late', { onDead: 'mail', deadline: { inMs: 10 } });
    await clock.advance(11);
    await tick(store);
    await act(store, 'requeue', 'late', { deadline: { inMs: 10 } });
    await clock.advance(11);
    await tick(store);
    same(
      [await stateOf(store, hookId('late', 1)), await stateOf(store, hookId('late', 2))],
      ['ready', 'ready'],
    );
    // Neither is a purge, nor that it is undone.
    await act(store, 'purge', 'late');
    await act(store, 'restore', 'late');
    equal(await stateOf(store, hookId('late', 3)), undefined);
  });

  test('a job that is dead from the start leaves one, and a repetition none', async ({ store }) => {
    const dead = { reason: 'final_error' } as const;
    const buried = { onDead: 'mail', tenant: 'acme', digest: 'd', dead };
    await enqueue(store, 'born', buried);
    await enqueue(store, 'born', buried);
    const hook = await find(store, hookId('born', 1));
    same([hook.handler, hook.tenant, hook.parentId], ['mail', 'acme', 'born']);
    deepEqual(await eventsOf(store, hook.id), ['enqueue']);
  });

  test('what finishes or is cancelled leaves none', async ({ store }) => {
    for (const to of ['succeeded', 'cancelled'] as const) {
      const job = await leased(store, to, { onDead: 'mail' });
      await settle(store, settlementFor(job, to));
    }
    await enqueue(store, 'waiting', { onDead: 'mail' });
    await act(store, 'cancel', 'waiting');
    for (const id of ['succeeded', 'cancelled', 'waiting']) {
      equal(await stateOf(store, hookId(id, 1)), undefined, id);
    }
  });
}
