import { deepEqual, equal } from 'node:assert/strict';
import type { FullStore } from '@redrive/durable';
import type { ActCommand } from '@redrive/durable/store';
import { trailOf } from './audit-trail.ts';
import { ACTOR, act, find, leased } from './commands.ts';
import { allDeadGroups } from './dead-groups.ts';
import { deadIds } from './dead-letters.ts';
import { die, dieInTurn } from './dying.ts';
import { same } from './plain.ts';
import type { FullStoreSuite } from './suite.ts';

const CARDS = { fingerprint: 'name:00112233445566aa', pattern: 'Cards' };

function move(id: string, group = CARDS, rename?: boolean): ActCommand {
  return { kind: 'act', act: 'regroup', id, actor: ACTOR, group: { ...group, rename } };
}

const groupsOf = async (store: FullStore) =>
  (await allDeadGroups(store)).map(({ pattern, count, newestId }) => [pattern, count, newestId]);

/** Dead letters that move to other causes. */
export function regroupTests({ test }: FullStoreSuite): void {
  test('moves a dead letter to another cause, and changes nothing else', async ({
    store,
    clock,
  }) => {
    await dieInTurn({ store, clock }, { a: {}, b: {}, c: { message: 'other' } });
    await clock.advance(10);
    const { auditBlock: _1, ...before } = await find(store, 'a');
    deepEqual(await store.apply([move('a')]), [{ ok: true, state: 'dead' }]);
    const { auditBlock: _2, ...after } = await find(store, 'a');
    const { fingerprint } = CARDS;
    same(after, { ...before, fingerprint, revision: before.revision + 1 });
    deepEqual(await deadIds(store, { fingerprint }), ['a']);
    deepEqual(await groupsOf(store), [
      ['Error: other', 1, 'c'],
      ['Error: no luck', 1, 'b'],
      ['Cards', 1, 'a'],
    ]);
    const record = (await trailOf(store, 'a')).at(-1);
    equal(record?.event, 'regroup');
    same(record?.detail, { by: ACTOR.name, cause: fingerprint });
  });

  test('counts each letter once, whatever it was moved from and to', async ({ store, clock }) => {
    await dieInTurn({ store, clock }, { a: {}, b: {}, c: { message: 'other' } });
    const { fingerprint = '' } = await find(store, 'c');
    const back = { fingerprint, pattern: 'ignored' };
    await store.apply([move('a'), move('b'), move('c')]);
    deepEqual(await groupsOf(store), [['Cards', 3, 'c']]);
    await store.apply([move('b'), move('c', back), move('a', back)]);
    deepEqual(await groupsOf(store), [
      ['Error: other', 2, 'c'],
      ['Cards', 1, 'b'],
    ]);
    equal((await store.countDead({}, 100)).count, 3);
  });

  test('keeps the name of a cause that has one, unless it is renamed', async ({ store, clock }) => {
    await dieInTurn({ store, clock }, { a: {}, b: {} });
    await store.apply([move('a'), move('b', { ...CARDS, pattern: 'Other' })]);
    deepEqual(await groupsOf(store), [['Cards', 2, 'b']]);
    await store.apply([move('b', { ...CARDS, pattern: 'Card declined' }, true)]);
    deepEqual(await groupsOf(store), [['Card declined', 2, 'b']]);
    deepEqual(await deadIds(store, { text: 'declined' }), ['b', 'a']);
  });

  test('is refused for a job that is not dead, or is in another generation', async ({
    store,
    clock,
  }) => {
    await leased(store, 'leased');
    await die({ store, clock }, 'purged', { handler: 'mail' });
    await act(store, 'purge', 'purged');
    for (const id of ['leased', 'purged'])
      deepEqual(await store.apply([move(id)]), [{ ok: false, refusal: 'illegal' }], id);
    deepEqual(await store.apply([move('nobody')]), [{ ok: false, refusal: 'not_found' }]);
    await die({ store, clock }, 'dead', { handler: 'post' });
    deepEqual(await store.apply([{ ...move('dead'), generation: 7 }]), [
      { ok: false, refusal: 'changed' },
    ]);
  });

  test('is kept while the letter is purged and restored', async ({ store, clock }) => {
    await die({ store, clock }, 'a');
    await store.apply([move('a')]);
    await act(store, 'purge', 'a');
    deepEqual(await groupsOf(store), []);
    await act(store, 'restore', 'a');
    deepEqual(await groupsOf(store), [['Cards', 1, 'a']]);
    await act(store, 'requeue', 'a');
    equal((await find(store, 'a')).fingerprint, undefined);
  });

  test('acts and progress of a step are committed together', async ({ store, clock }) => {
    await dieInTurn({ store, clock }, { a: {}, b: {}, c: {} });
    const actor = ACTOR;
    await store.beginOperation({ id: 'op', request: '{"act":"regroup"}', actor });
    const step = { id: 'op', revision: 1, acts: [move('a'), move('b'), move('nobody')] };
    const done = await store.stepOperation({ ...step, cursor: 'x', finished: false });
    deepEqual(done.ok && [done.operation.acted, done.operation.refused], [2, 1]);
    const again = await store.stepOperation({ ...step, cursor: 'x', finished: false });
    deepEqual(again.ok || again.refusal, 'stale_revision');
    deepEqual(await groupsOf(store), [
      ['Error: no luck', 1, 'c'],
      ['Cards', 2, 'b'],
    ]);
    equal((await find(store, 'a')).revision, (await find(store, 'c')).revision + 1);
  });
}
