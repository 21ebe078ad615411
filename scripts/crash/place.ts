import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Lets `work` have a place. It stays for who wants to look at it when `isKept` says so. */
export async function withPlace<T>(
  kind: StoreKind,
  work: (place: Place) => Promise<T>,
  isKept: (result: T) => boolean = () => false,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-crash-'));
  const databaseFile = join(directory, 'redrive.db');
  const server = kind === 'postgres' ? await startPostgres() : undefined;
  const target = server?.url ?? `sqlite:${databaseFile}`;
  let keep = true;
  try {
    const result = await work({ kind, directory, target, databaseFile, server });
    keep = isKept(result);
    return result;
  } finally {
    await server?.stop();
    if (keep) console.error(`The evidence is in ${directory}`);
    else rmSync(directory, { recursive: true });
  }
}
