import { equal } from 'node:assert/strict';
import { claim, enqueue, HANDLER, LEASE_MS, leased } from './commands.ts';
import { control } from './control-commands.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { StoreSuite } from './suite.ts';

export function pulseTests({ test }: StoreSuite): void {
  test('has nothing to say about an empty store', async ({ store, clock }) => {
    const quiet = { ready: false, expiredLeases: false, unsealed: false, controlRevision: 0 };
    same(await store.pulse([HANDLER]), { ...quiet, nowMs: clock.now() });
    equal((await store.pulse([])).ready, false);
  });

  test('knows the revision of the controls', async ({ store }) => {
    await control(store, 'kill', 'queue:mail', 0, {});
    equal((await store.pulse([])).controlRevision, 1);
    await control(store, 'kill', 'queue:mail', 1, null);
    equal((await store.pulse([])).controlRevision, 2);
  });

  test('knows whether a job of these handlers is ready', async ({ store }) => {
    await enqueue(store, 'job-1', { handler: 'mail' });
    equal((await store.pulse([HANDLER])).ready, false);
    equal((await store.pulse([HANDLER, 'mail'])).ready, true);
    equal((await store.pulse([])).ready, false);
  });

  test('knows when the next job is due, scheduled or parked', async ({ store, clock }) => {
    const job = await leased(store, 'parked');
    await enqueue(store, 'scheduled', { due: { inMs: 3_000 } });
    equal((await store.pulse([HANDLER])).nextDueInMs, 3_000);
    await settled(store, settlementFor(job, 'parked', { dueInMs: 2_000, cause: 'x' }));
    equal((await store.pulse([HANDLER])).nextDueInMs, 2_000);
    await clock.advance(1_500);
    equal((await store.pulse([HANDLER])).nextDueInMs, 500);
    await clock.advance(1_000);
    equal((await store.pulse([HANDLER])).nextDueInMs, 0);
  });

  test('has the next deadline of waiting jobs', async ({ store, clock }) => {
    await enqueue(store, 'job-1', { deadline: { inMs: 700 } });
    equal((await store.pulse([HANDLER])).nextDueInMs, 700);
    await clock.advance(1_000);
    equal((await store.pulse([HANDLER])).nextDueInMs, 0);
  });

  test('ignores deadlines of jobs that run or are finished', async ({ store }) => {
    const job = await leased(store, 'job-1', { deadline: { inMs: 700 } });
    equal((await store.pulse([HANDLER])).nextDueInMs, undefined);
    await settled(store, settlementFor(job, 'succeeded'));
    equal((await store.pulse([HANDLER])).nextDueInMs, undefined);
  });

  test('knows whether a lease has run out', async ({ store, clock }) => {
    await enqueue(store, 'job-1');
    await claim(store);
    await clock.advance(LEASE_MS - 1);
    equal((await store.pulse([])).expiredLeases, false);
    await clock.advance(1);
    equal((await store.pulse([])).expiredLeases, true);
  });
}
