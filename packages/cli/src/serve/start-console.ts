import type { Config } from '@redrive/config';
import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { AccessFile } from '@redrive/server';
import type { Invocation } from '../command/command-spec.ts';
import { integerOption } from '../command/option-values.ts';
import type { Log } from '../log/worker-log.ts';
import { accessPath } from './access-path.ts';
import { errorText, listening, trustedProxy } from './serve.ts';
import { servedParts } from './served-parts.ts';

interface Worker {
  readonly config: () => Config;
  readonly store: FullStore;
  /** The store's URL. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ServedConsole {
  /** The address to open; absent where it could not be served. */
  readonly link?: string | undefined;
  readonly url?: string | undefined;
  readonly close: () => Promise<void>;
}

/** `redrive start --console`: its address is the first line on stderr. @returns how to close it. */
export async function startConsole(
  invocation: Invocation,
  worker: Worker,
): Promise<() => Promise<void>> {
  const { link, url, close } = await serveConsole(invocation, worker);
  // Not in the worker's log on stdout. Where stderr is kept too, as by systemd, its readers have the code: it is good once, within ten minutes.
  if (link !== undefined) invocation.io.stderr(`${link}\n`);
  if (url !== undefined) {
    const fields = { event: 'console.listening', url };
    worker.log.info(fields, `The console is served at ${url}`);
  }
  return close;
}

/**
 * The console and the HTTP API beside a worker, on loopback. If they cannot be served, the worker works without them.
 *
 * @param otherPort for a port that is in use. Default: none.
 */
export async function serveConsole(
  invocation: Invocation,
  { config, store, url, clock, log }: Worker,
  otherPort?: number,
): Promise<ServedConsole> {
  const { options } = invocation;
  const port = integerOption(options, 'console', { min: 0, max: 65_535 });
  const served = servedParts(invocation, { config, store, url, clock });
  try {
    const access = new AccessFile(accessPath(invocation, url));
    const wish = {
      config,
      store,
      sweeps: served.sweeps,
      doctor: served.doctor,
      access,
      clock,
      port,
      proxy: trustedProxy(config(), invocation.io.env),
      onError: (message: string, error: unknown) =>
        log.error({ event: 'console.error' }, errorText(message, error)),
    };
    const server = await listening(wish).catch((error: unknown) => {
      if (otherPort === undefined) throw error;
      return listening({ ...wish, port: otherPort });
    });
    return { url: server.url, link: server.link, close: () => server.close().then(served.close) };
  } catch (error) {
    log.warn({ event: 'console.unavailable' }, errorText('The worker goes on without it', error));
    return { close: async () => undefined };
  }
}
