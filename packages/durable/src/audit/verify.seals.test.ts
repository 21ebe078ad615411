import { beforeAll, expect, test } from 'vitest';
import { type AuditSnapshot, snapshotReader } from '../memory/snapshot-reader.ts';
import { auditedHistory } from '../testing/audited-history.ts';
import { kindsIn, resealed, snapshotOf } from '../testing/tamper.ts';
import { LEAF_WRITER, type PlacedBlock, sealBlocks } from './anchor.ts';
import { blockHash } from './encode-block.ts';
import { verifyAudit } from './verify.ts';

// Each kind of problem of blocks and anchors by itself.

let sound: AuditSnapshot;

beforeAll(async () => {
  const { store, policies } = await auditedHistory({ seed: 3, rounds: 60 });
  sound = await snapshotOf(await store.readAudit(), policies);
});

const first = <T>(list: readonly T[], change: (entry: T) => T): T[] =>
  list.map((entry, index) => (index === 5 ? change(entry) : entry));

test('block_hash', async () => {
  const unsealed = { ...sound, anchors: [] };
  const blocks = sound.blocks.with(-1, { ...last(), hash: '0'.repeat(64) });
  expect(await kindsIn({ ...unsealed, blocks })).toEqual(['block_hash']);
});

test('chain', async () => {
  const hash = blockHash('', last().body);
  const blocks = sound.blocks.with(-1, { ...last(), prevHash: '', hash });
  expect(await kindsIn({ ...sound, anchors: [], blocks })).toEqual(['chain']);
});

test('chain: a block of nobody pretends to follow one', async () => {
  const blocks = sound.blocks.with(-1, { ...last(), writer: LEAF_WRITER });
  expect(await kindsIn({ ...sound, anchors: [], blocks })).toEqual(['chain']);
});

test('order', async () => {
  // A store that does not sort.
  const again = sound.blocks.at(-1) ?? last();
  const blocks = [...sound.blocks, { ...again, writer: 'b', prevHash: '', body: '[]' }].map(
    (block, index) =>
      index < sound.blocks.length ? block : { ...block, hash: blockHash('', '[]') },
  );
  const reader = snapshotReader({ ...sound, anchors: [], blocks });
  const pages = [blocks, []];
  const { problems } = await verifyAudit({ ...reader, blocks: async () => pages.shift() ?? [] });
  expect(problems.map(({ kind }) => kind)).toEqual(['order']);
});

test('order: a store that gives the same page again and again', async () => {
  const reader = snapshotReader(sound);
  const page = await reader.blocks('', 3);
  const { problems } = await verifyAudit({ ...reader, blocks: async () => page });
  expect(problems.map(({ kind }) => kind)).toContain('order');
});

test.each([
  ['no JSON', (body: string) => body.slice(1)],
  ['no list', () => '{}'],
  ['no record', (body: string) => body.replace('[[', '[1,[')],
  [
    'a record with an unknown event',
    (body: string) => `${body.slice(0, -1)},["x",0,"no",null,null,0,0,0,0,0,{}]]`,
  ],
  [
    'a record with a broken number',
    (body: string) => `${body.slice(0, -1)},["x",0.5,"act",null,null,0,0,0,0,0,{}]]`,
  ],
  [
    'a record without detail',
    (body: string) => `${body.slice(0, -1)},["x",0,"act",null,null,0,0,0,0,0,null]]`,
  ],
  [
    'a record with an unknown state',
    (body: string) => `${body.slice(0, -1)},["x",0,"act","?",null,0,0,0,0,0,{}]]`,
  ],
])('body: %s', async (_, change) => {
  const log = resealed({
    ...sound,
    blocks: first(sound.blocks, (block) => ({ ...block, body: change(block.body) })),
  });
  expect(await kindsIn(log)).toContain('body');
});

test('anchor_hash', async () => {
  const anchors = sound.anchors.with(-1, { ...lastAnchor(), atMs: 0 });
  expect(await kindsIn({ ...sound, anchors })).toEqual(['anchor_hash']);
});

test('anchor_chain', async () => {
  const before = sound.anchors.at(-2);
  const anchor = sealBlocks({ seq: before?.seq ?? 0, hash: 'other' }, segmentOfLast(), 0);
  const anchors = sound.anchors.slice(0, -1).concat(anchor ?? []);
  expect(await kindsIn({ ...sound, anchors })).toEqual(['anchor_chain']);
  const gap = sealBlocks({ seq: 1_000, hash: before?.hash ?? '' }, segmentOfLast(), 0);
  expect(
    await kindsIn({ ...sound, anchors: sound.anchors.slice(0, -1).concat(gap ?? []) }),
  ).toEqual(['anchor_chain']);
});

test('segment', async () => {
  const blocks = sound.blocks.with(-1, { ...last(), atMs: 0 });
  expect(await kindsIn({ ...sound, blocks })).toEqual(['segment']);
});

test('segment: every column of a block that no chain holds', async () => {
  const body = sound.blocks[0]?.body ?? '';
  const leaf = { ...last(), writer: LEAF_WRITER, prevHash: '', body, hash: blockHash('', body) };
  const anchor = sealBlocks(undefined, [leaf], 0);
  const changes = [{ writer: 'other' }, { atMs: 0 }, { seq: 0 }, { position: `${leaf.position}+` }];
  for (const change of changes) {
    const blocks = [{ ...leaf, ...change }];
    const { problems } = await verifyAudit(
      snapshotReader({ ...sound, blocks, anchors: anchor ? [anchor] : [] }),
    );
    expect(problems.map(({ kind }) => kind)).toContain('segment');
  }
});

test('head: a log that was cut, or made anew', async () => {
  const head = lastAnchor();
  expect(await kindsIn(sound, { head })).toEqual([]);
  expect(await kindsIn({ ...sound, anchors: sound.anchors.slice(0, -1) }, { head })).toEqual([
    'head',
  ]);
  expect(await kindsIn({ ...sound, anchors: [] }, { head })).toEqual(['head']);
  const other = { ...head, hash: '0'.repeat(64) };
  expect(await kindsIn(sound, { head: other })).toEqual(['head']);
  const older = sound.anchors[2];
  expect(await kindsIn(sound, { head: older })).toEqual([]);
});

function last(): PlacedBlock {
  return sound.blocks.at(-1) as PlacedBlock;
}

function lastAnchor() {
  const anchor = sound.anchors.at(-1);
  if (anchor === undefined) throw new Error('There is an anchor.');
  return anchor;
}

function segmentOfLast(): readonly PlacedBlock[] {
  return sound.blocks.slice(-lastAnchor().blocks);
}
