import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { chromium as chromiumProgram } from '@redrive/testkit/services';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserBundle } from './bundle-size/browser-bundle.ts';

// `retryingFetch` as a bundler packs it for browsers, in Chromium.
const root = dirname(import.meta.dirname);

const PAGE = `<!doctype html><script type="module">
import * as all from '/bundle.js';
Object.assign(globalThis, all, { isReady: true });
</script>`;

interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly key: string | undefined;
}
const received: Received[] = [];
const server = createServer(async (request, response) => {
  const { method = '', url: path = '' } = request;
  let body = '';
  for await (const chunk of request) body += chunk;
  if (path === '/bundle.js') {
    const code = await browserBundle(root, `export * from '@redrive/core/fetch';`);
    response.setHeader('content-type', 'text/javascript');
    response.end(code);
    return;
  }
  if (path === '/') {
    response.setHeader('content-type', 'text/html');
    response.end(PAGE);
    return;
  }
  // Headers have one value here.
  const key = request.headers['idempotency-key'] as string | undefined;
  received.push({ method, path, body, key });
  const count = received.filter((each) => each.path === path).length;
  if (path === '/moved') response.writeHead(303, { location: '/there' }).end();
  else if (path === '/there') response.end('there');
  else if (path === '/endless') response.write('first');
  else response.writeHead(count < 3 ? 503 : 200).end(`answer ${count}`);
});

let browser: Browser;
let page: Page;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  browser = await chromium.launch(await chromiumProgram());
  page = await browser.newPage();
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.waitForFunction('isReady');
}, 300_000);
afterAll(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
});

interface Sent {
  readonly method?: string;
  readonly body?: string;
}

/** Runs in the page; answers the status and the text of the response, or the reason of the give-up. */
async function inPage(path: string, init: Sent, options: object = {}, asRequest = false) {
  return page.evaluate(
    async ({ path, init, options, asRequest }) => {
      // What the bundle has put there.
      const { retryingFetch, retryErrorOf } =
        globalThis as unknown as typeof import('@redrive/core/fetch');
      const fetch = retryingFetch({ policy: { baseDelayMs: 1 }, ...options });
      try {
        const url = new URL(path, location.href).href;
        const response = await (asRequest ? fetch(new Request(url, init)) : fetch(url, init));
        return `${response.status} ${await response.text()} ${retryErrorOf(response)?.reason}`;
      } catch (error) {
        return `${(error as Error).name} ${retryErrorOf(error)?.reason}`;
      }
    },
    { path, init, options, asRequest },
  );
}
const sentTo = (path: string) => received.filter((each) => each.path === path);

test('repeats a GET', async () => {
  expect(await inPage('/get', {})).toBe('200 answer 3 undefined');
});

test('sends a POST once', async () => {
  expect(await inPage('/post', { method: 'POST', body: 'cat' })).toBe(
    '503 answer 1 effect_unknown',
  );
  expect(sentTo('/post')).toHaveLength(1);
});

test.each([false, true])('repeats a POST with a key; in a Request: %s', async (asRequest) => {
  const path = `/keyed-${asRequest}`;
  const options = { idempotencyKey: 'auto' };
  const answer = await inPage(path, { method: 'POST', body: 'cat' }, options, asRequest);
  expect(answer).toBe('200 answer 3 undefined');
  const [first, ...others] = sentTo(path);
  expect(first).toMatchObject({ body: 'cat', key: expect.stringMatching(/^redrive_/) });
  expect(others).toEqual([first, first]);
});

test('follows the redirect of a POST', async () => {
  expect(await inPage('/moved', { method: 'POST', body: 'cat' })).toBe('200 there undefined');
  expect(sentTo('/moved')).toHaveLength(1);
});

test('repeats a GET, and no POST, that reached no server: a browser does not say so', async () => {
  const closed = createServer();
  await once(closed.listen(0, '127.0.0.1'), 'listening');
  const { port } = closed.address() as AddressInfo; // It listens on TCP.
  closed.close();
  const url = `http://127.0.0.1:${port}/`;
  expect(await inPage(url, {})).toBe('TypeError max_attempts_exceeded');
  expect(await inPage(url, { method: 'POST' })).toBe('TypeError effect_unknown');
});

test('the time limit ends with the headers, and the caller still cuts the body as with fetch', async () => {
  const answers = await page.evaluate(async () => {
    // What the bundle has put there.
    const { retryingFetch } = globalThis as unknown as typeof import('@redrive/core/fetch');
    const cut = async (send: typeof fetch) => {
      const controller = new AbortController();
      const response = await send('/endless', { signal: controller.signal });
      const reader = response.body?.getReader();
      const first = new TextDecoder().decode((await reader?.read())?.value);
      controller.abort(new Error('enough'));
      return [first, await reader?.read().catch(String)];
    };
    return [await cut(retryingFetch({ timeoutMs: 2_000 })), await cut(fetch)];
  });
  expect(answers[0]).toEqual(['first', expect.stringContaining('abort')]);
  expect(answers[0]).toEqual(answers[1]);
});
