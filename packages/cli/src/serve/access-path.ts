import { dirname, resolve } from 'node:path';
import type { Invocation } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { findConfig } from '../config/load-config.ts';
import { printable } from '../terminal/printable.ts';

/**
 * Where tokens and sessions of a store are kept: beside a SQLite file. A database has no directory, so the file is beside
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
