import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { RedriveError } from '@redrive/core';
import type { AuditReader } from '@redrive/durable/audit';
import { identify } from '../database/identify.ts';
import { openDatabase } from '../database/node-sqlite.ts';
import { NEWEST_SCHEMA } from '../database/schema.ts';
import { errcodeOf, pragma } from '../database/statement.ts';
import { readProblem } from '../database/write-problem.ts';
import { decodePolicy } from '../writer/policy-table.ts';
import { Snapshot } from './snapshot.ts';

/** A connection, and a function to call when it is closed. */
interface Opened {
  readonly db: DatabaseSync;
  readonly cleanUp: () => void;
}

/**
 * Reads the audit log of a store that this process may not write: on a read-only mount, in a directory of another
 * user. Writes nothing to the file or beside it. Reads in the calling thread, a page at a time.
 *
 * @throws RedriveError `store_forbidden`, `store_unavailable`, `store_unsupported` (no store, or one of another schema).
 */
export async function readAuditFile(path: string): Promise<AuditReader> {
  const place = resolve(path);
  const denied = readProblem(place);
  if (denied !== undefined) {
    const message = `Cannot open ${path}: permission denied: ${denied}. Let that user read it, or run as its owner.`;
    throw new RedriveError('store_forbidden', message, { path });
  }
  if (!existsSync(place)) {
    throw new RedriveError('store_unavailable', `There is no store at ${path}.`, { path });
  }
  const { db, cleanUp } = openUnchanged(place);
  let snapshot: Snapshot;
  try {
    checkSchema(db, path);
    snapshot = new Snapshot(db);
  } catch (error) {
    db.close();
    cleanUp();
    throw error;
  }
  let isOpen = true;
  return {
    anchors: async (after, limit) => snapshot.anchors(after, limit),
    head: async () => snapshot.head(),
    packs: async (after, limit) => snapshot.packs(after, limit),
    blocks: async (after, limit) => snapshot.blocks(after, limit),
    block: async (seq) => snapshot.block(seq),
    lookups: async (after, limit) => snapshot.lookups(after, limit),
    async policy(hash) {
      const found = snapshot.policy(hash);
      return found && decodePolicy(hash, found);
    },
    async close() {
      if (isOpen) snapshot.close();
      isOpen = false;
      cleanUp();
    },
  };
}

/**
 * If `-wal` and `-shm` exist, the file can be read in place. Otherwise SQLite would have to create them, and it cannot:
 * a file without a log is then opened as immutable, and a file with a left-over log is copied and read there.
 */
function openUnchanged(place: string): Opened {
  const nothing = (): void => undefined;
  try {
    return { db: openAt(place), cleanUp: nothing };
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
  const log = `${place}-wal`;
  if (!existsSync(log) || statSync(log).size === 0) {
    const url = pathToFileURL(place);
    url.search = 'immutable=1';
    return { db: openAt(url), cleanUp: nothing };
  }
  const directory = mkdtempSync(join(tmpdir(), 'redrive-audit-'));
  const cleanUp = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    const copy = join(directory, basename(place));
    copyFileSync(place, copy);
    copyFileSync(log, `${copy}-wal`);
    return { db: openDatabase(copy), cleanUp };
  } catch (error) {
    cleanUp();
    throw error;
  }
}

function openAt(place: string | URL): DatabaseSync {
  const db = openDatabase(place, { readOnly: true });
  try {
    // The first query opens the log.
    pragma(db, 'user_version');
    db.exec('SELECT 1 FROM sqlite_schema LIMIT 1');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The file cannot be opened, or not without a write. */
function isRefused(error: unknown): boolean {
  const [readOnly, cannotOpen] = [8, 14];
  const code = (errcodeOf(error) ?? 0) & 0xff;
  return code === readOnly || code === cannotOpen;
}

function checkSchema(db: DatabaseSync, path: string): void {
  const identity = identify(db, path);
  const schema = Number(pragma(db, 'user_version'));
  if (identity === 'usable') return;
  throw new RedriveError(
    'store_unsupported',
    `${path} was written by an earlier Redrive (schema ${schema}; this one reads ${NEWEST_SCHEMA}) and cannot be brought up to date where it is: copy it, with its -wal, to a directory that can be written.`,
    { path, schema, newest: NEWEST_SCHEMA },
  );
}
