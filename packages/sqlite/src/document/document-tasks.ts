import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isRedriveError, RedriveError } from '@redrive/core';
import type { CountRequest, DocumentCollection, DocumentPage } from '@redrive/durable/documents';
import {
  type DocumentWrite,
  type MarkChange,
  newParts,
  newValues,
  type WriteTarget,
} from '@redrive/durable/store';
import { checkSqliteVersion, openDatabase } from '../database/node-sqlite.ts';
import { errcodeOf, query } from '../database/statement.ts';
import type { Tasks } from '../thread/protocol.ts';
import { CLOSE } from '../thread/serve.ts';
import {
  addReadable,
  documentSql,
  findPage,
  inTransaction,
  rangesOf,
  storedDocument,
  unpacked,
  type Work,
} from './page.ts';
import { findTable, isSame, prepareTable, quoted } from './table.ts';

export interface DocumentData {
  readonly path: string;
  readonly busyMs: number;
}

/** The input of a task: the collection and the other arguments of a call of the port. */
export interface DocumentCall {
  readonly collection: DocumentCollection;
  readonly args: readonly unknown[];
  readonly nowMs?: number | undefined;
}

const NOW = "select cast(round(unixepoch('now', 'subsec') * 1000) as integer)";

/** The tasks of the thread. It opens the application's file, and never creates one. */
export function documentTasks({ path, busyMs }: DocumentData) {
  let db: DatabaseSync | undefined;

  function opened(): DatabaseSync {
    if (db !== undefined) return db;
    if (!existsSync(path)) throw new RedriveError('documents_refused', `${path} does not exist`);
    const file = openDatabase(path, { timeout: busyMs });
    checkSqliteVersion(file);
    // Of this connection alone: a claim is on disk before its event is sent.
    file.exec('PRAGMA synchronous = FULL');
    addReadable(file);
    db = file;
    return file;
  }

  const task =
    <Result>(run: (work: Work, ...args: never[]) => Result) =>
    ({ collection, args, nowMs }: DocumentCall): Result =>
      orDocumentsError(path, () => {
        const file = opened();
        const now = nowMs ?? query<[number]>(file, NOW).get()?.[0] ?? 0;
        // Both sides are of one version: the arguments are those of the port.
        return run({ ...findTable(file, collection), nowMs: now }, ...(args as never[]));
      });

  return {
    find: task(findPage),
    write: task(write),
    remove: task(remove),
    count: task(count),
    byIds: task(byIds),
    prepare: ({ collection, args: [options] }: DocumentCall) =>
      orDocumentsError(path, () => prepareTable(opened(), collection, Object(options).dryRun)),
    [CLOSE]: () => db?.close(),
  } satisfies Tasks;
}

export type DocumentTasks = ReturnType<typeof documentTasks>;

/** One statement for all targets, which differ in its parameters. */
function write(work: Work, write: DocumentWrite, targets: readonly WriteTarget[]): boolean[] {
  const { db, table, id, status, count, time, markPart, nowMs, collection } = work;
  const unchanged = `${status} is $status and ${count} is $count and ${time} is $time`;
  const where = {
    unchanged,
    unclaimed: `${unchanged} and ${markPart('sent')} is not 0`,
    claimed: `${markPart('event')} = $event and ${markPart('sent')} = 0`,
    failed: `${status} = $failed`,
  };
  const set = newValues(write, {
    status: () => '$newStatus',
    // A text stays: SQLite would read it as a number.
    count: (word) =>
      word === 'raised'
        ? `case when ${count} is null then 1 when typeof(${count}) in ('integer', 'real') then ${count} + 1 else ${count} end`
        : `${word}`,
    time: (word) => (word === 'now' ? '$now' : 'null'),
    mark: (change) => (change === 'none' ? 'null' : markSql(work, change)),
    error: (word) => (word === 'given' ? '$error' : 'null'),
  }).map(([field, value]) => `${quoted(collection.fields[field])} = ${value}`);
  const sql = `update ${table} set ${set.join(', ')} where ${id} = $id and ${where[write.where]}`;
  const statement = db.prepare(sql);
  // A statement has some of them.
  statement.setAllowUnknownNamedParameters(true);
  const shared = {
    failed: collection.failed,
    newStatus: write.set.status ?? null,
    now: work.stored(nowMs),
    at: new Date(nowMs).toISOString(),
  };
  return each(db, targets, ({ id: text, stamp = '[]', event = null, error = null }) => {
    const [status = null, count = null, time = null] = unpacked(stamp);
    const own = { id: work.idValue(text), status, count, time, event, error };
    return statement.run({ ...shared, ...own }).changes > 0;
  });
}

/** The mark after a change. */
function markSql({ mark, count, markPart }: Work, change: MarkChange): string {
  // Only where it is JSON: a CASE looks at nothing else.
  const isObject = `case when json_valid(${mark}) then json_type(${mark}) = 'object' end`;
  const before = `case when ${isObject} then ${mark} else '{}' end`;
  const removed = change.remove.map((part) => `, '$.${part}'`).join('');
  const parts = newParts(change, (value, part) => {
    const words = {
      event: '$event',
      now: '$at',
      kept_or_now: `coalesce(${markPart(part)}, $at)`,
      next: `coalesce(${count}, 0) + 1`,
      current: `coalesce(${count}, 0)`,
    };
    if (typeof value === 'string') return words[value];
    return typeof value === 'boolean' ? `json('${value}')` : `${value}`;
  });
  const added = parts.map(([part, value]) => `, '$.${part}', ${value}`).join('');
  return `nullif(json_set(json_remove(${before}${removed})${added}), '{}')`;
}

function remove(work: Work, ids: readonly string[], { archive }: { readonly archive: boolean }) {
  const { db, table, id, names, collection } = work;
  const into = quoted(`${collection.name}_dead_letters`);
  const columns = names.map(quoted).join(', ');
  if (archive) {
    db.exec(`create table if not exists ${into} as select * from ${table} where false`);
    // The application may have added columns since.
    const archived = findTable(db, {
      ...collection,
      name: `${collection.name}_dead_letters`,
    }).names;
    const missing = names.filter((name) => !archived.some((has) => isSame(has, name)));
    for (const name of missing) db.exec(`alter table ${into} add ${quoted(name)}`);
  }
  const write = (sql: string) => db.prepare(`${sql} where ${id} = ? and ${work.status} = ?`);
  const copy = archive && write(`insert into ${into} (${columns}) select ${columns} from ${table}`);
  const last = `select max(rowid) from ${into} where ${id} = ?1`;
  const replace =
    archive && db.prepare(`delete from ${into} where ${id} = ?1 and rowid < (${last})`);
  const drop = write(`delete from ${table}`);
  return each(db, ids, (text) => {
    const own = work.idValue(text);
    // An earlier copy has the same status.
    if (copy && copy.run(own, collection.failed).changes > 0 && replace) replace.run(own);
    return drop.run(own, collection.failed).changes > 0;
  });
}

function count(work: Work, set: CountRequest, atMost: number): number {
  const all = { where: 'true', values: [] };
  const ranges = set.set === 'all' ? [all] : rangesOf(work, set);
  return ranges.reduce((counted, { where, values }) => {
    const sql = `select count(*) from (select 1 from ${work.table} where ${where} limit ${atMost - counted})`;
    return counted + (query<[number]>(work.db, sql).get(...values)?.[0] ?? 0);
  }, 0);
}

function byIds(work: Work, ids: readonly string[]): DocumentPage {
  const { db, nowMs, table, id } = work;
  const statement = db.prepare(`select ${documentSql(work)} from ${table} where ${id} = ?`);
  statement.setReadBigInts(true);
  const rows = ids.flatMap((own) => statement.all(work.idValue(own)));
  return { nowMs, documents: rows.map((row) => storedDocument(row, work)) };
}

/** Primary result codes of a statement that a table refuses for the values of its row: ERROR (of a trigger), TOOBIG, CONSTRAINT, MISMATCH. */
const REFUSED: ReadonlySet<number> = new Set([1, 18, 19, 20]);

const ROLLED_BACK = Symbol('rolled back');

/**
 * Changes each of a list, in one transaction because every commit waits for the disk. A change that the table refuses, by
 * a trigger or a constraint, is undone alone and answered with `false`; if it refuses all of them, this throws.
 */
function each<T>(db: DatabaseSync, list: readonly T[], change: (one: T) => boolean): boolean[] {
  const refused = new Set<number>();
  const changed = (one: T, n: number): boolean => {
    if (refused.has(n)) return false;
    db.exec('SAVEPOINT one');
    try {
      return change(one);
    } catch (error) {
      if (!REFUSED.has((errcodeOf(error) ?? 0) & 0xff)) throw error;
      refused.add(n);
      if (refused.size === list.length) throw error;
      // RAISE(ROLLBACK) of a trigger undoes the changes before it, too: they are made again, without this one.
      if (!db.isTransaction) throw ROLLED_BACK;
      db.exec('ROLLBACK TO one');
      return false;
    } finally {
      if (db.isTransaction) db.exec('RELEASE one');
    }
  };
  for (;;) {
    try {
      return inTransaction(db, 'IMMEDIATE', () => list.map(changed));
    } catch (error) {
      if (error !== ROLLED_BACK) throw error;
    }
  }
}

/** Primary result codes of SQLite after which the same call may succeed: BUSY, LOCKED, NOMEM, INTERRUPT, IOERR, FULL, PROTOCOL. */
const PASSING: ReadonlySet<number> = new Set([5, 6, 7, 9, 10, 13, 15]);

function orDocumentsError<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isRedriveError(error)) throw error;
    const isPassing = PASSING.has((errcodeOf(error) ?? 0) & 0xff);
    const text = error instanceof Error ? error.message : String(error);
    const isUnknown = text.startsWith('no such column');
    const advice = isUnknown ? '. Run redrive sweep init, or correct the name' : '';
    const message = `Documents of sqlite:${path}: ${text}${advice}`;
    throw new RedriveError(isPassing ? 'documents_unavailable' : 'documents_refused', message);
  }
}
