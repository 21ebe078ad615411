// Three SDKs that take a `fetch`, with one that retries. `node sdks.mjs`
import { request } from '@octokit/request';
import { retryingFetch } from '@redrive/core/fetch';
import createClient from 'openapi-fetch';
import Stripe from 'stripe';
import { startServer } from './server.mjs';

const server = await startServer();
const fetch = retryingFetch({
  policy: { id: 'sdks', baseDelayMs: 20 },
  timeoutMs: 5_000,
  idempotencyKey: 'auto',
});

const octokit = request.defaults({ baseUrl: server.url, request: { fetch } });
const repository = await octokit('GET /repos/{owner}/{repo}', { owner: 'cats', repo: 'cat' });
console.log(`octokit: ${repository.status} after ${server.report('/repos/cats/cat')}`);

// openapi-fetch calls it with a Request.
const api = createClient({ baseUrl: server.url, fetch });
const { response } = await api.POST('/orders', { body: { article: 'cat' } });
console.log(`openapi-fetch: ${response.status} after ${server.report('/orders')}`);

const stripe = new Stripe('sk_test_example', {
  protocol: 'http',
  host: '127.0.0.1',
  port: server.port,
  httpClient: Stripe.createFetchHttpClient(fetch),
  // Otherwise both would retry.
  maxNetworkRetries: 0,
});
const customer = await stripe.customers.create({ email: 'cat@example.com' });
console.log(`stripe: ${customer.id} after ${server.report('/v1/customers')}`);

server.close();
