import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { FullStore } from '@redrive/durable';
import type { AuditReader } from '@redrive/durable/audit';
import type { Invocation } from '../command/command-spec.ts';
import { findStore } from '../config/configured-store.ts';

/** The log of a SQLite file that cannot be written, as on a read-only mount. `undefined`: the store can be opened. */
export async function readOnlyLog(invocation: Invocation): Promise<AuditReader | undefined> {
  const { options, io } = invocation;
  const url = await findStore({ ...invocation, options: { ...options, verbose: false } });
  const file = unwritableFile(url, io.directory);
  if (file === undefined) return undefined;
  const { readAuditFile } = await import('@redrive/sqlite');
  return readAuditFile(file);
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
