import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AuditSnapshot, snapshotReader } from '../memory/snapshot-reader.ts';
import { auditedHistory } from '../testing/audited-history.ts';
import { snapshotOf } from '../testing/tamper.ts';
import { type PlacedBlock, positionOf } from './anchor.ts';
import { AuditProblems } from './audit-problem.ts';
import { BlockPage } from './block-page.ts';
import { blockHash } from './encode-block.ts';
import {
  type AuditPack,
  compressedInto,
  fillsPack,
  MAX_PACK_BLOCKS,
  MAX_PACK_BYTES,
  PackCache,
  packBlocks,
  packBlocksAside,
  packHash,
  unpackBlocks,
} from './pack.ts';
import { checkPacks } from './pack-check.ts';
import { verifyAudit } from './verify.ts';

let log: AuditSnapshot;
beforeAll(async () => {
  const { store, policies } = await auditedHistory({ seed: 31, rounds: 20 });
  log = await snapshotOf(await store.readAudit(), policies);
});

function packed(blocks: readonly PlacedBlock[], seq = 1): AuditPack {
  return packBlocks(seq, blocks) ?? expect.fail('nothing was packed');
}

/** A block that is sound in itself. */
function blockOf(seq: number, body: string, prevHash = '', writer = 'w'): PlacedBlock {
  const hash = blockHash(prevHash, body);
  return { seq, writer, atMs: seq, prevHash, hash, body, position: positionOf(seq) };
}

describe('packing', () => {
  test('gives back every column of every block, and takes a fraction of the room', () => {
    const pack = packed(log.blocks);
    expect(unpackBlocks(pack)).toEqual(log.blocks);
    expect(pack).toMatchObject({ seq: 1, blocks: log.blocks.length, minSeq: 1 });
    const { bytesBefore, bytesAfter, blocks } = compressedInto(pack, log.blocks);
    expect(blocks).toBe(log.blocks.length);
    expect(bytesAfter * 5).toBeLessThan(bytesBefore);
  });

  test('aside makes the same, and lets others have their turn', async () => {
    let isDone = false;
    const packing = packBlocksAside(1, log.blocks).finally(() => {
      isDone = true;
    });
    // All that a turn of this thread can do, and it is still under way.
    for (let n = 0; n < 100; n++) await Promise.resolve();
    expect(isDone).toBe(false);
    expect(await packing).toEqual(packed(log.blocks));
    expect(await packBlocksAside(1, [])).toBeUndefined();
  });

  test('whatever chains, leaves and bodies there are', () => {
    const some = fc.record({
      writer: fc.constantFrom('a', 'b', 'leaf'),
      body: fc.string({ unit: 'grapheme' }),
      links: fc.constantFrom('chain', 'none', 'other'),
    });
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 30 }), (given) => {
        const last = new Map<string, string>();
        const blocks = given.map(({ writer, body, links }, at) => {
          const chained = links === 'chain' ? (last.get(writer) ?? '') : '';
          const block = blockOf(at + 1, body, links === 'other' ? 'f'.repeat(64) : chained, writer);
          last.set(writer, block.hash);
          return block;
        });
        expect(unpackBlocks(packed(blocks))).toEqual(blocks);
      }),
    );
  });

  test('stops at a thousand blocks or a megabyte, and takes at least one', () => {
    const small = Array.from({ length: MAX_PACK_BLOCKS + 5 }, (_, at) => blockOf(at + 1, '[]'));
    expect(packed(small).blocks).toBe(MAX_PACK_BLOCKS);
    const large = [1, 2, 3].map((seq) => blockOf(seq, 'x'.repeat(0.4 * MAX_PACK_BYTES)));
    expect(packed(large).blocks).toBe(2);
    const huge = [1, 2].map((seq) => blockOf(seq, 'x'.repeat(2 * MAX_PACK_BYTES)));
    expect(packed(huge).blocks).toBe(1);
    expect(packBlocks(1, [])).toBeUndefined();
    expect([small, small.slice(0, 999), large].map((each) => fillsPack(each, 1_000))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('a block that was changed is not packed: it would look right again', () => {
    const changed = log.blocks.map((block, at) =>
      at === 3 ? { ...block, hash: block.prevHash } : block,
    );
    expect(() => packBlocks(1, changed)).toThrow(
      expect.objectContaining({ code: 'invalid_record', details: { block: 4 } }),
    );
  });
});

describe('verification', () => {
  /** The log with its first blocks in two packs. */
  function withPacks(change: (packs: AuditPack[]) => readonly AuditPack[]): AuditSnapshot {
    const packs = [packed(log.blocks.slice(0, 10)), packed(log.blocks.slice(10, 25), 2)];
    return { ...log, packs: change(packs) };
  }

  async function problemsOf(change: (packs: AuditPack[]) => readonly AuditPack[]) {
    const { problems } = await verifyAudit(snapshotReader(withPacks(change)));
    return [...new Set(problems.map(({ kind }) => kind))];
  }

  test('sound packs have no problem', async () => {
    expect(await problemsOf((packs) => packs)).toEqual([]);
  });

  const first = (change: Partial<AuditPack>) => (packs: AuditPack[]) =>
    packs.map((pack, at) => (at === 0 ? { ...pack, ...change } : pack));
  /** By who can compute the pack's hash, too. */
  const rehashed = (change: Partial<AuditPack>) => (packs: AuditPack[]) =>
    first(change)(packs).map((pack) => ({ ...pack, hash: packHash(pack) }));

  const CHANGES: Partial<AuditPack>[] = [
    { seq: 7 },
    { from: positionOf(2) },
    { to: positionOf(12) },
    { minSeq: 0 },
    { maxSeq: 11 },
    { blocks: 9 },
    { data: new Uint8Array() },
    { data: deflateRawSync('[[1]]') },
  ];
  test.each(CHANGES)('a changed column: %o', async (change) => {
    expect(await problemsOf(first(change))).toEqual(['pack']);
    expect(await problemsOf(rehashed(change))).toEqual(['pack']);
  });

  test('a changed hash, bytes behind the end, a pack that is gone or there twice', async () => {
    expect(await problemsOf(first({ hash: '0'.repeat(64) }))).toEqual(['pack']);
    const longer = (packs: AuditPack[]) =>
      packs.map((pack) => ({ ...pack, data: Buffer.concat([pack.data, Uint8Array.of(1)]) }));
    expect(await problemsOf(longer)).toEqual(['pack']);
    expect(await problemsOf((packs) => packs.slice(1))).toEqual(['pack']);
    expect(await problemsOf(([a, b]) => (a && b ? [a, { ...b, ...a, seq: 2 }] : []))).toEqual([
      'pack',
    ]);
  });

  test('every single byte of a pack', async () => {
    const pack = packed(log.blocks.slice(0, 3));
    for (let at = 0; at < pack.data.length; at++) {
      const data = Buffer.from(pack.data);
      data[at] = (data[at] ?? 0) ^ 1;
      const problems = new AuditProblems(1);
      const packs = [{ ...pack, data }];
      await checkPacks(snapshotReader({ ...log, packs }), problems);
      expect(problems.found, `byte ${at}`).toBeGreaterThan(0);
    }
  });

  test('far more blocks than belong into a pack are a problem, not an error', async () => {
    const blocks = Array(200_000).fill([1, 'w', 1, positionOf(1), '', '[]']);
    const data = deflateRawSync(JSON.stringify(blocks));
    const problems = new AuditProblems(1);
    const packs = [{ ...packed(log.blocks), data }];
    await checkPacks(snapshotReader({ ...log, packs }), problems);
    expect(problems.found).toBeGreaterThan(0);
  });

  test('what is no pack at all is read without an error', () => {
    for (const text of ['', '{}', '[1]', '[[1,2,3,4,5,6]]', '[[1,"w",1,"x","",""]]']) {
      expect(unpackBlocks({ data: deflateRawSync(text) })).toBeUndefined();
    }
    expect(unpackBlocks({ data: Uint8Array.of(1, 2, 3) })).toBeUndefined();
    expect(inflateRawSync(packed(log.blocks).data).length).toBeGreaterThan(1_000);
  });
});

test('pages from packs and rows are those of one list, by position and by number', () => {
  const some = fc.record({
    // Where each block is: in a row, or in a pack of neighbours by position.
    cuts: fc.array(fc.nat(20), { maxLength: 4 }),
    rows: fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
    // Numbers are in another order than positions.
    numbers: fc.shuffledSubarray([...Array(20).keys()], { minLength: 20 }),
    after: fc.integer({ min: -1, max: 21 }),
    limit: fc.integer({ min: 1, max: 12 }),
  });
  fc.assert(
    fc.property(some, ({ cuts, rows, numbers, after, limit }) => {
      const all = numbers.map((seq, place) => ({
        ...blockOf(seq, '[]'),
        position: positionOf(place),
      }));
      const edges = [0, ...cuts.toSorted((a, b) => a - b), 20];
      const packs = edges
        .slice(1)
        .map((end, at) => all.slice(edges[at], end).filter((_, n) => !rows[(edges[at] ?? 0) + n]))
        .filter((blocks) => blocks.length > 0);
      const left = all.filter((_, place) => rows[place]);

      const byPosition = new BlockPage('position', positionOf(Math.max(0, after)), limit);
      for (const blocks of packs) {
        if (!byPosition.wants(blocks[0]?.position ?? '')) break;
        byPosition.add(blocks);
      }
      const upTo = byPosition.upTo;
      byPosition.add(left.filter(({ position }) => upTo === undefined || position <= upTo));
      const behind = all.filter(({ position }) => position > positionOf(Math.max(0, after)));
      expect(byPosition.blocks).toEqual(behind.slice(0, limit));

      const bySeq = new BlockPage('seq', after, limit);
      const least = (blocks: PlacedBlock[]) => Math.min(...blocks.map(({ seq }) => seq));
      for (const blocks of packs.toSorted((a, b) => least(a) - least(b))) {
        if (!bySeq.wants(least(blocks))) break;
        bySeq.add(blocks);
      }
      const most = bySeq.upTo;
      bySeq.add(left.filter(({ seq }) => most === undefined || seq <= most));
      const sorted = all.toSorted((a, b) => a.seq - b.seq).filter(({ seq }) => seq > after);
      expect(bySeq.blocks).toEqual(sorted.slice(0, limit));
    }),
  );
});

test('the cache gives back what it unpacked, and takes a changed pack for another', () => {
  const cache = new PackCache();
  const pack = packed(log.blocks);
  expect(cache.blocksOf(pack)).toBe(cache.blocksOf(pack));
  for (let seq = 2; seq < 8; seq++) cache.blocksOf(packed(log.blocks, seq));
  expect(cache.blocksOf(pack)).toEqual(log.blocks);
  expect(cache.blocksOf({ ...pack, data: new Uint8Array() })).toEqual([]);
});
