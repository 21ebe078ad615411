import { ClientRequest } from 'node:http';
import { classify, retry } from '@redrive/core';
import { httpErrors, httpResponses } from '@redrive/core/classify/http';
import { nodeErrors } from '@redrive/core/classify/node';
import { describe, expect, it } from 'vitest';

const CONTEXT = { attempt: 1, nowMs: 0 };
type Made = (method: string, headers?: Record<string, string>) => object;

/** Errors and responses as clients make them. */
const shapes: Readonly<Record<string, Made>> = {
  'an error of axios': (method, headers) => ({
    config: { method: method.toLowerCase(), headers },
    request: {},
    response: { status: 500, headers: {} },
  }),
  'an error of got': (method, headers) => ({
    options: { method, headers },
    response: { statusCode: 500, headers: {} },
  }),
  'an error of ky': (method, headers = {}) => ({
    request: new Request('http://127.0.0.1/', { method, headers }),
    response: new Response('', { status: 500 }),
  }),
  'an error of Octokit': (method, headers) => ({ status: 500, request: { method, headers } }),
  "a response of Node's http": (method, headers = {}) => {
    const req = new ClientRequest({ host: '127.0.0.1', port: 1, method, headers });
    req.on('error', () => {}).destroy();
    return { statusCode: 500, headers: {}, req };
  },
};

describe.each(Object.entries(shapes))('%s', (_, make) => {
  it.each(['POST', 'PATCH', 'LOCK'])('of a %s says that it must not be sent twice', (method) => {
    expect(httpErrors(make(method), CONTEXT)).toMatchObject({
      errorClass: 'retryable',
      effect: 'unknown',
      idempotent: false,
    });
  });

  it.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])('of a %s does not', (method) => {
    expect(httpErrors(make(method), CONTEXT)?.idempotent).toBeUndefined();
  });

  it('of a POST with an Idempotency-Key does not', () => {
    const known = httpErrors(make('POST', { 'Idempotency-Key': 'k' }), CONTEXT);
    expect(known?.idempotent).toBeUndefined();
  });
});

it('a returned response that tells its request is judged by its method too', () => {
  const response = { status: 500, headers: {}, config: { method: 'post', headers: {} } };
  expect(httpResponses(response)).toMatchObject({ idempotent: false });
});

it('a broken connection is judged by its method too', () => {
  const reset = { code: 'ECONNRESET', config: { method: 'post', headers: {} } };
  expect(nodeErrors(reset, CONTEXT)).toMatchObject({ effect: 'unknown', idempotent: false });
});

describe('retry', () => {
  const policy = { maxAttempts: 3, baseDelayMs: 1 };
  const callsOf = async (error: unknown, options = {}, more = {}) => {
    let calls = 0;
    const failing = () => {
      calls += 1;
      return Promise.reject(error);
    };
    const thrown = await retry(failing, { ...policy, ...more }, options).catch((each) => each);
    return [calls, thrown.reason];
  };
  const post = (status: number) =>
    Object.assign(new Error(`HTTP ${status}`), {
      config: { method: 'post', headers: {} },
      response: { status, headers: {} },
    });

  it('gives up after a POST that may have had its effect, and repeats one that had none', async () => {
    expect(await callsOf(post(500))).toEqual([1, 'effect_unknown']);
    expect(await callsOf(post(429))).toEqual([3, 'max_attempts_exceeded']);
  });

  it('repeats it for a caller who says so', async () => {
    expect(await callsOf(post(500), { onUnknown: 'retry' })).toEqual([3, 'max_attempts_exceeded']);
    const allowed = { classify: () => ({ errorClass: 'retryable' }) };
    expect(await callsOf(post(500), {}, allowed)).toEqual([3, 'max_attempts_exceeded']);
  });

  it('gives up after any unknown effect for a caller who says so', async () => {
    const once = { onUnknown: 'give_up' };
    expect(await callsOf(new Error('odd'), once)).toEqual([1, 'effect_unknown']);
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    expect(await callsOf(refused, once)).toEqual([3, 'max_attempts_exceeded']);
  });

  it('counts it as a failure of the dependency', () => {
    expect(classify(post(500))).toMatchObject({ errorClass: 'retryable', idempotent: false });
  });
});
