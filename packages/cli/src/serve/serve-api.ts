import { type Config, serverSettings } from '@redrive/config';
import { type Clock, isRedriveError } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import {
  AccessFile,
  type RunningServer,
  type ServerOptions,
  startServer,
  type TrustedProxy,
} from '@redrive/server';
import type { Invocation } from '../command/command-spec.ts';
import { doctorDocument } from '../doctor/doctor.ts';
import { CHECKS, runChecks } from '../doctor/run-checks.ts';
import { type OpenSweeps, openSweeps } from '../sweep/configured-sweeps.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printable } from '../terminal/printable.ts';
import type { Environment } from '../terminal/screen.ts';

export const DEFAULT_PORT = 9480;

export interface Served {
  readonly config: () => Config;
  readonly store: FullStore;
  /** The store's URL. */
  readonly url: string;
  readonly clock: Clock;
}

type Wish = Pick<ServerOptions, 'port' | 'address' | 'hosts' | 'secure' | 'onError'> & {
  /** Path of the access file. */
  readonly accessFile: string;
  /** For a port that is in use. Default: none. */
  readonly otherPort?: number | undefined;
};

/** Serves the console and the HTTP API. @throws CliError if it cannot listen. */
export async function serveApi(
  invocation: Invocation,
  { config, store, url, clock }: Served,
  { accessFile, otherPort, ...wish }: Wish,
): Promise<RunningServer> {
  const { close: closeSweeps, ...made } = servedParts(invocation, { config, store, url, clock });
  const proxy = trustedProxy(config(), invocation.io.env);
  const options = { ...wish, ...made, config, store, clock, proxy };
  const access = new AccessFile(accessFile);
  const server = await listening({ ...options, access }).catch((error: unknown) => {
    if (otherPort === undefined) throw error;
    return listening({ ...options, access, port: otherPort });
  });
  return { ...server, close: () => server.close().then(closeSweeps) };
}

/** Doctor reads every job for the first, and the ports are those of this process. */
const NOT_SERVED = ['rows', 'ports'];

/** Parts of the API that only the command can make, because it knows the adapters. */
function servedParts(invocation: Invocation, { config, store, url, clock }: Served) {
  let open: Promise<OpenSweeps> | undefined;
  return {
    /** The databases are opened at the first request; one that failed is tried again. */
    async sweeps() {
      open ??= openSweeps(invocation.io, config).catch((error: unknown) => {
        open = undefined;
        throw error;
      });
      return (await open).sweeps;
    },
    async doctor() {
      const checks = await runChecks(
        CHECKS.filter(({ name }) => !NOT_SERVED.includes(name)),
        {
          ...{ invocation, clock, warnings: [], rows: { read: 0, putBack: [] } },
          config: Promise.resolve({ config: config(), text: '', problems: [] }),
          url: Promise.resolve(url),
          store: Promise.resolve(store),
        },
      );
      return doctorDocument(store.name, checks);
    },
    async close() {
      await (await open?.catch(() => undefined))?.close();
    },
  };
}

/** @throws CliError if the variable with its secret is not set. */
function trustedProxy(config: Config, env: Environment): TrustedProxy | undefined {
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
async function listening(options: ServerOptions): Promise<RunningServer> {
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
