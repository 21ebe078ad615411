import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Verification, verifyAudit } from '@redrive/durable/audit';
import type { Anchor } from '@redrive/durable/store';
import { blockHash } from '@redrive/durable/store';
import { seededRandom, virtualClock } from '@redrive/testkit';
import { auditedHistory } from '@redrive/testkit/conformance/audit-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enqueueIn } from '../enqueue-in.ts';
import { enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { type Scratch, scratch } from '../testing/scratch.ts';
import { withoutThreads } from '../testing/without-threads.ts';

// Whoever can write to the file changes rows of the audit tables, or of the jobs that are looked up, behind the store's
// back. Each test begins with a copy of one sealed file.

let place: Scratch;
let head: Anchor | undefined;
let copies = 0;

const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
const open = (path: string) => openMade(path, { clock }, { audit: true, start: withoutThreads });

beforeAll(async () => {
  place = scratch();
  const store = await open(place.path);
  await auditedHistory(store, clock, { seed: 11, rounds: 12 });
  const db = new DatabaseSync(place.path);
  db.exec('PRAGMA synchronous = FULL');
  for (const id of ['leaf-1', 'leaf-2']) {
    db.exec('BEGIN IMMEDIATE');
    enqueueIn(db, enqueueOf(id), { clock });
    db.exec('COMMIT');
  }
  db.close();
  await store.apply([enqueueOf('last')]);
  for (let anchor = await store.seal(); anchor !== undefined; anchor = await store.seal()) {
    head = anchor;
  }
  await store.close();
});
afterAll(() => place.remove());

/** What is found after a change. */
async function found(change: (db: DatabaseSync) => void): Promise<Verification> {
  copies += 1;
  const path = join(place.directory, `copy-${copies}.db`);
  copyFileSync(place.path, path);
  const db = new DatabaseSync(path);
  change(db);
  db.close();
  const store = await open(path);
  const reader = await store.readAudit();
  const answer = await verifyAudit(reader, { head });
  await reader.close();
  await store.close();
  return answer;
}

const sql =
  (text: string, ...values: (string | number | bigint)[]) =>
  (db: DatabaseSync): void => {
    const { changes } = db.prepare(text).run(...values);
    if (changes === 0) throw new Error(`Nothing was changed: ${text}`);
  };

/** A value of a column as somebody may change it: a little, or to something odd. */
const OTHER: Readonly<Record<'number' | 'text', readonly string[]>> = {
  number: ['$ + 1', '$ - 1', '-$', '9223372036854775807', '-9223372036854775808', '$ + 100000'],
  text: [
    "'x' || $",
    "''",
    "substr($, 1, 5) || 'x' || substr($, 7)",
    "replace($, '1', '2') || ' '",
    '$ || $',
  ],
};

const COLUMNS = {
  audit_blocks: {
    number: ['seq', 'at'],
    text: ['writer', 'prev_hash', 'hash', 'body'],
  },
  audit_anchors: {
    number: ['seq', 'blocks', 'at'],
    text: ['from_position', 'to_position', 'root', 'prev_hash', 'hash'],
  },
  jobs: { number: ['revision', 'token', 'audit_block', 'state'], text: ['id'] },
} as const;

const random = seededRandom(5);

/** Every column of a table (but no number that another row has), each changed in every way, in some row. */
function everyChange(table: keyof typeof COLUMNS): [string, (db: DatabaseSync) => void][] {
  return (['number', 'text'] as const).flatMap((type) =>
    COLUMNS[table][type].flatMap((column) =>
      OTHER[type]
        .filter((other) => column !== 'seq' || !other.endsWith(' 1'))
        .map((other): [string, (db: DatabaseSync) => void] => {
          const share = random();
          const value = other.replaceAll('$', column);
          return [
            `${column} = ${value}`,
            // A row whose value becomes another one: some are as they would be.
            sql(
              `UPDATE ${table} SET ${column} = ${value} WHERE rowid = (
               SELECT rowid FROM ${table} WHERE ${column} IS NOT (${value})
               LIMIT 1 OFFSET (SELECT CAST(count(*) * ? AS INTEGER) FROM ${table} WHERE ${column} IS NOT (${value})))`,
              share,
            ),
          ];
        }),
    ),
  );
}

it.each(['audit_blocks', 'audit_anchors'] as const)('%s has no other column', (table) => {
  const db = new DatabaseSync(place.path);
  const found = db.prepare('SELECT name FROM pragma_table_info(?)').all(table);
  db.close();
  const { number, text } = COLUMNS[table];
  expect(found.map(({ name }) => String(name)).sort()).toEqual([...number, ...text].sort());
});

it('goes on at a policy that cannot be read, and reports it', async () => {
  const answer = await found((db) => db.exec(`UPDATE policies SET policy = '{"maxAttempts":'`));
  expect(new Set(answer.problems.map(({ kind }) => kind))).toEqual(new Set(['policy']));
  expect(answer.records).toBe((await found(() => {})).records);
});

describe('an untouched file', () => {
  it('is sound, and all of it is sealed, also what was written in a transaction of somebody else', async () => {
    const answer = await found(() => {});
    expect(answer.problems).toEqual([]);
    expect(answer.sealed).toBe(answer.records);
    expect(answer.records).toBeGreaterThan(200);
  });
});

for (const table of Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]) {
  describe(`a changed row of ${table} is found`, () => {
    it.each(everyChange(table))('%s', async (_, change) => {
      expect((await found(change)).ok).toBe(false);
    });
  });
}

const MIDDLE = '(SELECT count(*) / 2 FROM $)';

/** Rows that go, come, or change their places. */
const ROWS: Readonly<Record<string, (db: DatabaseSync) => void>> = {
  'the first block dropped': sql('DELETE FROM audit_blocks WHERE seq = 1'),
  'a block dropped': sql(
    `DELETE FROM audit_blocks WHERE seq = ${MIDDLE.replace('$', 'audit_blocks')}`,
  ),
  'the last block dropped': sql(
    'DELETE FROM audit_blocks WHERE seq = (SELECT max(seq) FROM audit_blocks)',
  ),
  'a leaf dropped': sql(
    "DELETE FROM audit_blocks WHERE seq = (SELECT min(seq) FROM audit_blocks WHERE writer = 'leaf')",
  ),
  'all blocks dropped': sql('DELETE FROM audit_blocks'),
  'the first anchor dropped': sql('DELETE FROM audit_anchors WHERE seq = 1'),
  'an anchor dropped': sql(
    `DELETE FROM audit_anchors WHERE seq = ${MIDDLE.replace('$', 'audit_anchors')}`,
  ),
  'the last anchor dropped': sql(
    'DELETE FROM audit_anchors WHERE seq = (SELECT max(seq) FROM audit_anchors)',
  ),
  'all anchors dropped': sql('DELETE FROM audit_anchors'),
  'a job dropped': sql("DELETE FROM jobs WHERE id = 'leaf-1'"),
  'a block inserted before the first': sql(
    'INSERT INTO audit_blocks SELECT 0, writer, at, prev_hash, hash, body FROM audit_blocks WHERE seq = 2',
  ),
  'a leaf inserted before the first': sql(
    "INSERT INTO audit_blocks VALUES (0, 'leaf', 1, '', ?, '[]')",
    blockHash('', '[]'),
  ),
  'a block appended that was there before': sql(
    'INSERT INTO audit_blocks SELECT (SELECT max(seq) + 1 FROM audit_blocks), writer, at, prev_hash, hash, body FROM audit_blocks WHERE seq = 2',
  ),
  'an anchor inserted': sql(
    'INSERT INTO audit_anchors SELECT 0, from_position, to_position, blocks, root, prev_hash, hash, at FROM audit_anchors WHERE seq = 1',
  ),
  'an anchor appended': sql(
    'INSERT INTO audit_anchors SELECT (SELECT max(seq) + 1 FROM audit_anchors), from_position, to_position, blocks, root, prev_hash, hash, at FROM audit_anchors WHERE seq = 1',
  ),
  'two blocks in each other’s place': (db) => {
    db.exec(`UPDATE audit_blocks SET seq = -1 WHERE seq = 5; UPDATE audit_blocks SET seq = 5 WHERE seq = 6;
      UPDATE audit_blocks SET seq = 6 WHERE seq = -1`);
  },
  'two anchors in each other’s place': (db) => {
    db.exec(`UPDATE audit_anchors SET seq = -1 WHERE seq = 1; UPDATE audit_anchors SET seq = 1 WHERE seq = 2;
      UPDATE audit_anchors SET seq = 2 WHERE seq = -1`);
  },
  'a leaf moved to the end': sql(
    "UPDATE audit_blocks SET seq = (SELECT max(seq) + 1 FROM audit_blocks) WHERE seq = (SELECT min(seq) FROM audit_blocks WHERE writer = 'leaf')",
  ),
  'a body changed, with every hash of the chain made anew': (db) => {
    db.exec(
      `UPDATE audit_blocks SET body = replace(body, 'test', 'tost') WHERE seq = (
         SELECT min(seq) FROM audit_blocks WHERE body LIKE '%test%')`,
    );
    rehash(db);
  },
  'a leaf changed, with its hash made anew': (db) => {
    db.exec("UPDATE audit_blocks SET body = replace(body, 'mail', 'male') WHERE writer = 'leaf'");
    rehash(db);
  },
  'the log cut at an anchor, with all that came after': (db) => {
    db.exec(`DELETE FROM audit_anchors WHERE seq = (SELECT max(seq) FROM audit_anchors);
      DELETE FROM audit_blocks WHERE printf('%016d', seq) > (
        SELECT to_position FROM audit_anchors ORDER BY seq DESC LIMIT 1);
      DELETE FROM jobs WHERE audit_block > (SELECT max(seq) FROM audit_blocks)`);
  },
};

/** As somebody does who knows how it is done. */
function rehash(db: DatabaseSync): void {
  const set = db.prepare('UPDATE audit_blocks SET prev_hash = ?, hash = ? WHERE seq = ?');
  let last = '';
  for (const row of db.prepare('SELECT seq, writer, body FROM audit_blocks ORDER BY seq').all()) {
    const { seq, writer, body } = row as { seq: number; writer: string; body: string };
    const prevHash = writer === 'leaf' ? '' : last;
    const hash = blockHash(prevHash, body);
    set.run(prevHash, hash, seq);
    if (writer !== 'leaf') last = hash;
  }
}

describe('rows that go, come or change their places are found', () => {
  it.each(Object.entries(ROWS))('%s', async (_, change) => {
    expect((await found(change)).ok).toBe(false);
  });
});
