import { Readable } from 'node:stream';
import { isRetryError } from '@redrive/core';
import { trackUnhandledRejections } from '@redrive/testkit';
import { Agent, type Dispatcher, fetch, interceptors, request } from 'undici';
import type { Dispatcher as Dispatcher7 } from 'undici-7';
import { expect, it } from 'vitest';
import { closedPort, serve, statuses } from '../testing/http-server.ts';
import { retryErrorOf } from './index.ts';
import { redriveInterceptor } from './undici.ts';

const policy = { baseDelayMs: 1, jitter: 'none' } as const;
const agent = (options = {}) => new Agent().compose(redriveInterceptor({ policy, ...options }));

it('has the type of an interceptor of undici 7 and 8', () => {
  const of8: Dispatcher.DispatcherComposeInterceptor = redriveInterceptor();
  const of7: Dispatcher7.DispatcherComposeInterceptor = redriveInterceptor();
  expect([of7.length, of8.length]).toEqual([1, 1]);
});

it('passes a large body on with the back-pressure of its reader', async () => {
  const large = 'x'.repeat(3_000_000);
  const server = await serve((response, number) => {
    response.writeHead(number === 1 ? 503 : 200).end(large);
  });
  const { statusCode, body } = await request(server.url, { dispatcher: agent() });
  let size = 0;
  for await (const chunk of body) size += chunk.length;
  expect([statusCode, size, server.received.length]).toEqual([200, 3_000_000, 2]);
});

it('passes on a response whose connection ends before it is taken', async () => {
  const server = await serve((response, number) => {
    response.writeHead(number === 1 ? 503 : 200, { connection: 'close' }).end('all');
  });
  const { body } = await request(server.url, { dispatcher: agent() });
  expect(await body.text()).toBe('all');
});

it('reports the failure of a body that has begun, without another attempt', async () => {
  const server = await serve((response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => {
      response.socket?.resetAndDestroy();
    });
  });
  const { body } = await request(server.url, { dispatcher: agent() });
  await expect(body.text()).rejects.toMatchObject({
    code: expect.stringMatching(/ECONNRESET|SOCKET/),
  });
  expect(server.received).toHaveLength(1);
});

it('a stream is sent once, or again if it is not longer than bufferBytes', async () => {
  const server = await serve(statuses(503, 200));
  const body = () => Readable.from([Buffer.from('cat')]);
  const once = await request(server.url, { method: 'PUT', body: body(), dispatcher: agent() });
  expect(once.statusCode).toBe(503);
  await once.body.dump();
  const other = await serve(statuses(503, 200));
  const dispatcher = agent({ bufferBytes: 10 });
  const again = await request(other.url, { method: 'PUT', body: body(), dispatcher });
  expect([again.statusCode, other.received.map((each) => each.body)]).toEqual([
    200,
    ['cat', 'cat'],
  ]);
});

it.each([
  ['an object', { 'X-Own': 'a' }],
  ['a list', ['X-Own', 'a']],
  ['a map', new Map([['X-Own', 'a']])],
])('adds the key to headers in %s', async (_, headers) => {
  const server = await serve(statuses(500, 200));
  const dispatcher = agent({ idempotencyKey: 'auto' });
  await request(server.url, { method: 'POST', headers, dispatcher });
  const [first, second] = server.received.map((each) => each.headers);
  expect(first?.['idempotency-key']).toMatch(/^redrive_/);
  expect(second).toEqual(first);
  expect(first?.['x-own']).toBe('a');
});

it('serves the fetch of undici', async () => {
  const server = await serve(statuses(503, 200));
  const response = await fetch(server.url, { dispatcher: agent() });
  expect([response.status, await response.text()]).toEqual([200, 'answer 2']);
});

it('does not send a POST again whose redirect below leads to a server that is down', async () => {
  const port = await closedPort();
  const server = await serve((response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end(),
  );
  const dispatcher = new Agent().compose(
    interceptors.redirect({ maxRedirections: 3 }),
    redriveInterceptor({ policy }),
  );
  const error = await request(server.url, { method: 'POST', dispatcher }).catch((thrown) => thrown);
  expect(error.code).toBe('ECONNREFUSED');
  expect(retryErrorOf(error)?.reason).toBe('effect_unknown');
  expect(server.received).toHaveLength(1);
});

it('an abort ends the wait after a refused connection', async () => {
  const controller = new AbortController();
  const dispatcher = agent({
    policy: { baseDelayMs: 20_000 },
    onRetry: () => queueMicrotask(() => controller.abort(new Error('left'))),
  });
  const url = `http://127.0.0.1:${await closedPort()}`;
  await expect(request(url, { signal: controller.signal, dispatcher })).rejects.toThrow('left');
});

it('passes an upgrade on as it is', async () => {
  const seen: object[] = [];
  const dispatch = redriveInterceptor()((options: object) => {
    seen.push(options);
    return true;
  });
  const upgrade = { upgrade: 'websocket' };
  const tunnel = { method: 'CONNECT' };
  dispatch(upgrade, {});
  dispatch(tunnel, {});
  expect([seen[0] === upgrade, seen[1] === tunnel]).toEqual([true, true]);
});

it('leaves no rejection behind when the program ends its agent', async () => {
  const unhandled = trackUnhandledRejections();
  try {
    const server = await serve(() => {});
    const inner = new Agent();
    const call = request(server.url, { dispatcher: inner.compose(redriveInterceptor({ policy })) });
    const ended = call.catch((thrown) => thrown);
    await inner.destroy();
    expect(isRetryError(await ended)).toBe(false);
    expect(await unhandled.seen()).toEqual([]);
  } finally {
    unhandled.stop();
  }
});
