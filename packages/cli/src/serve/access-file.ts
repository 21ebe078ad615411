import { dirname, resolve } from 'node:path';
import { isRedriveError } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { AccessFile } from '@redrive/server/access';
import type { Invocation, Options } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { findStore } from '../config/configured-store.ts';
import { findConfig } from '../config/load-config.ts';
import { actorOf, withStore } from '../store/with-store.ts';
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

/** An act on the access file, for the audit log. */
export interface AccessAct {
  readonly subject: string;
  readonly act: string;
  readonly facts: object;
}

/** @throws the error of the store: then the audit log has no record. */
export async function noteAct(
  store: FullStore,
  options: Options,
  { subject, act, facts }: AccessAct,
): Promise<void> {
  const { name: by, why } = actorOf(options);
  const detail = JSON.stringify({ by, why, act, ...facts });
  const write = () => store.apply([{ kind: 'note', event: 'act', subject, detail }]);
  await write().catch(async (error: unknown) => {
    // A token may be made before the store exists, and a note alone does not create it.
    if (!isRedriveError(error, 'store_not_found')) throw error;
    await store.migrate();
    await write();
  });
}

/** Records a revocation that was carried out. A store that does not answer is a warning: it must not stop a revocation. */
export async function noteRevoked(
  { io, options, ...invocation }: Invocation,
  url: string,
  act: AccessAct,
): Promise<void> {
  const named = { ...invocation, io, options: { ...options, store: url, verbose: false } };
  await withStore(named, (store) => noteAct(store, options, act), { create: true }).catch(
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      io.stderr(`The audit log has no record of it: ${printable(message)}\n`);
    },
  );
}
