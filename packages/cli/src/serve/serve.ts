import { type Config, serverSettings } from '@redrive/config';
import { isRedriveError, systemClock } from '@redrive/core';
import {
  AccessFile,
  type RunningServer,
  type ServerOptions,
  startServer,
  type TrustedProxy,
} from '@redrive/server';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption, listOption, textOption } from '../command/option-values.ts';
import { configuredStore } from '../config/configured-store.ts';
import { loadConfig } from '../config/load-config.ts';
import { findStore } from '../store/find-store.ts';
import { withStore } from '../store/with-store.ts';
import { CliError, EXIT } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Environment } from '../terminal/screen.ts';
import { untilStopped } from '../terminal/until-stopped.ts';
import { accessPath } from './access-path.ts';
import { servedParts } from './served-parts.ts';

const DEFAULT_PORT = 9480;
/** They name no host that a request could carry. */
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/** `redrive serve` */
export const runServe: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const port = integerOption(options, 'port', { min: 0, max: 65_535 }) ?? DEFAULT_PORT;
  const address = textOption(options, 'host');
  const own = address === undefined || WILDCARDS.includes(address) ? [] : [address];
  const config = await loadConfig(invocation);
  const url = await findStore(invocation, () => configuredStore(invocation, config));
  const path = accessPath(invocation, url);
  const named = { ...invocation, options: { ...options, store: url, verbose: false } };
  return withStore(named, async (store) => {
    const clock = io.clock ?? systemClock;
    const served = servedParts(invocation, { config: () => config, store, url, clock });
    const server = await listening({
      config: () => config,
      store,
      sweeps: served.sweeps,
      doctor: served.doctor,
      access: new AccessFile(path),
      clock,
      port,
      address,
      hosts: [...own, ...listOption(options, 'allowHost')],
      secure: options.secure === true,
      proxy: trustedProxy(config, io.env),
      onError: (message, error) => io.stderr(`${errorText(message, error)}\n`),
    });
    try {
      const { link } = server;
      if (options.json) printJson(io, { url: server.url, link: link ?? null, access_file: path });
      else printLines(io, [link ?? server.url]);
      note(io, `It serves until Ctrl-C. Tokens and sessions: ${printable(path)}`);
      await untilStopped(io, (stopped) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        stopped.addEventListener('abort', () => resolve(), { once: true });
        return promise;
      });
      return EXIT.ok;
    } finally {
      await server.close();
      await served.close();
    }
  });
};

/** @throws CliError if the variable with its secret is not set. */
export function trustedProxy(config: Config, env: Environment): TrustedProxy | undefined {
  const { proxy } = serverSettings(config);
  if (proxy === undefined) return undefined;
  const { secretEnv, ...given } = proxy;
  if (secretEnv === undefined) return given;
  const secret = env[secretEnv];
  if (secret) return { ...given, secret };
  const message = `The trusted proxy needs the variable ${secretEnv}, which is not set.`;
  throw new CliError('failed', message, 'Set it to the secret that the proxy sends.');
}

/** @throws CliError if it cannot listen. */
export async function listening(options: ServerOptions): Promise<RunningServer> {
  try {
    return await startServer(options);
  } catch (error) {
    const { port = DEFAULT_PORT } = options;
    const { code } = Object(error) as { readonly code?: unknown };
    const message = error instanceof Error ? error.message : String(error);
    if (isRedriveError(error)) throw new CliError('failed', message, undefined, { cause: error });
    const because = code === 'EADDRINUSE' ? 'another process uses it' : message;
    const text = `The HTTP API cannot be served on port ${port}: ${because}.`;
    throw new CliError('failed', text, 'Choose another port; 0 is any free one.', { cause: error });
  }
}

export function errorText(message: string, error: unknown): string {
  const cause = error instanceof Error ? `: ${error.message}` : '';
  return printable(`${message}${cause}`);
}
