// Two services that both retry, and count their retries together. `node examples/nested.ts`
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AttemptContext,
  type Classification,
  isRetryError,
  type Policy,
  retry,
  sessionFromHeaders,
  sessionHeaders,
} from '@redrive/core';
import { httpResponses } from '@redrive/core/classify/http';

const policy: Policy = { maxAttempts: 3, baseDelayMs: 5 };

/** The database behind both. It is down, and counts the queries. */
let queries = 0;
async function queryDatabase(): Promise<never> {
  queries += 1;
  throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
}

/** The inner service: its retries add to those of its caller. It reports when it has given up. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const rows = await retry(queryDatabase, policy, {
      parent: sessionFromHeaders(request.headers),
    });
    response.end(JSON.stringify(rows));
  } catch (error) {
    response.writeHead(503, isRetryError(error) ? { 'x-gave-up': error.reason } : {}).end();
  }
}
const server = createServer((request, response) => void serve(request, response));
await once(server.listen(0, '127.0.0.1'), 'listening');
// A server that listens on TCP has an address with a port.
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function countQueries(callService: () => Promise<unknown>): Promise<number> {
  queries = 0;
  await callService().catch(() => undefined);
  return queries;
}

// Each for itself: 3 attempts of the caller times 3 of the service.
const alone = await countQueries(() =>
  retry(({ signal }) => fetch(url, { signal }), { ...policy, classifyResult: httpResponses }),
);
console.log(`each for itself: ${alone} queries`);

// Headers carry the caller's count of retries, 0, then 1, then 2: the service may make 2 retries, then 1, then none.
const fetchInSession = (context: AttemptContext) =>
  fetch(url, { headers: sessionHeaders(context), signal: context.signal });
const shared = await countQueries(() =>
  retry(fetchInSession, { ...policy, classifyResult: httpResponses }),
);
console.log(`with the caller's count of retries: ${shared} queries`);

// And the caller does not repeat a request on which the service gave up.
function judge(response: unknown): Classification | undefined {
  const gaveUp = response instanceof Response && response.headers.has('x-gave-up');
  return gaveUp ? { errorClass: 'final', effect: 'unknown' } : httpResponses(response);
}
const reported = await countQueries(() =>
  retry(fetchInSession, { ...policy, classifyResult: judge }),
);
console.log(`and with the service's report that it gave up: ${reported} queries`);

server.close();
server.closeAllConnections();
