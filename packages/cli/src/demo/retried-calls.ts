import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { retry } from '@redrive/core';
import { httpResponses } from '@redrive/core/classify/http';
import { narrator } from './narrator.ts';
import { print, type Stage } from './stage.ts';

/** A call that fails twice and then works. */
export async function flakyCall(stage: Stage): Promise<void> {
  print(
    stage,
    '   retry(readSensor, { maxAttempts: 4, baseDelayMs: 200 })',
    stage.paint(
      'dim',
      '   200 ms, then 400 ms, each 10 % more or less so that callers come apart.',
    ),
    '',
  );
  const { events, printTimeline } = narrator(stage);
  await retry(
    ({ attempt }) => {
      if (attempt < 3) throw new Error('connection reset');
      return 21.5;
    },
    { maxAttempts: 4, baseDelayMs: 200 },
    { events, clock: stage.clock, sessionId: 'tour' },
  );
  printTimeline();
}

/** A real server that answers 429 with Retry-After, and a `fetch` that obeys. */
export async function rateLimitedServer(stage: Stage): Promise<void> {
  print(
    stage,
    '   retry(() => fetch(url), { baseDelayMs: 50, classifyResult: httpResponses })',
    stage.paint(
      'dim',
      '   The server answers 429 and "Retry-After: 1". Back-off alone would say 50 ms.',
    ),
    '',
  );
  const server = limitedServer();
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    // A server that listens on TCP has an address with a port.
    const { port } = server.address() as AddressInfo;
    const { events, printTimeline } = narrator(stage, () => '429, Retry-After: 1');
    const policy = { baseDelayMs: 50, attemptTimeoutMs: 5_000, classifyResult: httpResponses };
    await retry(({ signal }) => fetch(`http://127.0.0.1:${port}`, { signal }), policy, {
      events,
      clock: stage.clock,
    });
    printTimeline();
  } finally {
    server.close();
    server.closeAllConnections();
  }
  print(stage, '', '   A hint is a floor: never earlier, and up to a tenth later.');
}

function limitedServer(): Server {
  let requests = 0;
  return createServer((_request, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(429, { 'retry-after': '1' }).end();
    else response.end('welcome');
  });
}
