import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Store } from '@redrive/durable';
import { claim, claimedIds, claimOf, enqueue, enqueueAll, lane, leased } from './commands.ts';
import { changesDuring, control, controlOf, put, takeAway } from './control-commands.ts';
import { settled, settlementFor } from './settlements.ts';
import type { FullStoreSuite } from './suite.ts';

const LANES = [lane(), lane('mail')];

/** The jobs that each switch leaves running, of four. */
const SCOPES = [
  { key: 'all', left: [] },
  { key: 'queue:slow', left: ['handler', 'plain', 'tenant'] },
  { key: 'operation:mail', left: ['plain', 'queue', 'tenant'] },
  { key: 'tenant:acme', left: ['handler', 'plain', 'queue'] },
  { key: 'tenant:', left: ['tenant'] },
  { key: 'queue:acme', left: ['handler', 'plain', 'queue', 'tenant'] },
  { key: 'handler:mail', left: ['handler', 'plain', 'queue', 'tenant'] },
] as const;

export function killSwitchTests({ test }: FullStoreSuite): void {
  for (const { key, left } of SCOPES) {
    test(`\`${key}\` keeps the jobs it names from being claimed, until it is released`, async ({
      store,
      clock,
    }) => {
      await enqueue(store, 'queue', { queue: 'slow' });
      await enqueue(store, 'handler', { handler: 'mail' });
      await enqueue(store, 'tenant', { tenant: 'acme' });
      await enqueue(store, 'plain');
      await put(store, 'kill', key);
      deepEqual((await claimedIds(store, { lanes: LANES })).sort(), left);
      deepEqual(await claimedIds(store, { lanes: LANES }), []);
      const changes = await changesDuring({ store, clock }, () => takeAway(store, 'kill', key));
      ok(changes.has('ready') && changes.has('control'));
      equal((await claim(store, { lanes: LANES })).jobs.length, 4 - left.length);
    });
  }

  test('two of them apply until both are released', async ({ store }) => {
    await enqueue(store, 'a', { tenant: 'acme' });
    await put(store, 'kill', 'tenant:acme');
    await put(store, 'kill', 'queue:default');
    await takeAway(store, 'kill', 'queue:default');
    deepEqual(await claimedIds(store), []);
    await put(store, 'kill', 'queue:default');
    await takeAway(store, 'kill', 'tenant:acme');
    deepEqual(await claimedIds(store), []);
    await takeAway(store, 'kill', 'queue:default');
    deepEqual(await claimedIds(store), ['a']);
  });

  test('only documents of kind `kill` stop claims', async ({ store }) => {
    for (const kind of ['breaker', 'gate', 'park', 'operation'] as const) {
      await put(store, kind, 'all');
    }
    await enqueue(store, 'a');
    deepEqual(await claimedIds(store), ['a']);
  });

  test('a claim behind it in the same transaction obeys it', async ({ store }) => {
    await enqueueAll(store, ['a', 'b']);
    const [, killed] = await store.apply([controlOf('kill', 'all', 0, {}), claimOf({ limit: 1 })]);
    deepEqual(killed.jobs, []);
    const revision = await store.controlRevision();
    const [, allowed] = await store.apply([controlOf('kill', 'all', revision, null), claimOf()]);
    equal(allowed.jobs.length, 2);
  });

  test('one that was refused stops nothing', async ({ store }) => {
    await enqueue(store, 'a');
    deepEqual(await control(store, 'kill', 'all', 3, {}), { ok: false, refusal: 'changed' });
    deepEqual(await claimedIds(store), ['a']);
  });

  test('does not touch leased jobs, and does not refuse new ones', async ({ store }) => {
    const job = await leased(store, 'a');
    await put(store, 'kill', 'all');
    deepEqual(await store.heartbeat([job], 60_000), ['held']);
    await settled(store, settlementFor(job, 'ready'));
    ok((await enqueue(store, 'b')).ok);
    deepEqual(await claimedIds(store), []);
    await takeAway(store, 'kill', 'all');
    deepEqual((await claimedIds(store)).sort(), ['a', 'b']);
  });

  test('jobs that it stops do not delay other jobs', async ({ store, clock }) => {
    const many = Array.from({ length: 500 }, (_, n) => `held-${n}`);
    await enqueueAll(store, many, { tenant: 'acme', priority: 9 });
    await clock.advance(1);
    await enqueue(store, 'free', { tenant: 'other' });
    await put(store, 'kill', 'tenant:acme');
    deepEqual(await claimedIds(store, { limit: 10, afterTenant: 'a' }), ['free']);
    await enqueue(store, 'next', { tenant: 'a' });
    deepEqual(await claimedIds(store, { limit: 10, afterTenant: 'other' }), ['next']);
  });

  test('the other tenants go on taking turns', async ({ store }) => {
    for (const tenant of ['a', 'b', 'c']) {
      await enqueueAll(store, [`${tenant}1`, `${tenant}2`], { tenant });
    }
    await put(store, 'kill', 'tenant:b');
    deepEqual(await claimedIds(store, { afterTenant: 'a' }), ['c1', 'a1', 'c2', 'a2']);
  });

  for (const when of ['while its one lease runs', 'when nothing has it']) {
    test(`a limit key that stopped tenants share is of use to the others: stopped ${when}`, async ({
      store,
    }) => {
      const tenants = Array.from({ length: 40 }, (_, n) => `t${n + 10}`);
      const first = await leased(store, 'first', { tenant: 'z', limitKey: 'k' });
      for (const tenant of tenants) await enqueue(store, tenant, { tenant, limitKey: 'k' });
      await enqueueAll(store, ['z1', 'z2'], { tenant: 'z', limitKey: 'k' });
      deepEqual(await claimedIds(store), [], 'the key is used up');
      const stop = async (): Promise<void> => {
        for (const tenant of tenants) await put(store, 'kill', `tenant:${tenant}`);
      };
      if (when === 'while its one lease runs') await stop();
      await settled(store, settlementFor(first, 'succeeded'));
      if (when === 'when nothing has it') await stop();
      deepEqual(await workOff(store), ['z1', 'z2']);
      for (const tenant of tenants) await takeAway(store, 'kill', `tenant:${tenant}`);
      deepEqual((await workOff(store)).sort(), tenants);
    });
  }
}

/** Works until nothing can be claimed. One at a time: their key allows no more. */
async function workOff(store: Store): Promise<string[]> {
  const done: string[] = [];
  for (let { jobs } = await claim(store); jobs.length > 0; { jobs } = await claim(store)) {
    const [job] = jobs;
    ok(job !== undefined && jobs.length === 1, 'one at a time');
    await settled(store, settlementFor(job, 'succeeded'));
    done.push(job.id);
  }
  return done;
}
