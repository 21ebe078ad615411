// Each library as its documentation shows it, three attempts in all, everything else as it is by default.

import { axiosAdapter } from '@redrive/core/axios';
import { retryingFetch } from '@redrive/core/fetch';
import { redriveInterceptor } from '@redrive/core/undici';
import axios from 'axios';
import axiosRetry from 'axios-retry';
import got from 'got';
import ky from 'ky';
import pRetry from 'p-retry';
import { Agent, RetryAgent, request } from 'undici';

/** A client sends a request and reads its body. It answers the status, whatever the library calls it. */
const byFetch =
  (send) =>
  async (url, { method, signal }) => {
    const response = await send(url, { method, signal });
    await response.text();
    return response.status;
  };

const byUndici =
  (dispatcher) =>
  async (url, { method, signal }) => {
    const response = await request(url, { method, signal, dispatcher });
    await response.body.text();
    return response.statusCode;
  };

const byAxios =
  (client) =>
  async (url, { method, signal }) => {
    const { status } = await client.request({ url, method, signal });
    return status;
  };

function axiosWithRetry() {
  const client = axios.create();
  axiosRetry(client, { retries: 2 });
  return client;
}

export const clients = {
  '`retryingFetch`': byFetch(retryingFetch()),
  '`redriveInterceptor`': byUndici(new Agent().compose(redriveInterceptor())),
  '`axiosAdapter`': byAxios(axios.create({ adapter: axiosAdapter() })),
  'p-retry with `fetch`': (url, { method, signal }) =>
    pRetry(
      async () => {
        const response = await fetch(url, { method, signal });
        if (!response.ok) throw new Error(`HTTP ${response.status}`);
        await response.text();
        return response.status;
      },
      { retries: 2, signal },
    ),
  'axios-retry': byAxios(axiosWithRetry()),
  got: async (url, { method, signal }) =>
    (await got(url, { method, signal, retry: { limit: 2 } })).statusCode,
  'undici `RetryAgent`': byUndici(new RetryAgent(new Agent(), { maxRetries: 2 })),
  ky: byFetch((url, options) => ky(url, { ...options, retry: { limit: 2 } })),
};

/** The packages whose versions the page names. */
export const packages = ['p-retry', 'axios', 'axios-retry', 'got', 'undici', 'ky'];
