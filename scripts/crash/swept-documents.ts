import { DatabaseSync } from 'node:sqlite';
import { type Clock, definePolicy } from '@redrive/core';
import type { DocumentSource, StoredDocument, Sweep } from '@redrive/durable/documents';
import { testCollection } from '@redrive/testkit/conformance/document-source';

/** Where the documents are: `sqlite:<path>`, a Postgres URL or one of MongoDB. */
export type DocumentsUrl = string;

/** A document as the harness has inserted it. */
export interface PlannedDocument {
  readonly id: string;
  readonly count: number;
  /** Its attempts are used up: a sweep must give it up. */
  readonly isAtLimit: boolean;
}

const TABLE = 'archives';
export const DESTINATION = 'archive.ingested';
const HOUR_MS = 3_600_000;
/** A document that was sent is not stuck for this time: the window in which no second event may be sent. */
export const WINDOW_MS = 24 * HOUR_MS;
const MAX_ATTEMPTS = 3;
const PAGE = 500;

/** The documents of a run: a tenth is beyond its attempts, the others have 0 to 2. */
export function plannedDocuments(count: number): readonly PlannedDocument[] {
  return Array.from({ length: count }, (_, n) => {
    const isAtLimit = n % 10 === 9;
    return { id: `d${n}`, count: isAtLimit ? MAX_ATTEMPTS : n % MAX_ATTEMPTS, isAtLimit };
  });
}

export async function openDocuments(url: DocumentsUrl, clock: Clock): Promise<DocumentSource> {
  // A process of the harness loads only what it needs: it is started a few hundred times.
  if (url.startsWith('sqlite:')) {
    const { sqliteDocuments } = await import('@redrive/sqlite');
    return sqliteDocuments(url, { clock });
  }
  if (url.startsWith('mongodb:')) {
    const { mongodbDocuments } = await import('@redrive/mongodb');
    return mongodbDocuments(url, { clock });
  }
  const { postgresDocuments } = await import('@redrive/postgres');
  return postgresDocuments(url, { clock });
}

export function sweepOf(source: DocumentSource): Sweep {
  const collection = testCollection(TABLE);
  const { fields } = collection;
  return {
    name: TABLE,
    source,
    collection: { ...collection, fields: { ...fields, read: [fields.id] } },
    policy: definePolicy({
      id: 'documents.archives',
      ...{ maxAttempts: MAX_ATTEMPTS, baseDelayMs: 300_000, maxDelayMs: HOUR_MS, multiplier: 2 },
      ...{ immediateFirstRetry: true, jitter: 'none' },
    }),
    ...{ thresholdMs: WINDOW_MS, minimumAgeMs: 0, dependency: '' },
    event: {
      type: 'ArchiveIngested',
      bus: 'main',
      destination: DESTINATION,
      data: { archive_id: `$${fields.id}` },
    },
  };
}

/** Inserts the documents with the database's own driver, as their owner would, and makes the indexes. */
export async function insertDocuments(
  url: DocumentsUrl,
  documents: readonly PlannedDocument[],
  clock: Clock,
): Promise<void> {
  const rows = documents.map(({ id, count }, n) => {
    const time = count === 0 ? null : new Date(clock.now() - WINDOW_MS - HOUR_MS + n);
    return { id, count, time };
  });
  if (url.startsWith('mongodb:')) {
    const { MongoClient } = await import('mongodb');
    const client = new MongoClient(url);
    const collection = client.db().collection<{ _id: string }>(TABLE);
    const stored = rows.map(({ id, count, time }) => {
      return { _id: id, status: 'pending', attemptCount: count, lastAttemptTime: time };
    });
    await collection.insertMany(stored);
    await client.close();
  } else if (url.startsWith('sqlite:')) {
    const db = new DatabaseSync(url.slice('sqlite:'.length));
    // Three sweepers and their readers at once.
    db.exec('PRAGMA journal_mode = WAL');
    db.exec(`create table ${TABLE} (_id text primary key, status text, "attemptCount" integer,
      "lastAttemptTime" text, retry_sweep text, "lastError" text)`);
    const insert = db.prepare(
      `insert into ${TABLE} (_id, status, "attemptCount", "lastAttemptTime") values (?, 'pending', ?, ?)`,
    );
    db.exec('BEGIN');
    for (const { id, count, time } of rows) insert.run(id, count, time?.toISOString() ?? null);
    db.exec('COMMIT');
    db.close();
  } else {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`create table ${TABLE} (_id text primary key, status text, "attemptCount" integer,
      "lastAttemptTime" timestamptz, retry_sweep jsonb, "lastError" text)`);
    await client.query(
      `insert into ${TABLE} (_id, status, "attemptCount", "lastAttemptTime")
        select id, 'pending', count, time from json_to_recordset($1) as r(id text, count int, time timestamptz)`,
      [JSON.stringify(rows)],
    );
    await client.end();
  }
  const source = await openDocuments(url, clock);
  await source.prepare(sweepOf(source).collection, { dryRun: false });
  await source.close();
}

export async function storedDocuments(
  url: DocumentsUrl,
  documents: readonly PlannedDocument[],
  clock: Clock,
): Promise<ReadonlyMap<string, StoredDocument>> {
  const source = await openDocuments(url, clock);
  const { collection } = sweepOf(source);
  const found = new Map<string, StoredDocument>();
  for (let at = 0; at < documents.length; at += PAGE) {
    const ids = documents.slice(at, at + PAGE).map(({ id }) => id);
    const page = await source.byIds(collection, ids);
    for (const document of page.documents) found.set(document.id, document);
  }
  await source.close();
  return found;
}
