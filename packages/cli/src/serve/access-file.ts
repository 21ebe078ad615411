import { dirname, resolve } from 'node:path';
import { isRedriveError } from '@redrive/core';
import { type Access, accessPort } from '@redrive/operate/run';
import { AccessFile } from '@redrive/server/access';
import type { Invocation } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { findStore } from '../config/configured-store.ts';
import { findConfig } from '../config/load-config.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printable } from '../terminal/printable.ts';

/**
 * Where tokens and sign-ins of a store are kept: beside a SQLite file. A database has no directory, so the file is beside
 * the configuration: every command finds the same one, wherever it is started.
 */
export function accessPath(invocation: Invocation, storeUrl: string): string {
  const { io, options } = invocation;
  const named = textOption(options, 'accessFile') ?? io.env.REDRIVE_ACCESS_FILE;
  const [, store] = /^sqlite:(.+)$/.exec(storeUrl) ?? [];
  const path = resolve(io.directory, named || (store ? `${store}.access.json` : besideConfig()));
  if (options.verbose) io.stderr(`access file: ${printable(path)}\n`);
  return path;

  function besideConfig(): string {
    const { file = '' } = findConfig({ ...invocation, options: { ...options, verbose: false } });
    return resolve(io.directory, dirname(file), 'redrive.access.json');
  }
}

export async function accessOf(invocation: Invocation) {
  const url = await findStore(invocation);
  const path = accessPath(invocation, url);
  return { url, path, access: new AccessFile(path) };
}

/** Turns errors of the access file, such as wrong permissions, into failures of the command. */
export function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CliError('failed', message, undefined, { cause: error });
  }
}

/** The tokens and sign-ins of a store, and its audit log, which is opened for a record alone. */
export async function openAccess(invocation: Invocation): Promise<Access> {
  const { url, access } = await accessOf(invocation);
  const { reads: _, ...rest } = invocation;
  const own = { ...rest, options: { ...rest.options, store: url, verbose: false } };
  const record: Access['record'] = (note) =>
    withStore(
      own,
      async (store) => {
        const write = () => store.apply([note]);
        await write().catch(async (error: unknown) => {
          // A token may be made before the store exists, and a note alone does not create it.
          if (!isRedriveError(error, 'store_not_found')) throw error;
          await store.migrate();
          await write();
        });
      },
      { create: true },
    );
  return accessPort(access, record, readable);
}
