import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@redrive/core';

/** The payment service of the shop, which fails on a schedule, and the pager of the people behind it. */
export interface PaymentService {
  readonly url: string;
  close(): Promise<void>;
}

/** It refuses charges for a while, again and again. */
const CYCLE_MS = 25_000;
const DOWN_FROM_MS = 12_000;
const DOWN_FOR_MS = 4_000;
/** Longer than a call waits, so it goes on as a job. */
const RETRY_AFTER_S = 4;
/** Requests that it remembers. */
const MAX_KNOWN = 1_000;

type Answer = readonly [status: number, headers?: Readonly<Record<string, string>>];

/** Listens on loopback. Which request fails depends on the order's number and on the time, so two services agree. */
export async function paymentService(clock: Clock): Promise<PaymentService> {
  const made = new Map<string, number>();
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Nothing of the body is read: the path says all.
    request.resume();
    const { url = '/' } = request;
    const calls = (made.get(url) ?? 0) + 1;
    if (made.size >= MAX_KNOWN) made.clear();
    made.set(url, calls);
    const [status, headers = {}] = answerTo(url, calls, clock.now());
    response.writeHead(status, headers).end();
  }

  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @param calls with this path so far, this one included. */
function answerTo(path: string, calls: number, nowMs: number): Answer {
  const [, what, id = ''] = /^\/(\w+)\/order-(\d+)$/.exec(path) ?? [];
  const n = Number(id);
  const isGlass = n % 10 === 2;
  if (what === 'authorize') {
    if (n % 6 === 5 && calls === 1) return [429, { 'retry-after': String(RETRY_AFTER_S) }];
    return [calls <= (isGlass ? 2 : n % 3) ? 503 : 200];
  }
  if (what === 'charge') {
    const atMs = nowMs % CYCLE_MS;
    if (atMs >= DOWN_FROM_MS && atMs < DOWN_FROM_MS + DOWN_FOR_MS) return [503];
    return [calls <= (isGlass ? 1 : n % 4 === 1 ? 1 : 0) ? 500 : 200];
  }
  return [path === '/pager' ? 204 : 404];
}
