import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostNames, hostOf } from '@redrive/durable/store';
import type { Log } from '../log/worker-log.ts';
import { CliError } from '../terminal/exit-codes.ts';

/** One thing that must be well for work to be done. */
export interface HealthCheck {
  readonly name: string;
  /** `undefined`: well. Otherwise what is wrong. Must answer within a few seconds. */
  readonly check: () => Promise<string | undefined> | string | undefined;
  /** Further facts for `?verbose`. */
  readonly about?: () => string;
}

/** A look at the metrics: the format that it prefers, and who looks. */
export interface Scrape {
  readonly accept: string | undefined;
  readonly agent: string | undefined;
  readonly address: string | undefined;
}

export interface Served {
  readonly checks: readonly HealthCheck[];
  /** Absent: there is no `/metrics`. */
  readonly metrics?:
    | ((scrape: Scrape) => Promise<{ readonly contentType: string; readonly body: string }>)
    | undefined;
}

interface HealthServer {
  /** Where it listens. */
  readonly port: number;
  close(): Promise<void>;
}

/** Limits for probes on the same machine: slower requests, and many at once, are not from probes. */
const LIMITS = {
  requestTimeout: 5_000,
  headersTimeout: 2_000,
  keepAliveTimeout: 1_000,
  connectionsCheckingInterval: 1_000,
} as const;
const MAX_CONNECTIONS = 512;
/** A scraper that reads nothing for this time is disconnected. */
const IDLE_MS = 10_000;
/** Scrapers that are answered at once. More are refused, so that they leave connections for probes. */
const MAX_SCRAPES = 16;
const isKnownHost = hostNames([]);

/**
 * `/livez`: the process turns. `/readyz`: all checks are well, otherwise 503; `?verbose` lists them. `/metrics`: text or
 * OpenMetrics, by `Accept`. On loopback only, and only under its names in `Host`.
 *
 * @throws what `listen` says, `EADDRINUSE` above all.
 */
export async function startHealthServer(port: number, served: Served): Promise<HealthServer> {
  let scrapes = 0;
  const server = createServer(LIMITS, (request, response) => {
    // A page in a browser of this machine may point its own name at this address.
    if (!isKnownHost(hostOf(request))) {
      send(request, response, 403, 'unknown host');
      return;
    }
    if (pathOf(request) !== '/metrics' || served.metrics === undefined) {
      void answer(request, response, served);
      return;
    }
    scrapes += 1;
    response.once('close', () => {
      scrapes -= 1;
    });
    if (scrapes > MAX_SCRAPES) send(request, response, 503, 'too many scrapers at once');
    else void answerScrape(request, response, served.metrics);
  });
  server.setTimeout(IDLE_MS);
  server.maxConnections = MAX_CONNECTIONS;
  // A probe never keeps a worker from ending.
  server.unref();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  // A server that listens on TCP has an address with a port.
  const address = server.address() as AddressInfo;
  return { port: address.port, close: () => closeServer(server) };
}

/** Not by `new URL`, which throws for what anybody may send, such as `//`. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  contentType = 'text/plain; charset=utf-8',
): void {
  // Probes are seconds apart. An open connection could be held by line breaks that trickle.
  const headers = { 'content-type': contentType, 'cache-control': 'no-store', connection: 'close' };
  response.writeHead(status, headers);
  response.end(method === 'HEAD' ? undefined : text.endsWith('\n') ? text : `${text}\n`);
}

async function answerScrape(
  request: IncomingMessage,
  response: ServerResponse,
  metrics: NonNullable<Served['metrics']>,
): Promise<void> {
  if (request.method !== 'GET') return send(request, response, 405, 'method not allowed');
  const { accept, 'user-agent': agent } = request.headers;
  const address = request.socket.remoteAddress;
  const { contentType, body } = await metrics({ accept, agent, address });
  send(request, response, 200, body, contentType);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { checks, metrics }: Served,
): Promise<void> {
  const { method, url = '' } = request;
  const path = pathOf(request);
  if (method !== 'GET' && method !== 'HEAD')
    return send(request, response, 405, 'method not allowed');
  if (path === '/livez') return send(request, response, 200, 'ok');
  if (path !== '/readyz') {
    const paths = metrics === undefined ? '/livez and /readyz' : '/livez, /readyz and /metrics';
    return send(request, response, 404, `not found: ${paths} are here`);
  }
  const results = await Promise.all(checks.map(resultOf));
  const bad = results.filter(({ problem }) => problem !== undefined);
  const isVerbose = new URLSearchParams(url.split('?', 2)[1]).has('verbose');
  const lines = (isVerbose ? results : bad).map(
    ({ name, problem, about }) =>
      `[${problem === undefined ? '+' : '-'}]${name} ${problem ?? 'ok'}${about === undefined ? '' : `: ${about}`}`,
  );
  const isReady = bad.length === 0;
  send(request, response, isReady ? 200 : 503, [...lines, isReady ? 'ok' : 'not ready'].join('\n'));
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
 * Serves `/livez`, `/readyz` and `/metrics`. Another worker on this machine may have the default port: then this worker
 * runs without.
 *
 * @throws CliError if a port that the command line names is in use.
 */
export async function serveHealth(
  wish: HealthWish | undefined,
  served: Served,
  log: Log,
): Promise<HealthServer | undefined> {
  if (wish === undefined) return undefined;
  const { port, named } = wish;
  try {
    const server = await startHealthServer(port, served);
    const url = `http://127.0.0.1:${server.port}`;
    log.info(
      { event: 'health.listening', port: server.port },
      `Health: ${url}/livez and ${url}/readyz${served.metrics ? `; metrics: ${url}/metrics` : ''}`,
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
