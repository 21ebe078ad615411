import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../log/worker-log.ts';
import { CliError } from '../terminal/cli-error.ts';

/** One thing that must be well for work to be done. */
export interface HealthCheck {
  readonly name: string;
  /** `undefined`: well. Otherwise what is wrong. Must answer within a few seconds. */
  readonly check: () => Promise<string | undefined> | string | undefined;
  /** Further facts for `?verbose`. */
  readonly about?: () => string;
}

interface HealthServer {
  /** Where it listens. */
  readonly port: number;
  close(): Promise<void>;
}

/** Who asks is a probe on the same machine: what takes longer or comes in crowds is none. */
const LIMITS = { requestTimeout: 5_000, headersTimeout: 5_000, keepAliveTimeout: 1_000 } as const;
const MAX_CONNECTIONS = 64;

/**
 * `/livez`: the process turns. `/readyz`: all checks are well, otherwise 503; `?verbose` lists them. On loopback only.
 *
 * @throws what `listen` says, `EADDRINUSE` above all.
 */
export async function startHealthServer(
  port: number,
  checks: readonly HealthCheck[],
): Promise<HealthServer> {
  const server = createServer(
    LIMITS,
    (request, response) => void answer(request, response, checks),
  );
  server.maxConnections = MAX_CONNECTIONS;
  // A probe never keeps a worker from ending.
  server.unref();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  // A server that listens on TCP has an address with a port.
  const address = server.address() as AddressInfo;
  return { port: address.port, close: () => closeServer(server) };
}

async function answer(
  { method = '', url = '/' }: IncomingMessage,
  response: ServerResponse,
  checks: readonly HealthCheck[],
): Promise<void> {
  // Not by `new URL`, which throws for what anybody may send, such as `//`.
  const [pathname, query] = url.split('?', 2);
  const send = (status: number, lines: readonly string[]) => {
    response.writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    });
    response.end(method === 'HEAD' ? undefined : `${lines.join('\n')}\n`);
  };
  if (method !== 'GET' && method !== 'HEAD') return send(405, ['method not allowed']);
  if (pathname === '/livez') return send(200, ['ok']);
  if (pathname !== '/readyz') return send(404, ['not found: /livez and /readyz are here']);
  const results = await Promise.all(checks.map(resultOf));
  const bad = results.filter(({ problem }) => problem !== undefined);
  const listed = new URLSearchParams(query).has('verbose') ? results : bad;
  const lines = listed.map(
    ({ name, problem, about }) =>
      `[${problem === undefined ? '+' : '-'}]${name} ${problem ?? 'ok'}${about === undefined ? '' : `: ${about}`}`,
  );
  send(bad.length === 0 ? 200 : 503, [...lines, bad.length === 0 ? 'ok' : 'not ready']);
}

async function resultOf({ name, check, about }: HealthCheck) {
  try {
    return { name, problem: await check(), about: about?.() };
  } catch (error) {
    return {
      name,
      problem: error instanceof Error ? error.message : String(error),
      about: undefined,
    };
  }
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

export interface HealthWish {
  readonly port: number;
  /** Somebody named the port on the command line: then it must be that one. A file is shared by many workers. */
  readonly named: boolean;
}

/**
 * Serves `/livez` and `/readyz`. The default port may be taken by another worker on this machine, which is no reason not
 * to work; a port on the command line is.
 *
 * @throws CliError where the named port cannot be had.
 */
export async function serveHealth(
  wish: HealthWish | undefined,
  checks: readonly HealthCheck[],
  log: Log,
): Promise<HealthServer | undefined> {
  if (wish === undefined) return undefined;
  const { port, named } = wish;
  try {
    const server = await startHealthServer(port, checks);
    const url = `http://127.0.0.1:${server.port}`;
    log.info(
      { event: 'health.listening', port: server.port },
      `Health: ${url}/livez and ${url}/readyz`,
    );
    return server;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (named) {
      const hint = 'Choose another one with --health-port; 0: any free port, off: none.';
      throw new CliError('failed', `Health cannot be served on port ${port}: ${message}`, hint);
    }
    const text = `Health is not served, because port ${port} cannot be used: ${message}`;
    log.warn({ event: 'health.unavailable', port }, text);
    return undefined;
  }
}
