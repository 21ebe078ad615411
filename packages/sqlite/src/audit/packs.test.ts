import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type AuditReader,
  checkProof,
  proveRecord,
  type Verification,
  verifyAudit,
} from '@redrive/durable/audit';
import { type Anchor, type PlacedBlock, packBlocks, recordsIn } from '@redrive/durable/store';
import { seededRandom, virtualClock } from '@redrive/testkit';
import { auditedHistory } from '@redrive/testkit/conformance/audit-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

// A log whose old blocks are in two packs and whose newest are in rows, and what somebody may do to it who can write to
// the file. Each test begins with a copy.

let place: Scratch;
let head: Anchor | undefined;
let before: readonly PlacedBlock[];
let copies = 0;

const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
const open = (path: string) => openMade(path, { clock }, { audit: true, start: withoutThreads });
type Opened = Awaited<ReturnType<typeof open>>;

async function reading<T>(store: Opened, read: (reader: AuditReader) => Promise<T>): Promise<T> {
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

async function addBlocks(store: Opened, name: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await store.apply([enqueueOf(`${name}-${n}`)]);
  head = await store.seal();
  await clock.advance(1_000);
}

beforeAll(async () => {
  place = scratch();
  const store = await open(place.path);
  await auditedHistory(store, clock, { seed: 11, rounds: 12 });
  await clock.advance(1_000);
  before = await reading(store, allBlocks);
  const first = await store.compress({ sealedForMs: 500, minBlocks: 10 });
  expect(first?.blocks).toBe(before.length - 1);
  await addBlocks(store, 'more', 30);
  before = await reading(store, allBlocks);
  expect(await store.compress({ sealedForMs: 500, minBlocks: 10 })).toMatchObject({ blocks: 30 });
  await addBlocks(store, 'new', 20);
  before = await reading(store, allBlocks);
  await store.close();
});
afterAll(() => place.remove());

function copy(): string {
  copies += 1;
  const path = join(place.directory, `copy-${copies}.db`);
  copyFileSync(place.path, path);
  return path;
}

async function found(change: (db: DatabaseSync) => void): Promise<Verification> {
  const path = copy();
  const db = new DatabaseSync(path);
  change(db);
  db.close();
  const store = await open(path);
  const answer = await reading(store, (reader) => verifyAudit(reader, { head }));
  await store.close();
  return answer;
}

const sql =
  (text: string, ...values: (string | number | Uint8Array)[]) =>
  (db: DatabaseSync): void => {
    const { changes } = db.prepare(text).run(...values);
    if (changes === 0) throw new Error(`Nothing was changed: ${text}`);
  };

describe('a log with packs', () => {
  it('is sound, and takes less room', async () => {
    const answer = await found(() => {});
    expect(answer.problems).toEqual([]);
    expect(answer.blocks).toBe(before.length);
    expect(answer.sealed).toBe(answer.records);
    const db = new DatabaseSync(place.path, { readOnly: true });
    const rows = db.prepare(
      'SELECT (SELECT count(*) FROM audit_packs) AS packs, count(*) AS rows FROM audit_blocks',
    );
    expect(rows.get()).toEqual({ packs: 2, rows: 21 });
    db.close();
  });

  it('reads as it did before, in pages of any size, by position and by number', async () => {
    const store = await open(copy());
    const reader = await store.readAudit();
    for (const size of [1, 7, 1_000]) expect(await allBlocks(reader, size)).toEqual(before);
    for (const { seq } of before) expect(await reader.block(seq)).toEqual(before[seq - 1]);
    expect(await reader.block(before.length + 1)).toBeUndefined();
    const without = before.map(({ position: _position, ...block }) => block);
    for (const after of [0, 5, before.length - 25, before.length - 2, before.length]) {
      expect(await store.auditBlocks(after, 40)).toEqual(without.slice(after, after + 40));
    }
    await reader.close();
    await store.close();
  });

  it('proves every record as before', async () => {
    const store = await open(copy());
    const reader = await store.readAudit();
    for (const { seq, body } of before) {
      for (const index of recordsIn({ body }).keys()) {
        const { proof } = await proveRecord(reader, { block: seq, index });
        expect(checkProof(proof, head)).toMatchObject({ holds: true });
      }
    }
    await reader.close();
    await store.close();
  });

  it('goes on with its chain and its numbers, also when nothing but the newest block is left', async () => {
    const path = copy();
    const store = await open(path);
    expect(await store.compress({ sealedForMs: 0, minBlocks: 1 })).toMatchObject({ blocks: 20 });
    expect(await store.compress({ sealedForMs: 0, minBlocks: 1 })).toBeUndefined();
    await store.close();
    const again = await open(path);
    await again.apply([enqueueOf('later')]);
    await again.seal();
    const answer = await reading(again, (reader) => verifyAudit(reader, { head }));
    expect(answer.problems).toEqual([]);
    expect(answer.blocks).toBe(before.length + 1);
    await again.close();
  });

  it('two compressors at a time pack each block once', async () => {
    const path = copy();
    const stores = [await open(path), await open(path)];
    const options = { sealedForMs: 0, minBlocks: 1 };
    const answers = await Promise.all(stores.map((store) => store.compress(options)));
    expect(answers.filter((answer) => answer !== undefined).length).toBeGreaterThan(0);
    const [first] = stores as [Opened];
    expect(await reading(first, (reader) => verifyAudit(reader, { head }))).toMatchObject({
      ok: true,
    });
    await Promise.all(stores.map((store) => store.close()));
  });

  it('what is not sealed long enough, or too little for a pack, stays', async () => {
    const store = await open(copy());
    expect(await store.compress({ sealedForMs: 3_600_000, minBlocks: 1 })).toBeUndefined();
    expect(await store.compress({ sealedForMs: 0 })).toBeUndefined();
    expect(await store.compress({ sealedForMs: 0, minBlocks: 21 })).toBeUndefined();
    await store.close();
  });

  it('a block that was changed is not packed, and goes on to be found', async () => {
    const path = copy();
    const db = new DatabaseSync(path);
    sql(
      "UPDATE audit_blocks SET body = replace(body, 'mail', 'male') WHERE seq = ?",
      before.length - 5,
    )(db);
    db.close();
    const store = await open(path);
    await expect(store.compress({ sealedForMs: 0, minBlocks: 1 })).rejects.toMatchObject({
      code: 'invalid_record',
      details: { block: before.length - 5 },
    });
    const { ok } = await reading(store, verifyAudit);
    expect(ok).toBe(false);
    await store.close();
  });
});

const OTHER = {
  number: ['$ + 1', '$ - 1', '-$', '9223372036854775807', '-9223372036854775808', '$ + 100000'],
  text: [
    "'x' || $",
    "''",
    "substr($, 1, 5) || 'x' || substr($, 7)",
    '$ || $',
    "replace(replace($, '0', '1'), '2', '3')",
  ],
  blob: [
    "x''",
    'zeroblob(length($))',
    "CAST($ || x'00' AS BLOB)",
    'CAST(substr($, 1, length($) - 1) AS BLOB)',
    "CAST(substr($, 1, 99) || x'55' || substr($, 101) AS BLOB)",
  ],
} as const;

const COLUMNS = {
  number: ['seq', 'min_seq', 'max_seq', 'blocks'],
  text: ['from_position', 'to_position', 'hash'],
  blob: ['data'],
} as const;

describe('a changed pack is found', () => {
  const changes = (['number', 'text', 'blob'] as const).flatMap((type) =>
    COLUMNS[type].flatMap((column) =>
      OTHER[type].map((other, at) => {
        const seq = 1 + (at % 2);
        return [`${column} = ${other.replaceAll('$', column)}`, seq, column, other] as const;
      }),
    ),
  );

  it.each(changes)('%s of pack %i', async (_, seq, column, other) => {
    const value = other.replaceAll('$', column);
    const change = `UPDATE audit_packs SET ${column} = ${value} WHERE seq = ${seq} AND ${column} IS NOT (${value})`;
    const isTaken = column === 'seq' && [1, 2].includes(seq + (other === '$ + 1' ? 1 : -1));
    if (isTaken && other.endsWith(' 1')) return;
    expect((await found(sql(change))).ok).toBe(false);
  });

  it('has no other column', () => {
    const db = new DatabaseSync(place.path, { readOnly: true });
    const columns = db.prepare("SELECT name FROM pragma_table_info('audit_packs')").all();
    const tables = db
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'audit%' ORDER BY 1",
      )
      .all();
    db.close();
    expect(columns.map(({ name }) => name).toSorted()).toEqual(
      Object.values(COLUMNS).flat().toSorted(),
    );
    expect(tables.map(({ name }) => name)).toEqual([
      'audit_anchors',
      'audit_blocks',
      'audit_packs',
    ]);
  });

  const random = seededRandom(3);
  it('one bit anywhere', async () => {
    for (let time = 0; time < 40; time++) {
      const { ok } = await found((db) => {
        const { data } = db.prepare('SELECT data FROM audit_packs WHERE seq = 1').get() as {
          data: Uint8Array;
        };
        const at = Math.floor(random() * data.length);
        data[at] = (data[at] ?? 0) ^ (1 << Math.floor(random() * 8));
        sql('UPDATE audit_packs SET data = ? WHERE seq = 1', data)(db);
      });
      expect(ok).toBe(false);
    }
  });

  /** Made anew by somebody who knows how, with the pack's own hash. */
  const repacked = (change: (blocks: PlacedBlock[]) => PlacedBlock[]) => (db: DatabaseSync) => {
    const pack = packBlocks(1, change(before.slice(0, before.length - 51)));
    if (pack === undefined) throw new Error('nothing was packed');
    const { from, to, minSeq, maxSeq, blocks, data, hash } = pack;
    db.prepare(
      `UPDATE audit_packs SET from_position = ?, to_position = ?, min_seq = ?, max_seq = ?, blocks = ?, data = ?,
       hash = ? WHERE seq = 1`,
    ).run(from, to, minSeq, maxSeq, blocks, data, hash);
  };

  it('is as it was, when nothing is changed in it', async () => {
    expect((await found(repacked((blocks) => blocks))).problems).toEqual([]);
  });

  const ROWS: Readonly<Record<string, (db: DatabaseSync) => void>> = {
    'a pack dropped': sql('DELETE FROM audit_packs WHERE seq = 1'),
    'the last pack dropped': sql('DELETE FROM audit_packs WHERE seq = 2'),
    'a pack there twice': sql(
      'INSERT INTO audit_packs SELECT 3, from_position, to_position, min_seq, max_seq, blocks, data, hash FROM audit_packs WHERE seq = 2',
    ),
    'two packs in each other’s place': (db) => {
      db.exec(`UPDATE audit_packs SET seq = -1 WHERE seq = 1; UPDATE audit_packs SET seq = 1 WHERE seq = 2;
        UPDATE audit_packs SET seq = 2 WHERE seq = -1`);
    },
    'a row that is in a pack, too': (db) => {
      const { seq, writer, atMs, prevHash, hash, body } = before[4] as PlacedBlock;
      sql(
        'INSERT INTO audit_blocks VALUES (?, ?, ?, ?, ?, ?)',
        seq,
        writer,
        atMs,
        prevHash,
        hash,
        body,
      )(db);
    },
    'a block left out, and packed anew': repacked((blocks) => blocks.toSpliced(7, 1)),
    'two blocks exchanged, and packed anew': repacked((blocks) =>
      blocks.with(7, blocks[8] as PlacedBlock).with(8, blocks[7] as PlacedBlock),
    ),
    'a time changed, and packed anew': repacked((blocks) =>
      blocks.map((block) => (block.seq === 7 ? { ...block, atMs: block.atMs + 1 } : block)),
    ),
    'a writer changed, and packed anew': repacked((blocks) =>
      blocks.map((block) => (block.seq === 7 ? { ...block, writer: 'leaf' } : block)),
    ),
    'the positions of another store, packed anew': repacked((blocks) =>
      blocks.map((block) => ({
        ...block,
        position: `0001.00000000000000000007.${block.position}`,
      })),
    ),
  };
  it.each(Object.entries(ROWS))('%s', async (_, change) => {
    expect((await found(change)).ok).toBe(false);
  });
});
