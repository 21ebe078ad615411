// undici and axios with requests that retry. `node clients.mjs`
import { axiosAdapter } from '@redrive/core/axios';
import { retryErrorOf } from '@redrive/core/fetch';
import { redriveInterceptor } from '@redrive/core/undici';
import axios from 'axios';
import { Agent, request } from 'undici';
import { startServer } from './server.mjs';

const server = await startServer();
const options = { policy: { id: 'clients', baseDelayMs: 20 }, timeoutMs: 5_000 };

const dispatcher = new Agent().compose(redriveInterceptor(options));
const { statusCode, body } = await request(`${server.url}/undici`, {
  method: 'PUT',
  body: 'cat',
  dispatcher,
});
console.log(`undici: ${statusCode} ${(await body.json()).body} after ${server.report('/undici')}`);

const client = axios.create({
  baseURL: server.url,
  adapter: axiosAdapter({ ...options, idempotencyKey: 'auto' }),
});
const { status, data } = await client.post('/axios', { article: 'cat' });
console.log(`axios: ${status} ${data.body} after ${server.report('/axios')}`);

// A POST without a key is sent once: nobody knows whether it had its effect.
const careful = axios.create({ baseURL: server.url, adapter: axiosAdapter(options) });
const error = await careful.post('/careful', { article: 'cat' }).catch((thrown) => thrown);
const { reason } = retryErrorOf(error);
console.log(`axios: ${error.response.status} after ${server.report('/careful')} (${reason})`);

await dispatcher.close();
server.close();
