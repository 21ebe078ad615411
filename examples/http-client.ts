// fetch with Retry-After. `node examples/http-client.ts`
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { definePolicy, retry, systemClock } from '@redrive/core';
import { httpErrors, httpResponses } from '@redrive/core/classify/http';
import { nodeErrors } from '@redrive/core/classify/node';

// A server that is overloaded at first, and says when to come back.
let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  if (request.url === '/missing') response.writeHead(404).end();
  else if (requests === 1) response.writeHead(503, { 'retry-after': '1' }).end();
  else response.end('hello');
});
await once(server.listen(0, '127.0.0.1'), 'listening');
// A server that listens on TCP has an address with a port.
const { port } = server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}`;

const policy = definePolicy({
  id: 'greeting',
  maxAttempts: 3,
  // Back-off alone would come back after 20 ms.
  baseDelayMs: 20,
  attemptTimeoutMs: 2_000,
  ttlMs: 10_000,
  // `fetch` throws when there is no connection, and returns whatever a server answers: judge both.
  classify: [httpErrors, nodeErrors],
  classifyResult: httpResponses,
});
const get = (path: string) => retry(({ signal }) => fetch(url + path, { signal }), policy);

const startMs = systemClock.monotonic();
const greeting = await get('/');
const waitedMs = systemClock.monotonic() - startMs;
console.log(`${greeting.status} ${await greeting.text()} after ${requests} requests`);
console.log(
  waitedMs >= 1_000 ? 'Retry-After was obeyed: 1 s or a little more' : 'came back too early',
);

// 404 is an answer and not a failure of the network: it comes back as it is, after one request.
requests = 0;
const missing = await get('/missing');
console.log(`${missing.status} after ${requests} request`);

server.close();
server.closeAllConnections();
