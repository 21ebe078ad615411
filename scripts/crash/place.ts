import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type PostgresService, startPostgres } from '@redrive/testkit/services';
import type { Target } from './open-target.ts';

export type StoreKind = 'sqlite' | 'postgres';

/** Where a run takes place: a directory of its own for the evidence, and an empty store. */
export interface Place {
  readonly kind: StoreKind;
  readonly directory: string;
  readonly target: Target;
  /** Of a run on SQLite. */
  readonly databaseFile: string;
  /** Of a run on Postgres. */
  readonly server: PostgresService | undefined;
}

const DUMP_TIMEOUT_MS = 60_000;

/**
 * Gives `work` a place, and deletes it afterwards unless `isKept` or `keepIn` says otherwise.
 *
 * @param keepIn a new or an empty directory: the place is there, and stays. The store of Postgres stays as `redrive.sql`.
 */
export async function withPlace<T>(
  kind: StoreKind,
  work: (place: Place) => Promise<T>,
  isKept: (result: T) => boolean = () => false,
  keepIn?: string,
): Promise<T> {
  const directory =
    keepIn === undefined ? mkdtempSync(join(tmpdir(), 'redrive-crash-')) : emptyDirectory(keepIn);
  const databaseFile = join(directory, 'redrive.db');
  const server = kind === 'postgres' ? await startPostgres() : undefined;
  const target = server?.url ?? `sqlite:${databaseFile}`;
  let keep = true;
  try {
    const result = await work({ kind, directory, target, databaseFile, server });
    keep = keepIn !== undefined || isKept(result);
    if (keepIn !== undefined && server !== undefined) await dump(server.url, directory);
    return result;
  } finally {
    await server?.stop();
    if (keep) console.error(`The evidence is in ${directory}`);
    else rmSync(directory, { recursive: true });
  }
}

function emptyDirectory(name: string): string {
  const directory = resolve(name);
  mkdirSync(directory, { recursive: true });
  if (readdirSync(directory).length > 0) throw new Error(`${name} is not empty`);
  return directory;
}

async function dump(url: string, directory: string): Promise<void> {
  const args = [url, '--no-owner', `--file=${join(directory, 'redrive.sql')}`];
  await promisify(execFile)('pg_dump', args, { timeout: DUMP_TIMEOUT_MS });
}
