import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { FullStore } from '@redrive/durable';
import { planActs } from '@redrive/durable/control';
import type { ActCommand, ActResult, Change } from '@redrive/durable/store';
import { auditBlocks } from './audit-trail.ts';
import { ACTOR, act, enqueue, enqueueAll, find, leased } from './commands.ts';
import { allDeadGroups } from './dead-groups.ts';
import { die, dieInTurn } from './dying.ts';
import { forecast } from './forecast.ts';
import { allJobs } from './invariants.ts';
import { same } from './plain.ts';
import { settled, settlementFor } from './settlements.ts';
import type { FullStoreSuite } from './suite.ts';

function actOf(act: ActCommand['act'], id: string, with_: Partial<ActCommand> = {}): ActCommand {
  return { kind: 'act', act, id, actor: ACTOR, ...with_ };
}

/** All that can be seen. */
async function everything(store: FullStore) {
  const jobs = await allJobs(store);
  return {
    jobs: await Promise.all(jobs.map(({ id }) => find(store, id))),
    earlier: await Promise.all(jobs.map(({ id }) => store.earlierPayloads(id))),
    groups: await allDeadGroups(store),
    blocks: await auditBlocks(store),
    counts: await store.counts(),
    pulse: await store.pulse(['resize', 'mail']),
  };
}

export function dryRunTests({ test }: FullStoreSuite): void {
  test('predicts the results of the acts, each after the ones before it, and changes nothing', async ({
    store,
    clock,
  }) => {
    await dieInTurn({ store, clock }, { a: {}, b: { uniqueKey: 'u' }, c: {} });
    await enqueue(store, 'holder', { uniqueKey: 'u' });
    await leased(store, 'mailed', { handler: 'mail' });
    await store.seal();
    const before = await everything(store);
    const acts = [
      actOf('requeue', 'a', { payload: { kind: 'json', text: '2' }, generation: 1 }),
      actOf('requeue', 'a', { generation: 1 }),
      actOf('requeue', 'b'),
      actOf('cancel', 'holder'),
      actOf('requeue', 'b'),
      actOf('purge', 'c'),
      actOf('restore', 'c'),
      actOf('reset', 'c'),
      actOf('purge', 'mailed'),
      actOf('cancel', 'mailed'),
      actOf('requeue', 'nobody'),
    ];
    const tried = await forecast(store, acts);
    same(tried, [
      { ok: true, state: 'ready' },
      { ok: false, refusal: 'changed' },
      { ok: false, refusal: 'unique_conflict' },
      { ok: true, state: 'cancelled' },
      { ok: true, state: 'ready' },
      { ok: true, state: 'purged' },
      { ok: true, state: 'dead' },
      { ok: true, state: 'dead' },
      { ok: false, refusal: 'illegal' },
      { ok: true, state: 'leased' },
      { ok: false, refusal: 'not_found' },
    ]);
    same(await everything(store), before);
    equal(await store.seal(), undefined, 'nothing to seal');
    same(await store.apply(acts), tried, 'the same as the real thing');
  });

  test('says the same numbers as the bulk operation that follows, over all its batches', async ({
    store,
    clock,
  }) => {
    // Only the first of the letters that share a unique key can be sent back; they are in different batches of a plan.
    const size = 1_100;
    const dead = { reason: 'final_error' } as const;
    const ids = Array.from({ length: size }, (_, n) => `job-${String(n).padStart(4, '0')}`);
    for (const key of ['u', 'v']) {
      for (const id of ids.filter((_, n) => n % 550 === (key === 'u' ? 3 : 7))) {
        await enqueue(store, id, { uniqueKey: key, dead });
        await clock.advance(1);
      }
    }
    await enqueue(store, 'holder', { uniqueKey: 'v' });
    const single = ids.filter((_, n) => n % 550 !== 3 && n % 550 !== 7);
    await enqueueAll(store, single.slice(0, 600), { dead });
    await enqueueAll(store, single.slice(600), { dead });
    await clock.advance(1);
    const wish = { act: 'requeue', target: { ids }, actor: ACTOR } as const;
    const { eligible, ineligible, refusals } = await planActs(store, wish);
    deepEqual([eligible, ineligible], [size - 3, 3]);
    const results: ActResult[] = [];
    for (let from = 0; from < size; from += 400) {
      const acts = ids.slice(from, from + 400).map((id) => actOf('requeue', id));
      results.push(...(await store.apply(acts)));
    }
    equal(results.filter(({ ok }) => ok).length, eligible);
    deepEqual(
      refusals.map(({ refusal }) => refusal),
      Array(3).fill('unique_conflict'),
    );
  });

  test('leaves no gap in the audit log', async ({ store, clock }) => {
    await die({ store, clock }, 'a');
    const before = await auditBlocks(store);
    await forecast(store, [actOf('requeue', 'a')]);
    await enqueue(store, 'b');
    const added = (await auditBlocks(store)).slice(before.length);
    const last = before.at(-1);
    deepEqual([added.length, added[0]?.prevHash], [1, last?.hash]);
    equal(added[0]?.seq, (last?.seq ?? 0) + 1);
  });

  test('notifies nobody, because nothing changed', async ({ store, clock }) => {
    await die({ store, clock }, 'a');
    await clock.advance(0);
    const seen: Change[] = [];
    const stop = store.watch((change) => seen.push(change));
    await forecast(store, [actOf('requeue', 'a')]);
    await clock.advance(0);
    deepEqual(seen, []);
    stop();
  });

  test('does not come in the way of others that arrive together', async ({ store, clock }) => {
    await dieInTurn({ store, clock }, { a: {}, b: {} });
    const [tried, real] = await Promise.all([
      forecast(store, [actOf('purge', 'a'), actOf('purge', 'b')]),
      act(store, 'requeue', 'b'),
    ]);
    deepEqual([tried[0], real.ok], [{ ok: true, state: 'purged' }, true]);
    deepEqual([(await find(store, 'a')).state, (await find(store, 'b')).state], ['dead', 'ready']);
  });

  test('reads of a thousand at most, and of none', async ({ store }) => {
    deepEqual(await store.actSubjects([]), []);
    const ids = Array.from({ length: 1_000 }, (_, n) => `job-${n}`);
    deepEqual(await store.actSubjects(ids), []);
    await rejects(store.actSubjects([...ids, 'a']), { code: 'invalid_option' });
  });

  test('leaves the job dead, so that no claim takes it', async ({ store }) => {
    await settled(store, settlementFor(await leased(store, 'a'), 'dead'));
    await forecast(store, [actOf('requeue', 'a')]);
    const { state, revision } = await find(store, 'a');
    deepEqual([state, revision], ['dead', 3]);
  });
}
