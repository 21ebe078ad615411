import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  type CallOptions,
  type ClientOptions,
  call,
  createClient,
  isClientError,
  items,
} from './index.ts';

/** A server that answers as no Redrive server would, as networks and proxies do. */
async function serve(listener: RequestListener): Promise<ClientOptions> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  // It listens on a port.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const problemOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it was answered'),
    (error: unknown) => (isClientError(error) ? error : expect.fail(String(error))),
  );

/** Reads a stream to its end. */
async function read(client: ClientOptions, options: CallOptions = {}, got: unknown[] = []) {
  for await (const item of items(client, 'GET /v1/audit/export', {}, options)) got.push(item);
  return got;
}

test('names of the path, the query, the body, headers and the key of a repetition are sent', async () => {
  const seen: unknown[] = [];
  const client = await serve((request, response) => {
    const { method, url, headers } = request;
    const { authorization, 'idempotency-key': key, 'x-team': team } = headers;
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      seen.push({ method, url, authorization, key, team, body });
      response.end('{}');
    });
  });
  let team = 'a';
  const api = createClient({ ...client, token: 't', headers: () => ({ 'x-team': team }) });
  await api.breakers.show({ dependency: 'a/b c' });
  team = 'b';
  const [input, options] = [{ dependency: 'bank', reason: 'fixed' }, { idempotencyKey: 'k-1' }];
  await api.breakers.reset(input, options);
  const authorization = 'Bearer t';
  expect(seen).toEqual([
    { method: 'GET', url: '/v1/breakers/a%2Fb%20c', authorization, team: 'a', body: '' },
    {
      ...{ method: 'POST', url: '/v1/breakers/bank/reset', authorization, team: 'b' },
      ...{ key: 'k-1', body: '{"reason":"fixed"}' },
    },
  ]);
});

test('an answer that is late ends with no_answer, also in its middle', async () => {
  const silent = await serve(() => {});
  expect((await problemOf(call(silent, 'GET /v1/me', {}, { timeoutMs: 20 }))).code).toBe(
    'no_answer',
  );
  const slow = await serve((_, response) => response.write('{"ga'));
  const late = await problemOf(createClient({ ...slow, timeoutMs: 50 }).gates.list());
  expect([late.code, late.status, late.message]).toEqual([
    ...['no_answer', 0, `The server ${slow.url} did not answer in time.`],
  ]);
  const refusal = await serve((_, response) => response.writeHead(503).write('{'));
  expect((await problemOf(read(refusal, { timeoutMs: 50 }))).code).toBe('no_answer');
});

test('a signal ends a call with its own reason', async () => {
  const client = await serve(() => {});
  const stop = new AbortController();
  const asked = call(client, 'GET /v1/me', {}, { signal: stop.signal });
  stop.abort(new Error('the page was left'));
  await expect(asked).rejects.toThrow('the page was left');
});

test.each([
  ['text/html', '<h1>Bad gateway</h1>', 502, 'no_document'],
  ['application/json', '{"code":7,"detail":{},"problems":"none"}', 500, 'no_document'],
  ['application/json', 'null', 403, 'no_document'],
  ['application/json', '{"code":"not_found","detail":"There is no such gate."}', 404, 'not_found'],
  ['text/html', '<h1>Welcome</h1>', 200, 'no_document'],
])('an answer of %s %j is an error with a code', async (type, text, status, code) => {
  const client = await serve((_, response) =>
    response.writeHead(status, { 'content-type': type }).end(text),
  );
  const problem = await problemOf(createClient(client).gates.list());
  expect([problem.status, problem.code, problem.problems]).toEqual([status, code, []]);
});

test('a stream has its items as they arrive, and one that is cut ends with no_answer', async () => {
  const client = await serve((_, response) => {
    response.write('{"id":1}\n{"id":2}\n{"i');
    response.write('d":3,"text":"ü"}\n', () => response.destroy());
  });
  const got: unknown[] = [];
  expect((await problemOf(read(client, {}, got))).code).toBe('no_answer');
  expect(got).toEqual([{ id: 1 }, { id: 2 }, { id: 3, text: 'ü' }]);
});

test('a stream is complete with its empty line; spaces between its items mean nothing', async () => {
  const client = await serve((_, response) => response.end('{"id":1}\n  {"id":2}\n \n'));
  expect(await read(client)).toEqual([{ id: 1 }, { id: 2 }]);
  const empty = await serve((_, response) => response.end('\n'));
  expect(await read(empty)).toEqual([]);
});

test.each(['{"id":1}\n', '{"id":1}\n{"id":2', '{"id":1}\n '])(
  'a stream that a proxy ends early as %j is not complete',
  async (text) => {
    const client = await serve((_, response) => response.end(text));
    const got: unknown[] = [];
    const { code, message } = await problemOf(read(client, {}, got));
    expect([code, message]).toEqual([
      'no_answer',
      'The connection to the server broke: the stream is not complete',
    ]);
    expect(got).toEqual([{ id: 1 }]);
  },
);

test('a stream that is silent for too long ends with no_answer', async () => {
  const fetch = async (_: string, { signal }: RequestInit) =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"id":1}\n'));
          signal?.addEventListener('abort', () => controller.error(signal.reason));
        },
      }),
    );
  const got: unknown[] = [];
  const client = { url: 'http://127.0.0.1:9', fetch };
  expect((await problemOf(read(client, { timeoutMs: 50 }, got))).code).toBe('no_answer');
  expect(got).toEqual([{ id: 1 }]);
});

test.each(['a\nb', 'a b', 'ü', '\u001b[31m'])(
  'the token %j is not sent, and the error does not show it',
  async (token) => {
    const { code, message } = await problemOf(
      call({ url: 'http://127.0.0.1:9', token }, 'GET /v1/me'),
    );
    expect([code, message]).toEqual([
      'not_authenticated',
      'Nothing was sent: a token is one line, without spaces.',
    ]);
  },
);

test('an error names the server without its password, and says that it does not use TLS', async () => {
  const withPassword = problemOf(call({ url: 'http://ann:secret@127.0.0.1:9' }, 'GET /v1/me'));
  expect((await withPassword).message).not.toContain('secret@127');
  const { url } = await serve(() => {});
  const wrong = await problemOf(call({ url: url.replace('http:', 'https:') }, 'GET /v1/me'));
  expect(wrong.message).toMatch(
    /^The server https:\S+ cannot be reached: it does not use TLS there$/,
  );
});

test('leaving the loop ends the request; a refusal comes before the first item', async () => {
  const left = Promise.withResolvers<void>();
  const client = await serve((request, response) => {
    if (request.url === '/v1/refused') {
      response.writeHead(403).end('{"code":"not_allowed","detail":"no"}');
      return;
    }
    response.on('close', () => left.resolve());
    response.write('{"id":1}\n');
  });
  for await (const item of items(client, 'GET /v1/audit/export')) {
    expect(item).toEqual({ id: 1 });
    break;
  }
  await left.promise;
  const refused = items(client, 'GET /v1/refused')[Symbol.asyncIterator]().next();
  expect((await problemOf(refused)).code).toBe('not_allowed');
});
