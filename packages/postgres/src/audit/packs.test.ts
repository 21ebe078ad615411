import type { Store } from '@redrive/durable';
import {
  type AuditReader,
  checkProof,
  proveRecord,
  type Verification,
  verifyAudit,
} from '@redrive/durable/audit';
import type { AuditStore } from '@redrive/durable/store';
import { type PlacedBlock, packBlocks } from '@redrive/durable/store';
import type { VirtualClock } from '@redrive/testkit';
import { auditedHistory } from '@redrive/testkit/conformance/audit-store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enqueueOf } from '../testing/commands.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

// A log whose old blocks are in two packs and whose newest are in rows, and what somebody may do to it who can write to
// the tables.

const server = testServer(NO_SYNC);

let store: Store & AuditStore;
let clock: VirtualClock;
let schema = '';
let before: readonly PlacedBlock[];
let close = async () => {};

async function reading<T>(read: (reader: AuditReader) => Promise<T>): Promise<T> {
  const reader = await store.readAudit();
  try {
    return await read(reader);
  } finally {
    await reader.close();
  }
}

async function allBlocks(reader: AuditReader, size = 1_000): Promise<PlacedBlock[]> {
  const all: PlacedBlock[] = [];
  for (;;) {
    const page = await reader.blocks(all.at(-1)?.position ?? '', size);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

async function addBlocks(name: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await store.apply([enqueueOf(`${name}-${n}`)]);
  while ((await store.seal()) !== undefined);
  await clock.advance(1_000);
}

/** A block whose number is far from those of its neighbours: a transaction that was long under way. */
async function addLateNumbers(): Promise<void> {
  await server.sql(`select setval('${schema}.audit_seq', nextval('${schema}.audit_seq') + 400)`);
  await addBlocks('late', 3);
  await server.sql(`select setval('${schema}.audit_seq', nextval('${schema}.audit_seq') - 396)`);
}

beforeAll(async () => {
  const subject = await server.emptyStore();
  ({ store, clock } = subject);
  close = async () => subject.close?.();
  [{ schema }] = (await server.sql(
    "select schemaname as schema from pg_tables where tablename = 'audit_packs'",
  )) as [{ schema: string }];
  await auditedHistory(store, clock, { seed: 11, rounds: 8 });
  await addLateNumbers();
  const options = { sealedForMs: 500, minBlocks: 10 };
  const history = await reading(allBlocks);
  expect(history.length).toBeGreaterThan(40);
  expect(await store.compress(options)).toMatchObject({ blocks: history.length - 1 });
  await addBlocks('more', 30);
  before = await reading(allBlocks);
  expect(await store.compress(options)).toMatchObject({ blocks: 30 });
  await addBlocks('new', 20);
  before = await reading(allBlocks);
});
afterAll(() => close());

function verified(): Promise<Verification> {
  return reading((reader) => verifyAudit(reader));
}

it('is sound, and reads as it did before, in pages of any size', async () => {
  const answer = await verified();
  expect(answer.problems).toEqual([]);
  expect(answer.blocks).toBe(before.length);
  expect(await server.sql(`select count(*)::int as packs from ${schema}.audit_packs`)).toEqual([
    { packs: 2 },
  ]);
  for (const size of [1, 7, 1_000]) {
    expect(await reading((reader) => allBlocks(reader, size))).toEqual(before);
  }
});

it('reads by number, where packs overlap', async () => {
  const byNumber = before.toSorted((a, b) => a.seq - b.seq);
  expect(byNumber).not.toEqual(before);
  const without = byNumber.map(({ position: _position, ...block }) => block);
  for (const [at, { seq }] of byNumber.entries()) {
    expect(await store.auditBlocks(seq - 1, 3)).toEqual(without.slice(at, at + 3));
  }
  expect(await store.auditBlocks(0, 1_000)).toEqual(without);
  await reading(async (reader) => {
    for (const block of before) expect(await reader.block(block.seq)).toEqual(block);
  });
});

it('proves records as before', async () => {
  await reading(async (reader) => {
    const head = await reader.head();
    for (const { seq } of before) {
      const { proof } = await proveRecord(reader, { block: seq, index: 0 });
      expect(checkProof(proof, head)).toMatchObject({ holds: true });
    }
  });
});

/** What is found while a change is there. It is undone from copies of the tables. */
async function foundAfter(change: string): Promise<boolean> {
  const tables = ['audit_packs', 'audit_blocks'];
  for (const table of tables) {
    await server.sql(`create table ${schema}.copy_${table} as table ${schema}.${table}`);
  }
  try {
    await server.sql(change);
    return !(await verified()).ok;
  } finally {
    for (const table of tables) {
      await server.sql(`truncate ${schema}.${table}`);
      await server.sql(`insert into ${schema}.${table} table ${schema}.copy_${table}`);
      await server.sql(`drop table ${schema}.copy_${table}`);
    }
  }
}

/** Other values of each column. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  seq: ['seq + 1000', '-seq'],
  from_position: ["from_position || '0'", "''", "'x' || from_position"],
  to_position: ["to_position || '0'", "''", "'x' || to_position"],
  min_seq: ['min_seq + 1', 'min_seq - 1', '9223372036854775807'],
  max_seq: ['max_seq + 1', 'max_seq - 1', '0'],
  blocks: ['blocks + 1', 'blocks - 1', '-blocks'],
  data: [
    "''::bytea",
    "data || '\\x00'::bytea",
    'substr(data, 1, length(data) - 1)',
    'set_byte(data, length(data) / 2, 255 - get_byte(data, length(data) / 2))',
    'set_byte(data, 0, 255 - get_byte(data, 0))',
  ],
  hash: ["translate(hash, '0123456789', '1234567890')", "''", "hash || ' '"],
};

it('has no column that nobody changes here', async () => {
  const columns = await server.sql(
    'select column_name as name from information_schema.columns where table_schema = $1 and table_name = $2',
    [schema, 'audit_packs'],
  );
  expect(Object.keys(CHANGES).toSorted()).toEqual(columns.map(({ name }) => name).toSorted());
});

it.each(Object.entries(CHANGES))('finds a changed audit_packs.%s', async (column, values) => {
  for (const [at, value] of values.entries()) {
    const one = `where seq = ${1 + (at % 2)}`;
    const change = `update ${schema}.audit_packs set ${column} = ${value} ${one}`;
    expect(await foundAfter(change), change).toBe(true);
  }
});

it('finds a pack that is gone, there twice or in the place of another', async () => {
  const packs = `${schema}.audit_packs`;
  const columns = 'from_position, to_position, min_seq, max_seq, blocks, data, hash';
  for (const change of [
    `delete from ${packs} where seq = 1`,
    `delete from ${packs} where seq = 2`,
    `insert into ${packs} (seq, ${columns}) select 3, ${columns} from ${packs} where seq = 2`,
    `update ${packs} a set (${columns}) = (select ${columns} from ${packs} b where b.seq = 3 - a.seq)`,
  ]) {
    expect(await foundAfter(change), change).toBe(true);
  }
});

it('finds a row that is in a pack, too', async () => {
  const { seq, writer, atMs, prevHash, hash, body, position } = before[4] as PlacedBlock;
  const [epoch, xid] = position.split('.');
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
  const change = `insert into ${schema}.audit_blocks (seq, at, epoch, xid, writer, prev_hash, hash, body)
    values (${seq}, ${atMs}, ${Number(epoch)}, '${Number(xid)}'::xid8, ${text(writer)}, '${prevHash}', '${hash}', ${text(body)})`;
  expect(await foundAfter(change)).toBe(true);
});

it('finds a pack that was made anew by who knows how', async () => {
  const own = before.slice(0, before.length - 51);
  const repacked = (blocks: readonly PlacedBlock[]): string => {
    const pack = packBlocks(1, blocks) ?? expect.fail('nothing was packed');
    return `update ${schema}.audit_packs set from_position = '${pack.from}', to_position = '${pack.to}',
      min_seq = ${pack.minSeq}, max_seq = ${pack.maxSeq}, blocks = ${pack.blocks},
      data = decode('${Buffer.from(pack.data).toString('hex')}', 'hex'), hash = '${pack.hash}' where seq = 1`;
  };
  expect(await foundAfter(repacked(own))).toBe(false);
  for (const wrong of [
    own.toSpliced(7, 1),
    own.with(7, own[8] as PlacedBlock).with(8, own[7] as PlacedBlock),
    own.map((block, at) => (at === 7 ? { ...block, atMs: block.atMs + 1 } : block)),
    own.map((block) => ({ ...block, position: block.position.slice(-16) })),
  ]) {
    expect(await foundAfter(repacked(wrong))).toBe(true);
  }
});

it('goes on after it, and keeps the newest block as a row', async () => {
  const options = { sealedForMs: 0, minBlocks: 1 };
  const answers = await Promise.all([store.compress(options), store.compress(options)]);
  expect(answers.filter((answer) => answer !== undefined)).toEqual([
    expect.objectContaining({ blocks: 20 }),
  ]);
  expect(await store.compress(options)).toBeUndefined();
  await addBlocks('later', 2);
  expect((await verified()).problems).toEqual([]);
  expect(await reading(allBlocks)).toHaveLength(before.length + 2);
});

it('does not pack a block that was changed', async () => {
  await addBlocks('last', 2);
  await server.sql(
    `update ${schema}.audit_blocks set body = body || ' ' where seq = (select min(seq) from ${schema}.audit_blocks)`,
  );
  await expect(store.compress({ sealedForMs: 0, minBlocks: 1 })).rejects.toMatchObject({
    code: 'invalid_record',
  });
  expect((await verified()).ok).toBe(false);
});

it('packs what was sealed long enough ago, however many anchors there are', async () => {
  const { store: other, clock: time, close: end } = await server.emptyStore();
  const oldEnough: number[] = [];
  try {
    // An anchor of one block every second.
    for (let n = 0; n < 12; n++) {
      await other.apply([enqueueOf(`block-${n}`)]);
      while ((await other.seal()) !== undefined);
      await time.advance(1_000);
    }
    for (const sealedForMs of [12_001, 12_000, 7_000, 6_500, 6_000, 1_000, 0]) {
      const done = await other.compress({ sealedForMs, minBlocks: 1 });
      oldEnough.push(done?.blocks ?? 0);
    }
  } finally {
    await end?.();
  }
  // The newest one stays a row.
  expect(oldEnough).toEqual([0, 1, 5, 0, 1, 4, 0]);
});
