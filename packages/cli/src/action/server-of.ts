import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Invocation } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printable } from '../terminal/printable.ts';

/** A server that runs the command. */
export interface Server {
  readonly url: string;
  readonly token: string;
  /** Certificates of a private authority, PEM. */
  readonly ca: string | undefined;
}

/**
 * `--server`, else `REDRIVE_SERVER`; with `--store` or `--config` the command runs here all the same. `undefined`: the command runs on a store.
 *
 * @throws CliError without a token, or if a file cannot be read.
 */
export function serverOf({ io, options }: Invocation): Server | undefined {
  const named = textOption(options, 'server');
  const url =
    named ??
    (options.store === undefined && options.config === undefined
      ? io.env.REDRIVE_SERVER
      : undefined);
  if (!url) return undefined;
  if (!/^https?:\/\/[^/]/.test(url)) {
    const hint = 'Write it as https://redrive.example.org or http://127.0.0.1:9480.';
    throw new CliError('usage', `This is not the address of a server: ${printable(url)}`, hint);
  }
  const file = textOption(options, 'tokenFile');
  const token = (file === undefined ? io.env.REDRIVE_TOKEN : read(io, file))?.trim();
  if (!token) {
    const hint = 'Set REDRIVE_TOKEN, or name a file with --token-file.';
    throw new CliError('usage', 'A server needs a token.', hint);
  }
  const caFile = textOption(options, 'caFile') ?? io.env.REDRIVE_CA_FILE;
  return { url, token, ca: caFile ? read(io, caFile) : undefined };
}

function read({ directory }: Invocation['io'], file: string): string {
  try {
    return readFileSync(resolve(directory, file), 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError('failed', `The file cannot be read: ${why}`);
  }
}
