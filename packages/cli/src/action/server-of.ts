import type { Invocation } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { readSmallFile } from '../config/read-file.ts';
import { checkServer, known, readContexts } from '../context/context-file.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printable } from '../terminal/printable.ts';

const MAX_BYTES = 1024 * 1024;
const CHECK_PATH = 'Check the path.';

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
  checkServer(url);
  const file = textOption(options, 'tokenFile');
  const given =
    file === undefined ? io.env.REDRIVE_TOKEN : readSmallFile(io, file, MAX_BYTES, CHECK_PATH);
  const token = given?.trim();
  if (!token) {
    const hint = 'Set REDRIVE_TOKEN, or name a file with --token-file.';
    throw new CliError('usage', 'A server needs a token.', hint);
  }
  const caFile = textOption(options, 'caFile') ?? io.env.REDRIVE_CA_FILE;
  const ca = caFile ? readSmallFile(io, caFile, MAX_BYTES, CHECK_PATH) : undefined;
  // Node ignores such a file, and would say that the certificate of the server is wrong.
  if (ca?.includes('-----BEGIN ') === false) {
    throw new CliError('usage', `${printable(caFile ?? '')} has no certificates (PEM).`);
  }
  return { url, token, ca };
}
