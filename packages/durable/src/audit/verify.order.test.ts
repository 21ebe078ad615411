import { openAccount } from '@redrive/core/stored';
import { virtualClock } from '@redrive/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { type AuditSnapshot, snapshotReader } from '../memory/snapshot-reader.ts';
import { auditedHistory } from '../testing/audited-history.ts';
import { bodyOf, kindsIn, snapshotOf } from '../testing/tamper.ts';
import { LEAF_WRITER, positionOf } from './anchor.ts';
import { blockHash } from './encode-block.ts';
import { recordsIn } from './read-body.ts';
import { verifyAudit } from './verify.ts';

let sound: AuditSnapshot;

beforeAll(async () => {
  const { store, policies } = await auditedHistory({ seed: 3, rounds: 60 });
  sound = await snapshotOf(await store.readAudit(), policies);
});

describe('transactions that commit out of the order of their numbers', () => {
  /** As on Postgres: every block by another writer, in another order than they happened. */
  function shuffled(window: number): AuditSnapshot {
    const unchained = sound.blocks.map((block) => {
      return { ...block, writer: LEAF_WRITER, prevHash: '', hash: blockHash('', block.body) };
    });
    const blocks = [];
    for (let at = 0; at < unchained.length; at += window) {
      blocks.push(...unchained.slice(at, at + window).reverse());
    }
    const placed = blocks.map((block, at) => ({ ...block, position: positionOf(at + 1) }));
    return { ...sound, anchors: [], blocks: placed };
  }

  test.each([2, 7, 30])('%i at a time: sound', async (window) => {
    expect(await kindsIn(shuffled(window))).toEqual([]);
  });

  test('a record that never comes is a gap, however many follow', async () => {
    const log = shuffled(2);
    const { id } = jobWithMostRecords(log);
    const blocks = log.blocks.map((block) => {
      const records = recordsIn(block);
      const left = records.filter(({ id: own, revision }) => own !== id || revision !== 2);
      const body = bodyOf(left);
      return left.length === records.length ? block : { ...block, body, hash: blockHash('', body) };
    });
    const { problems } = await verifyAudit(snapshotReader({ ...log, blocks }));
    expect(problems).toMatchObject([{ kind: 'revision', where: { id, revision: 3 } }]);
  });

  function jobWithMostRecords(log: AuditSnapshot): { id: string } {
    const counts = new Map<string, number>();
    for (const { body } of log.blocks) {
      for (const { id, revision } of recordsIn({ body })) {
        if (revision > 0) counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    return { id: most?.[0] ?? '' };
  }
});

test('an id that is used again begins anew', async () => {
  const clock = virtualClock();
  const store = memoryStore({ clock });
  const actor = { name: 'a' };
  const prune = {
    kind: 'prune',
    succeededAfterMs: 0,
    cancelledAfterMs: 0,
    deadAfterMs: 0,
    purgedAfterMs: 0,
    limit: 10,
    actor,
  } as const;
  for (let life = 0; life < 3; life++) {
    await store.apply([enqueueCommand('j')]);
    await store.apply([{ kind: 'act', act: 'cancel', id: 'j', actor }, prune]);
  }
  expect(await verifyAudit(await store.readAudit())).toMatchObject({ ok: true, records: 9 });
});

function enqueueCommand(id: string) {
  return {
    kind: 'enqueue',
    job: {
      id,
      handler: 'h',
      queue: 'default',
      tenant: '',
      priority: 0,
      tags: [],
      headers: {},
      payload: { kind: 'json', text: '{}' },
      sessionId: id,
      idempotencyKey: id,
    },
    onConflict: 'existing',
    account: openAccount(),
    actor: { name: 'a' },
  } as const;
}
