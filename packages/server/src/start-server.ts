import { RedriveError, systemClock } from '@redrive/core';
import { type AppParts, createApp } from './app.ts';

export interface ServerOptions extends AppParts {
  /** 0: any free port. Default 9480. */
  readonly port?: number | undefined;
  /** Default `127.0.0.1`. Another address needs a token in the access file, or a trusted proxy. */
  readonly address?: string | undefined;
}

export interface RunningServer {
  /** `http://127.0.0.1:9480` */
  readonly url: string;
  /**
   * Makes an address that signs one admin in, within ten minutes. `undefined` beyond loopback, and where there are tokens
   * or a trusted proxy: then people have another way in. `always`: also there.
   */
  signInLink(always?: 'always'): string | undefined;
  /** Requests that are under way may end within a second. */
  close(): Promise<void>;
}

const CLOSE_MS = 1_000;

const LOOPBACK: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

/**
 * Serves the HTTP API. There is no open mode: on loopback a link signs an admin in; any other address needs a
 * token in the access file or a trusted proxy, or the server does not start.
 *
 * @throws RedriveError `invalid_option` for an address beyond loopback without a token and a proxy; what `listen` says otherwise.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { port = 9480, address = '127.0.0.1', access, proxy, clock = systemClock } = options;
  const isLoopback = LOOPBACK.includes(address);
  // Also on loopback: a file that others can read shows now, not at the first request.
  const { hasTokens } = access;
  if (!isLoopback && !hasTokens && proxy === undefined) {
    const message = `The address ${address} can be reached by others, and there is no token and no trusted proxy. Create a token: redrive tokens create --role admin`;
    throw new RedriveError('invalid_option', message, { address });
  }
  const { server } = createApp(options);
  const url = await server.listen({ port, host: address });
  return {
    url,
    signInLink: (always) => {
      if (!isLoopback || (!always && (access.hasTokens || proxy !== undefined))) return undefined;
      return `${url}/#code=${access.createCode(clock.now())}`;
    },
    close: async () => {
      const timer = clock.setTimer(CLOSE_MS, () => server.server.closeAllConnections());
      await server.close();
      timer.cancel();
    },
  };
}
