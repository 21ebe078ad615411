import { testCollection } from '@redrive/testkit/conformance/document-source';
import { expect, it } from 'vitest';
import type { StoredDocument } from './document-source.ts';
import { changesBy, type WriteDocuments } from './document-write.ts';

const collection = testCollection('archives');

/** Documents whose ids begin with `no` are not written. */
function recorded(documents: readonly StoredDocument[] = []) {
  const calls: (readonly string[])[] = [];
  const write: WriteDocuments = async (_, { operation, where }, targets) => {
    calls.push([operation, where, ...targets.map(({ id }) => id)]);
    return targets.map(({ id }) => !id.startsWith('no'));
  };
  const byIds = async (_: unknown, ids: readonly string[]) => {
    calls.push(['byIds', ...ids]);
    return { nowMs: 0, documents };
  };
  return { calls, source: changesBy(write, byIds) };
}

it('a page of claims is one write', async () => {
  const { calls, source } = recorded();
  const claims = ['a', 'no b', 'c'].map((id) => ({ id, stamp: '[]', event: 'e' }));
  expect(await source.claim(collection, claims)).toEqual([true, false, true]);
  expect(calls).toEqual([['claim', 'unclaimed', 'a', 'no b', 'c']]);
});

it('a list of several kinds is one write per kind, with the answers in the order of the list', async () => {
  const { calls, source } = recorded();
  const answers = await source.settle(collection, [
    { id: 'no a', event: 'e', to: 'sent' },
    { id: 'b', event: 'e', to: 'stored' },
    { id: 'c', event: 'e', to: 'sent' },
    { id: 'no d', event: 'e', to: 'dropped' },
  ]);
  expect(answers).toEqual([false, true, true, false]);
  expect(calls).toEqual([
    ['settle', 'claimed', 'no a', 'c'],
    ['settle', 'claimed', 'b'],
    ['settle', 'claimed', 'no d'],
  ]);
});

it('a reset that was made before is found by its event, in a pending document only', async () => {
  const found = (id: string, status: string, event: string): StoredDocument => {
    const mark = { event, sent: true, atMs: 0 };
    return { id, status, count: 1, timeMs: 0, stamp: '', mark, values: {} };
  };
  const { calls, source } = recorded([
    found('no a', 'pending', 'e'),
    found('no b', 'processed', 'e'),
    found('no c', 'pending', 'another'),
  ]);
  const resets = ['no a', 'no b', 'no c', 'no d', 'e'].map((id) => ({ id, event: 'e' }));
  expect(await source.reset(collection, [...resets, { id: 'no f' }])).toEqual([
    ...[true, false, false, false, true],
    false,
  ]);
  expect(calls.at(-1)).toEqual(['byIds', 'no a', 'no b', 'no c', 'no d']);
});
