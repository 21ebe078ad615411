import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isRetryError, retry } from '@redrive/core';
import { afterEach, expect, it } from 'vitest';
import { httpResponses } from './http.ts';

const policy = { maxAttempts: 4, backoff: 'immediate', classifyResult: httpResponses } as const;
/** More than the client reads ahead, so that nobody but the reader of the body can end it. */
const LARGE = 'x'.repeat(4_000_000);

const opened: Server[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server on loopback that knows its open sockets. */
async function serve(answer: RequestListener) {
  const sockets = new Set<Socket>();
  const server = createServer(answer);
  opened.push(server);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      changed();
    });
  });
  let changed = () => {};
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // It listens on a port.
  return {
    url: `http://127.0.0.1:${port}/`,
    sockets,
    /** Resolves when no more than `count` sockets are open; the test's own limit ends a wait in vain. */
    async until(count: number): Promise<void> {
      while (sockets.size > count) {
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
    },
  };
}

it('a discarded fetch response does not keep its socket: 50 calls of 4 attempts leave the 50 answers', async () => {
  const { url, sockets, until } = await serve((_, response) => {
    response.writeHead(503).end(LARGE);
  });
  const errors = await Promise.all(
    Array.from({ length: 50 }, () => retry(() => fetch(url), policy).catch((error) => error)),
  );
  expect(errors.every((error) => isRetryError(error, 'max_attempts_exceeded'))).toBe(true);
  // The last answer of each call is for its caller to read.
  await until(50);
  expect(sockets.size).toBeLessThanOrEqual(50);
});

it('the response that is returned, and the last one of a call that gives up, can be read', async () => {
  let calls = 0;
  const { url } = await serve((_, response) => {
    calls += 1;
    response.writeHead(calls % 2 === 0 ? 200 : 503).end(`answer ${calls}`);
  });
  const returned = await retry(() => fetch(url), policy);
  expect(await returned.text()).toBe('answer 2');
  const error = await retry(() => fetch(url), { ...policy, maxAttempts: 1 }).catch((e) => e);
  const last: unknown = error.attempts[0].error;
  if (!(last instanceof Response)) throw new Error('The last value is the response');
  expect(await last.text()).toBe('answer 3');
});

it('a body that the operation has read, or is reading, does no harm', async () => {
  const { url } = await serve((_, response) => response.writeHead(503).end('x'));
  const seen: Response[] = [];
  const operation = async () => {
    const response = await fetch(url);
    seen.push(response);
    if (seen.length === 1) await response.text();
    if (seen.length === 2) response.body?.getReader();
    return response;
  };
  await expect(retry(operation, policy)).rejects.toMatchObject({ totalAttempts: 4 });
  expect(seen.map(({ bodyUsed }) => bodyUsed)).toEqual([true, false, true, false]);
});

it('a body that cannot be cancelled, as other clients have it, does no harm', async () => {
  const answer = { status: 503, headers: {}, body: 'busy' };
  await expect(retry(() => answer, policy)).rejects.toMatchObject({ totalAttempts: 4 });
});

it('a killed or ended call keeps its last response, also when it would have been retried', async () => {
  const { url } = await serve((_, response) => response.writeHead(503).end('for you'));
  let asked = 0;
  const killSwitch = { isEngaged: () => ++asked === 2 }; // After the wait.
  const error = await retry(() => fetch(url), policy, { killSwitch }).catch((e) => e);
  expect(error.reason).toBe('kill_switch');
  expect(await error.attempts[0].error.text()).toBe('for you');
});

it('what discard throws changes nothing, and classifyResult need not name an effect', async () => {
  let discarded = 0;
  const classifyResult = () => ({
    errorClass: 'retryable' as const,
    discard() {
      discarded += 1;
      throw new Error('broken');
    },
  });
  const call = retry(() => 1, { maxAttempts: 3, backoff: 'immediate', classifyResult });
  await expect(call).rejects.toMatchObject({ totalAttempts: 3, effect: 'unknown' });
  expect(discarded).toBe(2);
});
