import type { RunningServer } from '@redrive/server';
import type { Invocation } from '../command/command-spec.ts';
import { integerOption } from '../command/option-values.ts';
import type { Log } from '../log/worker-log.ts';
import { accessPath } from './access-file.ts';
import { errorText, type Served, serveApi } from './serve-api.ts';

interface Worker extends Served {
  readonly log: Log;
}

/** Without an address: it could not be served. */
type ServedConsole = Pick<RunningServer, 'close'> & Partial<RunningServer>;

/** `redrive start --console`: on a terminal the link is the first line on stderr. @returns how to close it. */
export async function startConsole(
  invocation: Invocation,
  worker: Worker,
): Promise<() => Promise<void>> {
  const { url, close, signInLink } = await serveConsole(invocation, worker);
  // Never in the worker's log on stdout. Without a terminal stderr may go to a log too, as with systemd.
  const link = invocation.io.errorScreen.isTerminal ? signInLink?.() : undefined;
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
  worker: Worker,
  otherPort?: number,
): Promise<ServedConsole> {
  const { log } = worker;
  const port = integerOption(invocation.options, 'console', { min: 0, max: 65_535 });
  try {
    return await serveApi(invocation, worker, {
      ...{ port, otherPort, accessFile: accessPath(invocation, worker.url) },
      onError: (message, error) => log.error({ event: 'console.error' }, errorText(message, error)),
    });
  } catch (error) {
    log.warn({ event: 'console.unavailable' }, errorText('The worker goes on without it', error));
    return { close: async () => undefined };
  }
}
