import { circuitBreaker, isRetryError, type Policy } from '@redrive/core';
import { settle } from '@redrive/testkit';
import axios from 'axios';
import { Agent, request } from 'undici';
import { Agent as Agent7, request as request7 } from 'undici-7';
import { describe, expect, it } from 'vitest';
import { closedPort, serve, statuses } from '../testing/http-server.ts';
import { axiosAdapter } from './axios.ts';
import type { HttpCallOptions } from './http-calls.ts';
import { retryErrorOf, retryingFetch } from './index.ts';
import { redriveInterceptor } from './undici.ts';

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
}
interface Answered {
  readonly status: number;
  readonly text: string;
  /** What the client returned or threw, which `retryErrorOf` knows. */
  readonly outcome: unknown;
}
type Client = (options: HttpCallOptions) => (url: string, sent?: Sent) => Promise<Answered>;

const undici =
  (AnyAgent: typeof Agent, send: typeof request): Client =>
  (options) => {
    const dispatcher = new AnyAgent().compose(redriveInterceptor(options));
    return async (url, { method = 'GET', ...sent } = {}) => {
      const response = await send(url, { ...sent, method, dispatcher });
      return { status: response.statusCode, text: await response.body.text(), outcome: undefined };
    };
  };

const clients: Readonly<Record<string, Client>> = {
  retryingFetch(options) {
    const fetch = retryingFetch(options);
    return async (url, sent) => {
      const response = await fetch(url, sent);
      return { status: response.status, text: await response.text(), outcome: response };
    };
  },
  'redriveInterceptor of undici 8': undici(Agent, request),
  // The casts: their types differ, and what is used of them does not.
  'redriveInterceptor of undici 7': undici(
    Agent7 as unknown as typeof Agent,
    request7 as unknown as typeof request,
  ),
  axiosAdapter(options) {
    const client = axios.create({ adapter: axiosAdapter(options) });
    return async (url, { body, ...sent } = {}) => {
      try {
        const data = body === undefined ? {} : { data: body };
        const response = await client.request({ url, ...data, ...sent });
        return { status: response.status, text: response.data, outcome: response };
      } catch (error) {
        if (!axios.isAxiosError(error) || !error.response) throw error;
        return { status: error.response.status, text: error.response.data, outcome: error };
      }
    };
  },
};

const policy: Policy = { baseDelayMs: 1, jitter: 'none' };
const post: Sent = { method: 'POST', body: 'charge' };

describe.each(Object.entries(clients))('%s', (name, client) => {
  const send = client({ policy });

  it.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])('repeats %s after a 503', async (method) => {
    const server = await serve(statuses(503, 503, 200));
    expect((await send(server.url, { method })).status).toBe(200);
    expect(server.received.map((each) => each.method)).toEqual([method, method, method]);
  });

  it.each([
    ['POST', 500],
    ['POST', 503],
    ['PATCH', 502],
    ['POST', 408],
  ])('sends a %s once that ends with %i', async (method, status) => {
    const server = await serve(statuses(status, 200));
    const { text, outcome, ...answered } = await send(server.url, { method, body: 'x' });
    expect(answered.status).toBe(status);
    expect(text).toBe('answer 1');
    expect(server.received).toHaveLength(1);
    if (outcome) expect(retryErrorOf(outcome)?.reason).toBe('effect_unknown');
  });

  it('sends a POST once that a 503 with Retry-After ends', async () => {
    const server = await serve((response) => response.writeHead(503, { 'retry-after': '0' }).end());
    expect((await send(server.url, post)).status).toBe(503);
    expect(server.received).toHaveLength(1);
  });

  it('repeats a POST after a 429', async () => {
    const server = await serve(statuses(429, 200));
    expect((await send(server.url, post)).status).toBe(200);
    expect(server.received.map(({ body }) => body)).toEqual(['charge', 'charge']);
  });

  it('repeats a POST that has an Idempotency-Key, with the same key', async () => {
    const server = await serve(statuses(500, 503, 200));
    const headers = { 'Idempotency-Key': 'order-7' };
    expect((await send(server.url, { ...post, headers })).status).toBe(200);
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['order-7', 'order-7', 'order-7']);
  });

  it('adds one key to all attempts of a POST, and another one to those of the next', async () => {
    const server = await serve(statuses(500, 200, 500, 200));
    const keyed = client({ policy, idempotencyKey: 'auto' });
    const headers = { 'x-own': '1' };
    await keyed(server.url, { ...post, headers });
    await keyed(server.url, post);
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^redrive_\d+_\w+$/);
    expect(keys).toEqual([keys[0], keys[0], keys[2], keys[2]]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(server.received[1]?.headers['x-own']).toBe('1');
    await keyed(server.url, { method: 'GET' });
    expect(server.received.at(-1)?.headers['idempotency-key']).toBeUndefined();
  });

  it('repeats what the caller allows', async () => {
    const server = await serve(statuses(500, 200, 500, 200, 500));
    const byMethod = client({ policy, repeat: ['get', 'post'] });
    expect((await byMethod(server.url, post)).status).toBe(200);
    const byUrl = client({
      policy,
      repeat: ({ method, url, headers }) =>
        method === 'POST' && url.endsWith('/search') && headers.get('x-own') === '1',
    });
    const search = { ...post, headers: { 'x-own': '1' } };
    expect((await byUrl(`${server.url}/search`, search)).status).toBe(200);
    expect((await byUrl(`${server.url}/orders`, search)).status).toBe(500);
    expect(server.received).toHaveLength(5);
    // What plain JavaScript may answer.
    const late = client({ policy, repeat: (async () => true) as unknown as () => boolean });
    expect((await late(server.url, post)).status).toBe(500);
    expect(server.received).toHaveLength(6);
  });

  it('repeats a POST that reached no server', async () => {
    const retries: unknown[] = [];
    const counted = client({ policy, onRetry: ({ attempt }) => retries.push(attempt) });
    const url = `http://127.0.0.1:${await closedPort()}`;
    const error = await counted(url, post).catch((thrown) => thrown);
    expect(isRetryError(error)).toBe(false);
    expect(JSON.stringify([error.code, error.cause?.code])).toContain('ECONNREFUSED');
    expect(retries).toEqual([1, 2]);
    const gaveUp = retryErrorOf(error);
    expect(gaveUp).toMatchObject({ reason: 'max_attempts_exceeded', totalAttempts: 3 });
    expect(gaveUp?.cause).toBe(error);
  });

  it('repeats a GET, and no POST, whose connection is reset', async () => {
    const server = await serve((response, number) => {
      if (number === 2) response.end('up');
      else response.socket?.resetAndDestroy();
    });
    expect((await send(server.url)).text).toBe('up');
    const error = await send(server.url, post).catch((thrown) => thrown);
    expect(retryErrorOf(error)).toMatchObject({ reason: 'effect_unknown', totalAttempts: 1 });
    expect(server.received).toHaveLength(3);
  });

  it('repeats no POST that a policy lists, because the list does not know the method', async () => {
    const server = await serve((response) => void response.socket?.resetAndDestroy());
    const listed = client({ policy: { ...policy, retryableExceptions: ['ConnectionError'] } });
    await expect(listed(server.url, post)).rejects.toThrow();
    expect(server.received).toHaveLength(1);
  });

  it('returns the last response when a Retry-After is too long to wait', async () => {
    const server = await serve((response) =>
      response.writeHead(429, { 'retry-after': '3600' }).end('later'),
    );
    const { status, text, outcome } = await send(server.url);
    expect([status, text, server.received.length]).toEqual([429, 'later', 1]);
    if (outcome) expect(retryErrorOf(outcome)).toMatchObject({ reason: 'beyond_horizon' });
  });

  it('returns the last response when all attempts are used', async () => {
    const server = await serve(statuses(503));
    const { status, text, outcome } = await send(server.url);
    expect([status, text]).toEqual([503, 'answer 3']);
    if (outcome) expect(retryErrorOf(outcome)?.attempts).toHaveLength(3);
  });

  it('throws a RetryError for an open breaker, after the responses that opened it', async () => {
    const server = await serve(statuses(500));
    const breaker = circuitBreaker({ threshold: 2 });
    const guarded = client({ policy, breaker });
    expect((await guarded(server.url, post)).status).toBe(500);
    expect((await guarded(server.url, post)).status).toBe(500);
    const error = await guarded(server.url, post).catch((thrown) => thrown);
    expect(isRetryError(error, 'breaker_open')).toBe(true);
    expect(server.received).toHaveLength(2);
  });

  it('ends an attempt that takes too long, and repeats it if it may', async () => {
    const server = await serve((response, number) => void (number === 2 && response.end('up')));
    const timed = client({ policy, timeoutMs: 200 });
    expect((await timed(server.url)).text).toBe('up');
    await expect(timed(server.url, post)).rejects.toMatchObject({ code: 'attempt_timeout' });
    expect(server.received).toHaveLength(3);
  });

  it('has the give-up behind the timeout of the last attempt', async () => {
    const server = await serve(() => {});
    const timed = client({ policy: { ...policy, maxAttempts: 2 }, timeoutMs: 100 });
    const thrown: unknown = await timed(server.url).catch((error) => error);
    await settle(); // The request that was cut has ended.
    expect(retryErrorOf(thrown)).toMatchObject({
      reason: 'max_attempts_exceeded',
      totalAttempts: 2,
    });
  });

  it('ends at once when the caller aborts, in an attempt and in a wait', async () => {
    const inAttempt = new AbortController();
    const server = await serve(() => inAttempt.abort());
    await expect(send(server.url, { signal: inAttempt.signal })).rejects.toThrow();
    const inWait = new AbortController();
    const busy = await serve(statuses(503));
    const waiting = client({
      policy: { baseDelayMs: 20_000 },
      onRetry: () => queueMicrotask(() => inWait.abort()),
    });
    const error = await waiting(busy.url, { signal: inWait.signal }).catch((thrown) => thrown);
    expect(error.name).toMatch(name === 'axiosAdapter' ? /^CanceledError$/ : /^AbortError$/);
    expect(isRetryError(error)).toBe(false);
    expect([server.received.length, busy.received.length]).toEqual([1, 1]);
  });

  it('frees the sockets of the responses that nobody gets', async () => {
    const large = 'x'.repeat(1_000_000);
    const server = await serve((response, number) => {
      response.writeHead(number % 3 === 0 ? 200 : 503).end(number % 3 === 0 ? 'up' : large);
    });
    for (let call = 0; call < 3; call++) expect((await send(server.url)).text).toBe('up');
    await server.atMost(1);
    expect(server.received).toHaveLength(9);
  });

  it('holds no socket in a wait', async () => {
    const server = await serve((response) => response.writeHead(503).end('x'.repeat(1_000_000)));
    const controller = new AbortController();
    const { promise: isWaiting, resolve: waits } = Promise.withResolvers<void>();
    const slow = client({ policy: { baseDelayMs: 20_000 }, onRetry: () => waits() });
    const call = slow(server.url, { signal: controller.signal }).catch(() => 'aborted');
    await isWaiting;
    await server.atMost(name === 'axiosAdapter' ? 1 : 0); // axios has read the body.
    controller.abort();
    expect(await call).toBe('aborted');
  });

  it('refuses unknown and wrong options', () => {
    const wrong: object = { polcy: {}, timeoutMs: 'soon', repeat: 3 }; // What plain JavaScript may pass.
    expect(() => client(wrong)).toThrow(/polcy is unknown.*timeoutMs must be.*repeat must be/);
    expect(() => client({ policy: { enableCircuitBreaker: true } })).toThrow(/breaker/);
  });
});
