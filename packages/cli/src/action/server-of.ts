import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Invocation } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { known, readContexts } from '../context/context-file.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printable } from '../terminal/printable.ts';

/** A server that runs the command. */
export interface Server {
  readonly url: string;
  readonly token: string;
  /** Certificates of a private authority, PEM. */
  readonly ca: string | undefined;
  /** The name of the context that it is of. */
  readonly context?: string;
}

/**
 * The first of `--server`, `--context`, `REDRIVE_SERVER`, `REDRIVE_CONTEXT` and the current context. With `--store`,
 * `--config` or, before the current context, `REDRIVE_STORE` it is `undefined`: the command runs on a store.
 *
 * @throws CliError without a token, or if a file cannot be read.
 */
export function serverOf(invocation: Invocation): Server | undefined {
  const { io, options } = invocation;
  const { REDRIVE_SERVER, REDRIVE_CONTEXT, REDRIVE_STORE } = io.env;
  const [server, context] = [textOption(options, 'server'), textOption(options, 'context')];
  if (server !== undefined) return serverAt(server, invocation);
  if (context !== undefined) return serverOfContext(context, invocation);
  if (options.store !== undefined || options.config !== undefined) return undefined;
  if (REDRIVE_SERVER) return serverAt(REDRIVE_SERVER, invocation);
  if (REDRIVE_CONTEXT) return serverOfContext(REDRIVE_CONTEXT, invocation);
  if (REDRIVE_STORE) return undefined;
  const { current } = readContexts(io);
  return current === undefined ? undefined : serverOfContext(current, invocation);
}

/** Its token is never one that the environment has for another server, unless the context names none. */
function serverOfContext(name: string, { io, options }: Invocation): Server {
  const { server, token_file, ca_file } = known(readContexts(io).all, name);
  const files = {
    tokenFile: textOption(options, 'tokenFile') ?? token_file,
    caFile: textOption(options, 'caFile') ?? ca_file,
  };
  return { ...serverAt(server, { io, options: files }), context: name };
}

function serverAt(url: string, { io, options }: Pick<Invocation, 'io' | 'options'>): Server {
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
