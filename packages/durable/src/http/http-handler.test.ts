import { createHmac } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Policy } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fingerprintOf } from '../dead-letter/fingerprint.ts';
import { httpFailures } from '../handler/handler-errors.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { jobContext } from '../testing/job-context.ts';
import { rebound, SPELLINGS, target } from '../testing/web-servers.ts';
import { type HttpOptions, httpHandler } from './http-handler.ts';

const SECRET = 'a secret of at least 24 bytes';
const LOOPBACK = { http: ['127.0.0.1'], private: ['127.0.0.1'] };
const policy: Policy = { maxAttempts: 3, baseDelayMs: 1, jitter: 'none' };

interface Fault {
  readonly status?: number;
  readonly code?: string;
  readonly timeoutMs?: number;
}

/** Jobs whose handler asks `url`. */
async function working(url: string, more: Partial<HttpOptions> = {}, own: Policy = policy) {
  const store = memoryStore();
  const hook = httpHandler({ url, allowed: LOOPBACK, policy: own, ...more });
  const jobs = jobsOn(store, { hook });
  await jobs.start();
  onTestFinished(() => jobs.stop({ mode: 'release' }));
  return async (payload: unknown = { n: 1 }) => {
    const { id } = await jobs.enqueue('hook', payload);
    await jobs.wait(id).catch(() => {});
    const job = (await jobs.job(id)) ?? expect.fail('no job');
    const attempts = job.attempts.kept.map(({ errorClass, error }) => ({
      errorClass,
      message: error?.message,
    }));
    return { id, state: job.state, reason: job.reason, result: job.result, attempts };
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Keeps the requests that it gets. */
async function receiver(answer: RequestListener = (_, response) => response.end('{"ok":true}')) {
  const got: { headers: IncomingMessage['headers']; method?: string | undefined; body: string }[] =
    [];
  const { port, counted } = await target((request, response) => {
    void bodyOf(request).then((body) => {
      got.push({ headers: request.headers, method: request.method, body });
      answer(request, response);
    });
  });
  return { url: `http://127.0.0.1:${port}/hooks/secret`, port, got, counted };
}

describe('a job that is a request', () => {
  it('sends the payload with the facts of its attempt, and its answer is the result', async () => {
    const { url, got } = await receiver();
    const run = await working(url, { headers: { 'x-team': 'payments' } });
    const { id, state, result } = await run({ order: 7 });
    expect([state, result]).toEqual(['succeeded', '{"ok":true}']);
    expect(got).toMatchObject([{ method: 'POST', body: '{"order":7}' }]);
    expect(got[0]?.headers).toMatchObject({
      ...{ 'content-type': 'application/json', 'x-team': 'payments', 'idempotency-key': id },
      ...{ 'redrive-job-id': id, 'redrive-attempt': '1', 'redrive-token': '1' },
    });
  });

  it('with GET has no body; bytes are sent as they are', async () => {
    const { url, got } = await receiver();
    await (await working(url, { method: 'GET' }))();
    await (await working(url, { method: 'PUT' }))(Buffer.from([0x68, 0x69]));
    expect(got.map(({ method, body, headers }) => [method, body, headers['content-type']])).toEqual(
      [
        ['GET', '', undefined],
        ['PUT', 'hi', 'application/octet-stream'],
      ],
    );
  });

  it('has a signature that the receiver verifies, and that covers id, time and body', async () => {
    const { url, got } = await receiver();
    await (await working(url, { secret: SECRET }))();
    const [{ headers = {}, body = '' } = {}] = got;
    const id = headers['webhook-id'];
    const at = headers['webhook-timestamp'];
    const verify = (signed: string) =>
      `v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}` ===
      headers['webhook-signature'];
    expect(verify(`${id}.${at}.${body}`)).toBe(true);
    expect(verify(`${id}.${at}.${body} `)).toBe(false);
    expect(verify(`${id}.${Number(at) + 1}.${body}`)).toBe(false);
  });

  it('has the signature of the published example of Standard Webhooks', async () => {
    const clock = virtualClock({ startMs: 1_614_265_330_000 });
    const { url, got } = await receiver();
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const { run } = httpHandler({ url, secret, clock, allowed: LOOPBACK });
    await run(
      Buffer.from('{"test": 2432232314}'),
      jobContext({ idempotencyKey: 'msg_p5jXN8AQM9LWM0D4loKWxJek' }),
    );
    expect(got[0]?.headers['webhook-signature']).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('encodes the dots of an id: otherwise two requests could have one signature', async () => {
    const { url, got } = await receiver();
    const { run } = httpHandler({ url, secret: SECRET, allowed: LOOPBACK });
    await run({}, jobContext({ idempotencyKey: 'order.7 ä' }));
    expect(got[0]?.headers).toMatchObject({
      ...{ 'webhook-id': 'order%2E7%20%C3%A4', 'idempotency-key': 'order.7%20%C3%A4' },
    });
  });

  it('is classified by the HTTP table: 404 is final, 500 and 421 are retried', async () => {
    const statuses = [500, 421, 404];
    const { url } = await receiver((_, response) => {
      response.writeHead(statuses.shift() ?? 200).end('no such hook');
    });
    const { state, reason, attempts } = await (await working(url))();
    expect([state, reason]).toEqual(['dead', 'final_error']);
    expect(attempts).toMatchObject([
      { errorClass: 'retryable' },
      { errorClass: 'retryable' },
      {
        errorClass: 'final',
        message: expect.stringMatching(/^127\.0\.0\.1:\d+ answered HTTP 404: no such hook$/),
      },
    ]);
    expect(JSON.stringify(attempts)).not.toContain('/hooks/secret');
    const patterns = attempts.map(
      ({ message = '' }) => fingerprintOf({ type: 'E', message }).pattern,
    );
    // Each status is a cause of its own: a 404 must not be requeued with the 500s.
    expect(patterns).toEqual(
      [500, 421, 404].map((status) => `E: <addr> answered HTTP ${status}: no such hook`),
    );
  });

  it("a policy's lists come before the table, and can name a status", async () => {
    const statuses = [404, 200];
    const { url } = await receiver(
      (_, response) => void response.writeHead(statuses.shift() ?? 500).end(),
    );
    const own = { ...policy, retryableExceptions: ['HTTP_404'] };
    expect(await (await working(url, {}, own))()).toMatchObject({ state: 'succeeded' });
  });

  it('is not redirected', async () => {
    const elsewhere = await receiver();
    const { url } = await receiver((_, response) => {
      response.writeHead(302, { location: elsewhere.url }).end();
    });
    const { state, attempts } = await (await working(url))();
    expect([state, attempts.length, elsewhere.counted.connections]).toEqual(['dead', 1, 0]);
    expect(attempts[0]?.message).toContain('answered HTTP 302 (redirects are not followed)');
  });

  it.each([
    ['a silent receiver may have done it', 'retryable', 'unknown', { timeoutMs: 30 }],
    ['500 may have done it', 'retryable', 'unknown', { status: 500 }],
    ['421 has done nothing', 'retryable', 'none', { status: 421 }],
    ['409 is final', 'final', 'none', { status: 409 }],
    ['a name that does not exist has done nothing', 'retryable', 'none', { code: 'ENOTFOUND' }],
    ['a refused connection has done nothing', 'retryable', 'none', { code: 'ECONNREFUSED' }],
  ])('%s', async (_, errorClass, effect, { status, code, timeoutMs = 5_000 }: Fault) => {
    const { port } = await target((__, response) => {
      if (status !== undefined) response.writeHead(status).end();
    });
    const resolve = async () => {
      if (code === 'ENOTFOUND') throw Object.assign(new Error('no such name'), { code });
      return [code === 'ECONNREFUSED' ? '127.0.0.3' : '127.0.0.1'];
    };
    const allowed = { http: ['hooks.example'], private: ['127.0.0.0/8'] };
    const url = `http://hooks.example:${port}/`;
    const { run } = httpHandler({ url, allowed, resolve, timeoutMs });
    const error: unknown = await Promise.resolve(run({}, jobContext())).catch((thrown) => thrown);
    expect(httpFailures(error, { attempt: 1, nowMs: 0 })).toMatchObject({ errorClass, effect });
  });

  it('503 with Retry-After is rate-limited for that time', async () => {
    const { url } = await receiver((_, response) => {
      response.writeHead(503, { 'retry-after': '7' }).end();
    });
    const { run } = httpHandler({ url, allowed: LOOPBACK });
    const error: unknown = await Promise.resolve(run({}, jobContext())).catch((thrown) => thrown);
    const context = { attempt: 1, nowMs: 0 };
    expect(httpFailures(error, context)).toEqual({
      ...{ errorClass: 'rate_limited', effect: 'none', retryAfterMs: 7_000 },
    });
  });

  it('keeps of an answer above 1 MiB its beginning, and refuses a payload above it', async () => {
    const { url, counted } = await receiver((_, response) => response.end('y'.repeat(3_000_000)));
    const { run } = httpHandler({ url, allowed: LOOPBACK });
    expect(await run({}, jobContext())).toMatchObject({ redrive: 'output_too_large' });
    expect(await run('x'.repeat(1_048_576), jobContext())).toMatchObject({
      ...{ kind: 'final', message: expect.stringContaining('more than 1048576') },
    });
    expect(counted.connections).toBe(1);
  });
});

describe('a request to a forbidden address', () => {
  it.each(SPELLINGS)(
    'http://%s: the job is dead after one attempt, no connection',
    async (host) => {
      const { port, counted } = await target();
      const url = `http://${host}:${port}/`;
      const allowed = { http: [URL.parse(url)?.hostname ?? '', '127.0.0.1'] };
      const { state, attempts } = await (await working(url, { allowed }))();
      expect([state, attempts.length, counted.connections]).toEqual(['dead', 1, 0]);
      expect(attempts[0]?.message).toContain('not a public address');
    },
  );

  it('behind a name server that answers differently the next time: no connection to the second address', async () => {
    const { port } = await target((_, response) => void response.writeHead(503).end());
    const { counted } = await rebound(port, '127.0.0.9');
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [asked === 1 ? '127.0.0.1' : '127.0.0.9'];
    };
    const allowed = { http: ['hooks.example'], private: ['127.0.0.1'] };
    const run = await working(`http://hooks.example:${port}/`, { allowed, resolve });
    const { attempts } = await run();
    expect(attempts.map(({ message }) => message)).toEqual([
      `hooks.example:${port} answered HTTP 503`,
      expect.stringContaining('is 127.0.0.9: not a public address'),
    ]);
    expect([asked, counted.connections]).toEqual([2, 0]);
  });
});

it.each([
  [{ url: 'ftp://shop.example' }, 'url must begin with https: or http:'],
  [{ headers: { host: 'x' } }, 'headers must not have host: the request sets it itself'],
  [{ headers: { 'x-a': 'b\r\nx-evil: 1' } }, 'HTTP can carry: "x-a"'],
  [{ secret: 'short' }, 'secret must have 24 bytes'],
  [{ method: 'TRACE' }, 'method'],
])('%j is refused', (wrong, message) => {
  const options = { url: 'https://shop.example/', ...wrong } as HttpOptions; // As JavaScript could write it.
  expect(() => httpHandler(options)).toThrow(message);
});
