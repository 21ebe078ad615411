import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { Store } from '@redrive/durable';
import {
  type AuditReader,
  checkProof,
  proveRecord,
  replaySession,
  type Verification,
  verifyAudit,
} from '@redrive/durable/audit';
import {
  type Anchor,
  type AuditStore,
  type JobLookup,
  type PlacedBlock,
  placedRecordsIn,
} from '@redrive/durable/store';
import { auditedHistory } from './audit-store/history.ts';
import { ACTOR, enqueueOf as enqueue } from './store/commands.ts';
import type { StoreUnderTest, TestRunner } from './store/suite.ts';

export { auditedHistory, type HistoryOptions } from './audit-store/history.ts';
export { settleWith } from './audit-store/settle-with.ts';

/** A store under test whose audit log can be sealed and read. */
export interface AuditStoreUnderTest extends StoreUnderTest {
  readonly store: Store & AuditStore;
  readonly reopen?: () => Promise<Store & AuditStore>;
}

/**
 * Registers the tests that every `AuditStore` must pass, with virtual time. `makeStore` is called once per test and must
 * give an empty store each time.
 */
export function auditStoreConformance(
  makeStore: () => Promise<AuditStoreUnderTest>,
  { describe, it }: TestRunner,
): void {
  function test(name: string, body: (subject: AuditStoreUnderTest) => Promise<void>): void {
    it(name, async () => {
      const subject = await makeStore();
      try {
        await body(subject);
      } finally {
        await subject.close?.();
      }
    });
  }

  describe('sealing', () => {
    test('an empty log has nothing to seal, and is sound', async ({ store }) => {
      equal(await store.seal(), undefined);
      const answer = await reading(store, verifyAudit);
      deepEqual([answer.ok, answer.records, answer.head], [true, 0, undefined]);
    });

    test('everything that can happen, sealed and verified', async ({ store, clock }) => {
      await auditedHistory(store, clock, { seed: 2, rounds: 40 });
      const answer = await reading(store, verifyAudit);
      deepEqual(answer.problems, []);
      equal(answer.sealed, answer.records);
      ok(answer.decisions > 200);
    });

    test('an anchor covers the blocks since the one before', async ({ store, clock }) => {
      await store.apply([enqueue('a')]);
      await store.apply([enqueue('b')]);
      const first = await store.seal();
      equal(await store.seal(), undefined);
      await clock.advance(1_000);
      await store.apply([enqueue('c')]);
      const second = await store.seal();
      deepEqual([first?.seq, first?.blocks, first?.prevHash], [1, 2, '']);
      deepEqual([second?.seq, second?.blocks, second?.prevHash], [2, 1, first?.hash]);
      equal(second?.from, second?.to);
      equal((second?.atMs ?? 0) - (first?.atMs ?? 0), 1_000);
      const anchors = await reading(store, (reader) => reader.anchors(undefined, 10));
      deepEqual(anchors, [first, second]);
      const head = await reading(store, (reader) => reader.head());
      deepEqual(head, second);
    });

    test('a seal counts the dead letters that left, each once', async ({ store, clock }) => {
      const act = (kind: 'requeue' | 'reset' | 'purge' | 'restore' | 'cancel', id: string) =>
        ({ kind: 'act', act: kind, id, actor: ACTOR }) as const;
      const prune = (id: string, why?: string) => {
        const after = {
          deadAfterMs: 0,
          succeededAfterMs: 0,
          cancelledAfterMs: 0,
          purgedAfterMs: 0,
        };
        const actor = { ...ACTOR, why };
        return { kind: 'prune', ...after, limit: 10, only: [{ id, revision: 1 }], actor } as const;
      };
      const letters = ['r1', 'r2', 'r3', 'p1', 'p2', 'd1', 'd2', 'a1', 's1'];
      const buried = letters.map((id) => ({
        ...enqueue(id),
        dead: { reason: 'final_error' as const },
      }));
      await store.apply([...buried, enqueue('c1')]);
      equal((await store.seal())?.removed, undefined);
      await clock.advance(1_000);
      await store.apply([act('requeue', 'r1'), act('requeue', 'r2')]);
      // A job that was not dead, and a dead letter that stays.
      await store.apply([
        act('cancel', 'c1'),
        act('requeue', 'r3'),
        act('purge', 'p1'),
        act('reset', 's1'),
      ]);
      await store.apply([act('purge', 'c1'), act('purge', 'p2'), act('restore', 'p2')]);
      await store.apply([prune('d1'), prune('d2')]);
      await store.apply([prune('a1', 'archived')]);
      const sealed = await store.seal();
      deepEqual(sealed?.removed, { requeue: 3, purge: 2, retention: 2, archive: 1 });
      const head = await reading(store, (reader) => reader.head());
      const { removed: _, ...anchor } = sealed ?? {};
      deepEqual(anchor, head);
      equal(await store.seal(), undefined);
    });

    test('sealers at the same time do not come in each other’s way', async ({ store }) => {
      for (let round = 0; round < 5; round++) {
        await store.apply([enqueue(`job-${round}`)]);
        await Promise.all(Array.from({ length: 5 }, () => store.seal()));
      }
      while ((await store.seal()) !== undefined);
      const answer = await reading(store, verifyAudit);
      deepEqual([answer.problems, answer.sealed], [[], 5]);
    });

    test('a log that goes on after the store was opened anew', async ({ store, reopen }) => {
      if (reopen === undefined) return;
      await store.apply([enqueue('a')]);
      const head = await store.seal();
      const again = await reopen();
      await again.apply([enqueue('b')]);
      equal((await again.seal())?.prevHash, head?.hash);
      const answer = await reading(again, (reader) => verifyAudit(reader, { head }));
      deepEqual([answer.problems, answer.sealed], [[], 2]);
    });
  });

  describe('reading', () => {
    test('shows one moment, also while others write', async ({ store }) => {
      await store.apply([enqueue('a'), enqueue('b')]);
      await store.seal();
      const reader = await store.readAudit();
      const before = await everything(reader);
      await store.apply([enqueue('c'), { kind: 'act', act: 'cancel', id: 'a', actor: ACTOR }]);
      await store.seal();
      deepEqual(await everything(reader), before);
      await reader.close();
      await reader.close();
      const after = await reading(store, everything);
      deepEqual([after.anchors.length, after.blocks.length, after.lookups.length], [2, 2, 3]);
    });

    test('in pages of any size gives the same', async ({ store, clock }) => {
      await auditedHistory(store, clock, { seed: 4, rounds: 6 });
      const reader = await store.readAudit();
      const whole = await everything(reader);
      ok(whole.anchors.length > 1 && whole.blocks.length > 20 && whole.lookups.length > 5);
      for (const size of [1, 3]) deepEqual(await everything(reader, size), whole);
      await reader.close();
    });

    test('positions increase, and are those of the anchors', async ({ store, clock }) => {
      await auditedHistory(store, clock, { seed: 5, rounds: 6 });
      const { anchors, blocks } = await reading(store, everything);
      const positions = blocks.map(({ position }) => position);
      deepEqual(positions, [...new Set(positions)].sort());
      let sealed = 0;
      for (const anchor of anchors) {
        const segment = blocks.slice(sealed, sealed + anchor.blocks);
        deepEqual([segment[0]?.position, segment.at(-1)?.position], [anchor.from, anchor.to]);
        sealed += anchor.blocks;
      }
    });

    test('has the blocks as the store itself gives them', async ({ store }) => {
      await store.apply([enqueue('a')]);
      await store.apply([enqueue('b')]);
      const blocks = await reading(store, (reader) => reader.blocks('', 10));
      deepEqual(blocks.map(withoutPosition), await store.auditBlocks(0, 10));
    });

    test('gives one block by its number', async ({ store, clock }) => {
      await auditedHistory(store, clock, { seed: 7, rounds: 3 });
      const reader = await store.readAudit();
      const { blocks } = await everything(reader);
      for (const block of blocks) deepEqual(await reader.block(block.seq), block);
      equal(await reader.block(1_000_000), undefined);
      await reader.close();
    });

    test('every record can be proven, and the proof holds without the store', async ({
      store,
      clock,
    }) => {
      await auditedHistory(store, clock, { seed: 8, rounds: 8 });
      const { verification, unproven, differing } = await readWholeAudit(store);
      ok((verification.head?.seq ?? 0) > 1);
      deepEqual([unproven, differing], [[], []]);
    });

    test('has a look-up for every job that is there, also a purged one', async ({ store }) => {
      await store.apply([enqueue('a'), enqueue('b'), enqueue('é'), enqueue('😀'), enqueue('B')]);
      await store.apply([
        { kind: 'act', act: 'cancel', id: 'b', actor: ACTOR },
        { kind: 'act', act: 'purge', id: 'b', actor: ACTOR },
      ]);
      const lookups = await reading(store, (reader) => reader.lookups('', 10));
      deepEqual(
        lookups.map(({ id }) => id),
        ['B', 'a', 'b', 'é', '😀'],
      );
      const job = await store.job('b');
      const { row, misplaced = [], ...lookup } = lookups[2] ?? {};
      deepEqual(misplaced, []);
      deepEqual(row?.handler, job?.handler);
      deepEqual(lookup, {
        id: 'b',
        revision: 3,
        token: 0,
        auditBlock: job?.auditBlock,
        state: 'purged',
      });
    });

    test('knows policies', async ({ store, clock }) => {
      const policies = await auditedHistory(store, clock, { seed: 6, rounds: 1 });
      for (const [hash, { id, policy }] of policies) {
        const stored = await reading(store, (reader) => reader.policy(hash));
        deepEqual([stored?.id, stored?.policy.maxAttempts], [id, policy.maxAttempts]);
      }
      equal(await reading(store, (reader) => reader.policy('nobody')), undefined);
    });

    test('ends with the store', async ({ store }) => {
      await store.close();
      await rejects(store.seal(), { code: 'store_unavailable' });
      await rejects(store.readAudit(), { code: 'store_unavailable' });
    });
  });
}

/** The answers of `audit verify`, `audit prove` and `audit replay` to everything in a log. */
export interface WholeAudit {
  readonly verification: Verification;
  /** Records whose proof does not hold: `17.0`. */
  readonly unproven: readonly string[];
  /** Jobs whose decisions cannot be derived again with the same answers. */
  readonly differing: readonly string[];
}

/** Verifies a log, proves each of its records, and replays each job that is there. */
export function readWholeAudit(store: AuditStore): Promise<WholeAudit> {
  return reading(store, async (reader) => {
    const { blocks, lookups, anchors } = await everything(reader);
    const unproven: string[] = [];
    for (const block of blocks) {
      for (const { index } of placedRecordsIn(block)) {
        const { proof } = await proveRecord(reader, { block: block.seq, index });
        const check = checkProof(JSON.parse(JSON.stringify(proof ?? null)), anchors.at(-1));
        const isSame =
          check.holds && check.place.block === block.seq && check.place.index === index;
        if (!isSame) unproven.push(`${block.seq}.${index}`);
      }
    }
    const differing: string[] = [];
    for (const { id } of lookups) {
      const { same, steps } = await replaySession(reader, id);
      if (!same || steps.length === 0) differing.push(id);
    }
    return { verification: await verifyAudit(reader), unproven, differing };
  });
}

/** Opens the log, reads, and closes it. */
async function reading<T>(
  store: AuditStore,
  read: (reader: AuditReader) => Promise<T>,
): Promise<T> {
  const reader = await store.readAudit();
  try {
    return await read(reader);
  } finally {
    await reader.close();
  }
}

/** All that a reader has, in pages of a size. */
async function everything(reader: AuditReader, size = 1_000) {
  return {
    anchors: await pages<Anchor>((last) => reader.anchors(last?.seq, size)),
    blocks: await pages<PlacedBlock>((last) => reader.blocks(last?.position ?? '', size)),
    lookups: await pages<JobLookup>((last) => reader.lookups(last?.id ?? '', size)),
  };
}

async function pages<T>(next: (last: T | undefined) => Promise<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for (let page = await next(undefined); page.length > 0; page = await next(all.at(-1))) {
    all.push(...page);
  }
  return all;
}

function withoutPosition({ position: _position, ...block }: PlacedBlock) {
  return block;
}
