// A client that retries: `node src/http-client.ts https://example.org`
import { definePolicy, retry } from '@redrive/core';
import { httpErrors, httpResponses } from '@redrive/core/classify/http';
import { nodeErrors } from '@redrive/core/classify/node';

const policy = definePolicy({
  id: 'http',
  maxAttempts: 4,
  baseDelayMs: 100,
  attemptTimeoutMs: 5_000,
  ttlMs: 30_000,
  // `fetch` throws when there is no connection, and returns every answer of a server: judge both.
  classify: [httpErrors, nodeErrors],
  classifyResult: httpResponses,
});

export function get(url: string): Promise<Response> {
  return retry(({ signal }) => fetch(url, { signal }), policy, {
    onRetry: ({ attempt, delayMs }) => console.log(`attempt ${attempt} failed, ${delayMs} ms`),
  });
}

const url = process.argv[2];
if (url === undefined) throw new Error('Say which URL to get.');
const response = await get(url);
console.log(response.status, await response.text());
