import { deepEqual, equal } from 'node:assert/strict';
import { eventsOf, trailOf } from './audit-trail.ts';
import { ACTOR, act, claimedIds, enqueue, find, leased, stateOf } from './commands.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

export function cancelTests({ test }: StoreSuite): void {
  test('ends a job that waits', async ({ store, clock }) => {
    const parked = settlementFor(await leased(store, 'parked'), 'parked', {
      dueInMs: 9,
      cause: 'x',
    });
    await settled(store, parked);
    await enqueue(store, 'ready');
    await enqueue(store, 'scheduled', { due: { inMs: 100 } });
    await clock.advance(1);
    for (const id of ['parked', 'ready', 'scheduled']) {
      deepEqual(await act(store, 'cancel', id), { ok: true, state: 'cancelled' }, id);
      const job = await find(store, id);
      same(
        [job.state, job.reason, job.finishedAtMs, job.dueAtMs, job.cause, job.cancelRequested],
        ['cancelled', 'cancelled', clock.now(), undefined, undefined, false],
      );
      deepEqual(await act(store, 'cancel', id), { ok: false, refusal: 'illegal' });
    }
    await clock.advance(1_000);
    deepEqual(await claimedIds(store), []);
  });

  test('notifies the worker that runs it, and no other attempt follows', async ({ store }) => {
    for (const to of ['scheduled', 'ready', 'parked'] as const) {
      const job = await leased(store, to);
      deepEqual(await act(store, 'cancel', to), { ok: true, state: 'leased' });
      equal((await find(store, to)).cancelRequested, true);
      await settled(store, settlementFor(job, to, { dueInMs: 1_000, cause: 'breaker_open' }));
      const after = await find(store, to);
      same(
        [after.state, after.reason, after.dueAtMs, after.cause],
        ['cancelled', 'cancelled', undefined, undefined],
        to,
      );
      deepEqual(await eventsOf(store, to), ['enqueue', 'claim', 'cancel', 'settle']);
    }
    deepEqual(await claimedIds(store), []);
  });

  test('does not undo the result of an attempt', async ({ store }) => {
    for (const to of ['succeeded', 'dead', 'cancelled'] as const) {
      const job = await leased(store, to);
      await act(store, 'cancel', to);
      await settled(store, settlementFor(job, to, { reason: 'final_error', result: '1' }));
      const after = await find(store, to);
      same([after.state, after.reason], [to, 'final_error']);
      equal(after.result, to === 'succeeded' ? '1' : undefined);
    }
  });

  test('is refused for a finished job and for one that does not exist', async ({ store }) => {
    await settled(store, settlementFor(await leased(store, 'job-1'), 'succeeded'));
    deepEqual(await act(store, 'cancel', 'job-1'), { ok: false, refusal: 'illegal' });
    deepEqual(await act(store, 'cancel', 'nobody'), { ok: false, refusal: 'not_found' });
    equal(await stateOf(store, 'job-1'), 'succeeded');
  });

  test('records its actor and the reason', async ({ store }) => {
    await enqueue(store, 'job-1');
    const actor = { name: 'cli:ann@host', why: 'a "mistake"' };
    await store.apply([{ kind: 'act', act: 'cancel', id: 'job-1', actor }]);
    const last = (await trailOf(store, 'job-1')).at(-1);
    deepEqual(last?.detail, { by: 'cli:ann@host', why: 'a "mistake"' });
    equal(ACTOR.why, undefined);
  });
}
