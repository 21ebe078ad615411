import { Readable } from 'node:stream';
import { retry } from '@redrive/core';
import { countAbortListeners } from '@redrive/testkit';
import axios, { type AxiosError } from 'axios';
import { expect, it, vi } from 'vitest';
import { closedPort, serve, statuses } from '../testing/http-server.ts';
import { axiosAdapter } from './axios.ts';
import { retryErrorOf } from './index.ts';

const policy = { baseDelayMs: 1, jitter: 'none' } as const;
const client = axios.create({ adapter: axiosAdapter({ policy }) });
const failureOf = (call: Promise<unknown>): Promise<AxiosError> =>
  call.then(
    () => Promise.reject(new Error('The call succeeded')),
    (thrown) => thrown,
  );

it('the config of a response or an error can be sent again', async () => {
  const server = await serve(statuses(500, 200, 404, 200));
  const timed = axios.create({ adapter: axiosAdapter({ policy, timeoutMs: 60_000 }) });
  const { config } = await timed.get(server.url);
  expect(config.signal).toBeUndefined();
  const error = await failureOf(timed.get(server.url));
  expect(error.config?.signal).toBeUndefined();
  expect(error.response?.config.signal).toBeUndefined();
  if (error.config) expect((await timed.request(error.config)).status).toBe(200);
});

it('keeps interceptors, transforms, parameters and validateStatus', async () => {
  const server = await serve((response, number) =>
    response.writeHead(number === 1 ? 503 : 404).end('{"cat":1}'),
  );
  const own = axios.create({
    adapter: axiosAdapter({ policy }),
    params: { page: 2 },
    validateStatus: () => true,
    headers: { 'x-own': 'a', 'x-none': false },
  });
  own.interceptors.response.use((response) => ({
    ...response,
    data: { ...response.data, seen: true },
  }));
  const { status, data } = await own.post('/cats', { name: 'cat' }, { baseURL: server.url });
  // A POST that ended with 503, returned because the program accepts every status.
  expect([status, data, server.received.length]).toEqual([503, { cat: 1, seen: true }, 1]);
  expect(server.received[0]).toMatchObject({ path: '/cats?page=2', body: '{"name":"cat"}' });
  expect(server.received[0]?.headers).not.toHaveProperty('x-none');
});

it('does not send a POST again whose redirect leads to a server that is down', async () => {
  const port = await closedPort();
  const server = await serve((response) =>
    response.writeHead(303, { location: `http://127.0.0.1:${port}/` }).end(),
  );
  const beforeRedirect = vi.fn();
  const error = await failureOf(client.post(server.url, 'x', { beforeRedirect }));
  expect([error.code, server.received.length]).toEqual(['ECONNREFUSED', 1]);
  expect(retryErrorOf(error)?.reason).toBe('effect_unknown');
  expect(beforeRedirect).toHaveBeenCalledOnce();
});

it('does not send a POST again after an error of an adapter that hides redirects', async () => {
  const adapter = axios.getAdapter('fetch');
  const hidden = axios.create({ adapter: axiosAdapter({ policy, adapter }) });
  const url = `http://127.0.0.1:${await closedPort()}`;
  const error = await failureOf(hidden.post(url, 'x'));
  expect(retryErrorOf(error)).toMatchObject({ totalAttempts: 1, reason: 'effect_unknown' });
  expect(retryErrorOf(await failureOf(hidden.get(url)))?.totalAttempts).toBe(3);
});

it('a stream is sent once, or again if it is not longer than bufferBytes', async () => {
  const body = () => Readable.from([Buffer.from('cat')]);
  const server = await serve(statuses(503, 200));
  expect((await failureOf(client.put(server.url, body()))).response?.status).toBe(503);
  const other = await serve(statuses(503, 200));
  const buffered = axios.create({ adapter: axiosAdapter({ policy, bufferBytes: 10 }) });
  expect((await buffered.put(other.url, body())).status).toBe(200);
  expect(other.received.map((each) => each.body)).toEqual(['cat', 'cat']);
});

it('frees the socket of a streamed response that is retried', async () => {
  const server = await serve((response, number) => {
    response.writeHead(number === 1 ? 503 : 200).end('x'.repeat(number === 1 ? 4_000_000 : 1));
  });
  const { data } = await client.get(server.url, { responseType: 'stream' });
  await server.atMost(1);
  data.destroy();
});

it('obeys a cancel token in a wait, and leaves no listener on a signal', async () => {
  const server = await serve(statuses(503, 200));
  const source = axios.CancelToken.source();
  const adapter = axiosAdapter({
    policy: { baseDelayMs: 20_000 },
    onRetry: () => queueMicrotask(() => source.cancel('left')),
  });
  const call = axios.get(server.url, { adapter, cancelToken: source.token });
  expect(axios.isCancel(await failureOf(call))).toBe(true);
  const { signal } = new AbortController();
  await client.get(server.url, { signal });
  expect(countAbortListeners(signal)).toBe(0);
});

it('without the adapter, a POST under retry is sent once that ends with 500', async () => {
  const server = await serve(statuses(500));
  const quick = { ...policy, maxAttempts: 3 };
  const gaveUp = await retry(() => axios.post(server.url, 'x'), quick).catch((thrown) => thrown);
  expect(gaveUp).toMatchObject({ reason: 'effect_unknown', totalAttempts: 1 });
  const headers = { 'Idempotency-Key': 'k' };
  await retry(() => axios.post(server.url, 'x', { headers }), quick).catch(() => {});
  await retry(() => axios.get(server.url), quick).catch(() => {});
  await retry(() => axios.post(server.url, 'x'), quick, { onUnknown: 'retry' }).catch(() => {});
  expect(server.received).toHaveLength(1 + 3 + 3 + 3);
});
