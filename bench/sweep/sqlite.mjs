import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore, sqliteDocuments } from '../../packages/sqlite/dist/index.js';
import { HOUR_MS, idOf, PAGE, statusOf, titleOf } from './documents.mjs';

export async function openSqlite() {
  const folder = await mkdtemp(join(tmpdir(), 'redrive-bench-'));
  const url = `sqlite:${join(folder, 'documents.db')}`;
  const db = openFile(url);
  return {
    url,
    openStore: openStores(folder),
    openSource: () => sqliteDocuments(url),
    async fill(name, total) {
      db.exec(`create table ${name} (_id text primary key, status text, attemptCount integer, lastAttemptTime text,
        retry_sweep text, lastError text, title text)`);
      const insert = db.prepare(`insert into ${name} values (?, ?, 1, ?, null, null, ?)`);
      const time = new Date(Date.now() - HOUR_MS).toISOString();
      db.exec('begin');
      for (let n = 0; n < total; n++) insert.run(idOf(n), statusOf(n), time, titleOf(n));
      db.exec('commit');
    },
    async stick(name, count) {
      db.prepare(`update ${name} set status = 'pending', attemptCount = 1, lastAttemptTime = ?, retry_sweep = null
        where _id < ?`).run(new Date(Date.now() - 25 * HOUR_MS).toISOString(), idOf(count));
      db.exec('pragma wal_checkpoint(truncate)');
    },
    raw: (name) => rawOn(db, name),
    async close() {
      db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Empty stores in files of their own. */
export function openStores(folder) {
  let count = 0;
  return async () => {
    const target = `sqlite:${join(folder, `store-${++count}.db`)}`;
    const store = await openStore(target);
    await store.migrate();
    return { target, store };
  };
}

export function openFile(url) {
  const db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 });
  db.exec('pragma journal_mode = wal; pragma synchronous = full');
  return db;
}

function rawOn(db, name) {
  const first = db.prepare(`select _id, status, attemptCount, lastAttemptTime, title from ${name}
    where status = ? and lastAttemptTime < ? and (lastAttemptTime, _id) > (?, ?) and json_extract(retry_sweep, '$.sent') is not 0
    order by lastAttemptTime, _id limit ${PAGE}`);
  const claim =
    db.prepare(`update ${name} set attemptCount = attemptCount + 1, lastAttemptTime = ?, retry_sweep = ?
    where _id = ? and status = ? and attemptCount = ? and lastAttemptTime = ?`);
  const mark =
    db.prepare(`update ${name} set retry_sweep = json_set(retry_sweep, '$.sent', json('true')), lastAttemptTime = ?
    where _id = ? and json_extract(retry_sweep, '$.event') = ?`);
  const inTransaction = (documents, change) => {
    db.exec('begin immediate');
    const changed = documents.reduce((sum, document, n) => sum + change(document, n).changes, 0);
    db.exec('commit');
    return changed;
  };
  return {
    find(status, after) {
      const until = new Date(Date.now() - 24 * HOUR_MS).toISOString();
      return first.all(status, until, after?.lastAttemptTime ?? '', after?._id ?? '');
    },
    claim: (documents, events) =>
      inTransaction(documents, ({ _id, status, attemptCount, lastAttemptTime }, n) => {
        const at = new Date().toISOString();
        const text = JSON.stringify({ event: events[n], sent: false, at });
        return claim.run(at, text, _id, status, attemptCount, lastAttemptTime);
      }),
    mark: (documents, events) =>
      inTransaction(documents, ({ _id }, n) => mark.run(new Date().toISOString(), _id, events[n])),
  };
}
