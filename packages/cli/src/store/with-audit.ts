import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { FullStore } from '@redrive/durable';
import type { AuditReader } from '@redrive/durable/audit';
import { newestSeq } from '@redrive/durable/store';
import type { Invocation } from '../command/command-spec.ts';
import { findStore } from '../config/configured-store.ts';
import { withStore } from './with-store.ts';

/**
 * Reads the audit log of the store that the invocation means. A SQLite file that cannot be written, as on a read-only
 * mount, is read as it is.
 *
 * @param use gets the log and, unless the file is only read, the number of its newest block and the store.
 */
export async function withAudit<T>(
  invocation: Invocation,
  use: (reader: AuditReader, newest?: number, store?: FullStore) => Promise<T>,
): Promise<T> {
  const url = await findStore(invocation);
  const file = unwritableFile(url, invocation.io.directory);
  if (file !== undefined) {
    const { readAuditFile } = await import('@redrive/sqlite');
    return withReader({ readAudit: () => readAuditFile(file) }, (reader) => use(reader));
  }
  const named = { ...invocation, options: { ...invocation.options, store: url, verbose: false } };
  return withStore(named, async (store) => {
    const newest = await newestSeq(store);
    return withReader(store, (reader) => use(reader, newest, store));
  });
}

/** Reads the audit log of a store as it is at one moment. */
export async function withReader<T>(
  store: Pick<FullStore, 'readAudit'>,
  use: (reader: AuditReader) => Promise<T>,
): Promise<T> {
  const reader = await store.readAudit();
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}

/** The path of a SQLite store that is there and cannot be written, or whose directory cannot. */
function unwritableFile(url: string, directory: string): string | undefined {
  const [, file] = /^sqlite:(.+)$/.exec(url) ?? [];
  if (file === undefined) return undefined;
  const path = resolve(directory, file);
  return existsSync(path) && !(isWritable(path) && isWritable(dirname(path))) ? path : undefined;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
