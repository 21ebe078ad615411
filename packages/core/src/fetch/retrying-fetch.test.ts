import { Readable } from 'node:stream';
import { type Clock, isRetryError, retry, systemClock } from '@redrive/core';
import { httpResponses } from '@redrive/core/classify/http';
import { currentAttempt, retry as nodeRetry } from '@redrive/core/node';
import {
  countAbortListeners,
  expectNoTimers,
  trackUnhandledRejections,
  virtualClock,
} from '@redrive/testkit';
import { startTcpProxy } from '@redrive/testkit/services';
import { describe, expect, it, vi } from 'vitest';
import { closedPort, serve, statuses } from '../testing/http-server.ts';
import { retryErrorOf, retryingFetch } from './index.ts';

const policy = { baseDelayMs: 1, jitter: 'none' } as const;
const send = retryingFetch({ policy });
const bodies = (server: { readonly received: readonly { readonly body: string }[] }) =>
  server.received.map(({ body }) => body);

describe('bodies', () => {
  const form = () => {
    const data = new FormData();
    data.set('name', 'cat');
    data.set('file', new Blob(['meow']), 'cat.txt');
    return data;
  };

  it.each<[string, () => BodyInit, string]>([
    ['text', () => 'cat', 'cat'],
    ['bytes', () => new TextEncoder().encode('cat'), 'cat'],
    ['a part of a buffer', () => new TextEncoder().encode('a cat').subarray(2), 'cat'],
    ['an ArrayBuffer', () => new TextEncoder().encode('cat').buffer, 'cat'],
    ['a blob', () => new Blob(['c', 'at']), 'cat'],
    ['parameters', () => new URLSearchParams({ cat: '1' }), 'cat=1'],
    ['form data', form, 'meow'],
  ])('%s is sent again, alone and in a Request', async (_, make, expected) => {
    const server = await serve(statuses(503, 200));
    await send(server.url, { method: 'PUT', body: make() });
    const other = await serve(statuses(503, 200));
    await send(new Request(other.url, { method: 'PUT', body: make() }));
    for (const { received } of [server, other]) {
      expect(received).toHaveLength(2);
      for (const { body, headers } of received) {
        expect(body).toContain(expected);
        // As `fetch` alone sends it: with its length, not in chunks.
        expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
      }
      expect(received[0]?.headers['content-type']?.split(';')[0]).toBe(
        received[1]?.headers['content-type']?.split(';')[0],
      );
    }
  });

  it('bytes that the caller changes meanwhile are sent again as they were', async () => {
    const body = new TextEncoder().encode('cat');
    const server = await serve((response, number) => {
      body.fill(0);
      statuses(503, 200)(response, number, { method: '', path: '', headers: {}, body: '' });
    });
    await send(server.url, { method: 'PUT', body });
    expect(bodies(server)).toEqual(['cat', 'cat']);
  });

  const streams: [string, () => ReadableStream | Readable][] = [
    ['a stream', () => new Blob(['cat']).stream()],
    ['a stream of Node', () => Readable.from([Buffer.from('c'), Buffer.from('at')])],
  ];
  /** Node's `fetch` takes its own streams too; the types do not say so. */
  const put = (body: unknown) => ({ method: 'PUT', body, duplex: 'half' }) as RequestInit;

  it.each(streams)('%s is sent once', async (_, make) => {
    const server = await serve(statuses(429, 200));
    const response = await send(server.url, put(make()));
    expect([response.status, retryErrorOf(response)?.totalAttempts]).toEqual([429, 1]);
    expect(bodies(server)).toEqual(['cat']);
  });

  it.each(streams)('%s is sent again if it is not longer than bufferBytes', async (_, make) => {
    const server = await serve(statuses(503, 200));
    await retryingFetch({ policy, bufferBytes: 3 })(server.url, put(make()));
    expect(bodies(server)).toEqual(['cat', 'cat']);
  });

  it.each(streams)(
    '%s that is longer than bufferBytes is sent once, and whole',
    async (_, make) => {
      const server = await serve(statuses(503, 200));
      await retryingFetch({ policy, bufferBytes: 2 })(server.url, put(make()));
      expect(bodies(server)).toEqual(['cat']);
    },
  );

  it('a long body of a Request is sent once, and whole', async () => {
    const server = await serve(statuses(503, 200));
    const body = 'x'.repeat(2_000_000);
    const response = await send(new Request(server.url, { method: 'PUT', body }));
    expect([response.status, bodies(server)[0]?.length]).toEqual([503, 2_000_000]);
    expect(server.received).toHaveLength(1);
  });

  it('an error of the stream is thrown, and an abort ends the reading', async () => {
    const server = await serve(statuses(200));
    const buffered = retryingFetch({ policy, bufferBytes: 10 });
    const broken = new ReadableStream({ pull: () => Promise.reject(new Error('disk')) });
    await expect(buffered(server.url, put(broken))).rejects.toThrow('disk');
    const controller = new AbortController();
    const cancelled = vi.fn();
    const endless = new ReadableStream({ cancel: cancelled });
    const call = buffered(server.url, { ...put(endless), signal: controller.signal });
    controller.abort(new Error('left'));
    await expect(call).rejects.toThrow('left');
    expect(cancelled).toHaveBeenCalledOnce();
    expect(server.received).toEqual([]);
  });

  it('a Request that was used is refused as by fetch', async () => {
    const used = new Request('http://127.0.0.1/', { method: 'PUT', body: 'x' });
    await used.text();
    await expect(send(used)).rejects.toThrow(TypeError);
  });
});

describe('requests', () => {
  it('takes a Request as the second argument too, as fetch does', async () => {
    const server = await serve(statuses(503, 200));
    const template = new Request('http://127.0.0.1:1/', {
      method: 'PUT',
      body: 'cat',
      headers: { 'x-own': '1' },
    });
    expect((await send(server.url, template)).status).toBe(200);
    expect(server.received[1]).toMatchObject({ method: 'PUT', body: 'cat' });
    expect(server.received[1]?.headers['x-own']).toBe('1');
  });

  it('marks a Request with a body as used', async () => {
    const server = await serve(statuses(200));
    const request = new Request(server.url, { method: 'POST', body: 'x' });
    await send(request);
    expect(request.bodyUsed).toBe(true);
  });

  it('rejects for a bad URL or a bad header at once, and never throws', async () => {
    await expect(send('nonsense')).rejects.toThrow(TypeError);
    await expect(send('http://127.0.0.1/', { headers: { 'a b': 'c' } })).rejects.toThrow(TypeError);
    await expect(send('http://127.0.0.1/', { body: 'x' })).rejects.toThrow(TypeError);
  });

  it('passes on what only some runtimes know', async () => {
    const given = vi.fn<typeof fetch>(async () => new Response('ok'));
    const dispatcher = {};
    const init = { dispatcher, keepalive: true, cache: 'no-store' } as RequestInit;
    await retryingFetch({ fetch: given })('http://127.0.0.1/', init);
    expect(given.mock.calls[0]?.[1]).toMatchObject({
      dispatcher,
      keepalive: true,
      cache: 'no-store',
    });
  });

  it('retries each call anew when a test answers with one object again and again', async () => {
    const down = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    const given = vi.fn<typeof fetch>().mockRejectedValue(down);
    const mocked = retryingFetch({ policy, fetch: given });
    await expect(mocked('http://127.0.0.1/')).rejects.toBe(down);
    await expect(mocked('http://127.0.0.1/')).rejects.toBe(down);
    expect(given).toHaveBeenCalledTimes(6);
  });
});

describe('waits that the server asks for', () => {
  const DATE = 'Thu, 29 Jan 2026 12:00:00 GMT';

  it.each<[Record<string, string>, number]>([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after-ms': '1500' }, 1_500],
    [{ 'retry-after': 'Thu, 29 Jan 2026 12:00:09 GMT', date: DATE }, 9_000],
    [{ 'retry-after': 'Thursday, 29-Jan-26 12:00:09 GMT', date: DATE }, 9_000],
    [{ ratelimit: '"burst";r=0;t=3, "daily";r=9;t=60' }, 3_000],
    [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '4' }, 4_000],
    [{ 'x-ratelimit-reset': '5' }, 5_000],
    [{ 'x-ms-retry-after-ms': '600' }, 600],
  ])('%j', async (headers, expectedMs) => {
    const server = await serve((response) => response.writeHead(429, headers).end());
    const controller = new AbortController();
    const delays: number[] = [];
    const asked = retryingFetch({
      policy,
      onRetry({ delayMs }) {
        delays.push(delayMs);
        queueMicrotask(() => controller.abort(new Error('seen')));
      },
    });
    await expect(asked(server.url, { signal: controller.signal })).rejects.toThrow('seen');
    // A hint is a floor; at most a tenth is added.
    expect(delays[0]).toBeGreaterThanOrEqual(expectedMs);
    expect(delays[0]).toBeLessThanOrEqual(expectedMs * 1.1 + 1);
  });
});

describe('redirects', () => {
  it('a POST that a redirect leads to a server that is down is not sent again', async () => {
    const port = await closedPort();
    const server = await serve((response) =>
      response.writeHead(303, { location: `http://127.0.0.1:${port}/` }).end(),
    );
    const error = await send(server.url, { method: 'POST', body: 'x' }).catch((thrown) => thrown);
    expect(error.cause.code).toBe('ECONNREFUSED');
    expect(server.received).toHaveLength(1);
    expect(retryErrorOf(error)?.reason).toBe('effect_unknown');
  });

  it.each([301, 302, 303, 307, 308])('a POST follows a %i as fetch does', async (status) => {
    const target = await serve(statuses(200));
    const server = await serve((response, _, { path }) => {
      const location = path === '/cross' ? `${target.url}/end?x=1` : '/end';
      if (path === '/end') response.end('here');
      else response.writeHead(status, { location }).end('moved');
    });
    for (const path of ['/same', '/cross']) {
      const answers = [];
      for (const each of [fetch, send]) {
        const headers = { authorization: 'secret', 'x-own': '1', 'content-type': 'text/cat' };
        const init = { method: 'POST', body: 'cat', headers };
        const response = await each(`${server.url}${path}#part`, init);
        const { url, redirected, status: last } = response;
        const { port, ...sent } = { ...(path === '/cross' ? target : server) };
        const got = sent.received.at(-1);
        const { method, body } = got ?? {};
        const kept = ['authorization', 'x-own', 'content-type', 'content-length'].map(
          (name) => got?.headers[name],
        );
        answers.push({
          url,
          redirected,
          last,
          method,
          body,
          kept,
          port,
          text: await response.text(),
        });
      }
      const [plain, retried] = answers.map(({ text, ...rest }) => rest);
      expect(retried).toEqual(plain);
    }
  });

  it('a HEAD that may not be repeated follows a 303 with HEAD, as fetch does', async () => {
    const server = await serve((response, _, { path }) =>
      response.writeHead(path === '/end' ? 200 : 303, { location: '/end' }).end(),
    );
    const onlyGet = retryingFetch({ repeat: ['GET'] });
    expect((await onlyGet(server.url, { method: 'HEAD' })).status).toBe(200);
    expect(server.received.map(({ method }) => method)).toEqual(['HEAD', 'HEAD']);
  });

  it('a redirect to another scheme, and one of a stream, fail as with fetch', async () => {
    const server = await serve((response, _, { path }) =>
      response.writeHead(307, { location: path === '/data' ? 'data:,x' : '/next' }).end(),
    );
    const body = new Blob(['x']).stream();
    const stream = { method: 'POST', body, duplex: 'half' } as RequestInit; // Not in the types of every runtime.
    await expect(send(server.url, stream)).rejects.toThrow(TypeError);
    await expect(send(`${server.url}/data`, { method: 'POST' })).rejects.toThrow(TypeError);
    expect(server.received).toHaveLength(2);
  });

  it('redirect: manual and error are left as they are', async () => {
    const server = await serve((response) => response.writeHead(302, { location: '/' }).end());
    const manual = await send(server.url, { method: 'POST', redirect: 'manual' });
    expect(manual.status).toBe(302);
    await expect(send(server.url, { method: 'POST', redirect: 'error' })).rejects.toThrow(
      TypeError,
    );
  });

  it('after an error in a page, nobody knows whether a POST was sent', async () => {
    vi.stubGlobal('document', {});
    try {
      const url = `http://127.0.0.1:${await closedPort()}`;
      const error = await send(url, { method: 'POST' }).catch((thrown) => thrown);
      expect(retryErrorOf(error)).toMatchObject({ reason: 'effect_unknown', totalAttempts: 1 });
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('the returned response', () => {
  it('can be read after the time limit, cloned, and cut by the caller', async () => {
    const { promise: isLate, resolve: late } = Promise.withResolvers<void>();
    const server = await serve((response) => {
      response.write('first ');
      void isLate.then(() => response.end('second'));
    });
    const clock = virtualClock();
    const controller = new AbortController();
    const timed = retryingFetch({ policy, timeoutMs: 50, clock });
    const response = await timed(server.url, { signal: controller.signal });
    const clone = response.clone();
    expectNoTimers(clock);
    await clock.advance(10_000);
    late();
    expect([await response.text(), await clone.text()]).toEqual(['first second', 'first second']);

    const endless = await serve((response) => void response.write('first'));
    const cut = await timed(endless.url, { signal: controller.signal });
    const reading = cut.text();
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });

  it('fails in its body without another attempt', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => {
        response.socket?.resetAndDestroy();
      });
    });
    const response = await send(server.url);
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(server.received).toHaveLength(1);
  });
});

describe('faults of the network', () => {
  it('gets through a network that refuses, resets and stalls', async () => {
    const server = await serve(statuses(200));
    const proxy = await startTcpProxy({ port: server.port });
    try {
      const url = `http://${proxy.host}:${proxy.port}`;
      let resets = 0;
      proxy.refuse();
      const later = retryingFetch({ policy, onRetry: () => proxy.pass() });
      expect((await later(url, { method: 'POST', body: 'a' })).status).toBe(200);
      expect((await later(url)).status).toBe(200);
      const reset = retryingFetch({
        policy,
        fetch: (...request) => {
          const answer = fetch(...request);
          if (resets++ === 0) queueMicrotask(() => proxy.cut());
          return answer;
        },
      });
      expect((await reset(url)).status).toBe(200);
      proxy.stall();
      const timed = retryingFetch({ policy, timeoutMs: 150, onRetry: () => proxy.pass() });
      expect((await timed(url, { headers: { connection: 'close' } })).status).toBe(200);
      expect(bodies(server)[0]).toBe('a');
    } finally {
      await proxy.stop();
    }
  });
});

/** The machine's clock, with the timers that are set. */
function countingClock(pending: Set<object>): Clock {
  return {
    ...systemClock,
    setTimer(delayMs, run) {
      const timer = systemClock.setTimer(delayMs, () => {
        pending.delete(timer);
        run();
      });
      pending.add(timer);
      return {
        hold: (holds) => timer.hold(holds),
        cancel() {
          pending.delete(timer);
          timer.cancel();
        },
      };
    },
  };
}

describe('leaves nothing behind', () => {
  it('no listener on a signal that lives long, no timer, no unhandled rejection', async () => {
    const server = await serve(statuses(503));
    const url = `http://127.0.0.1:${await closedPort()}`;
    const { signal } = new AbortController();
    const pending = new Set<object>();
    const clock = countingClock(pending);
    const unhandled = trackUnhandledRejections();
    try {
      const limited = retryingFetch({ policy, timeoutMs: 60_000, clock });
      const calls = Array.from({ length: 20 }, (_, at) => {
        const body = new Blob(['x']).stream();
        const init = at % 2 ? { signal } : { signal, method: 'PUT', body, duplex: 'half' };
        return limited(at % 3 ? server.url : url, init).catch(() => {});
      });
      for (const response of await Promise.all(calls)) await response?.text();
      expect(pending.size).toBe(0);
      expect(await unhandled.seen()).toEqual([]);
      expect(countAbortListeners(signal)).toBe(0);
    } finally {
      unhandled.stop();
    }
  });

  it('cancels the response of a fetch that ignores its signal', async () => {
    const cancelled = vi.fn();
    const { promise, resolve } = Promise.withResolvers<Response>();
    const deaf = retryingFetch({ policy: { maxAttempts: 1 }, timeoutMs: 5, fetch: () => promise });
    await expect(deaf('http://127.0.0.1/')).rejects.toMatchObject({ code: 'attempt_timeout' });
    resolve(new Response(new ReadableStream({ cancel: cancelled })));
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalledOnce());
  });
});

describe('sessions', () => {
  it('an outer retry does not multiply the attempts', async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    let calls = 0;
    const outer = retry(() => {
      calls += 1;
      return send(url);
    }, policy).catch((thrown) => thrown);
    expect(isRetryError(await outer)).toBe(false);
    expect(calls).toBe(1);
    const server = await serve(statuses(503));
    const response = await retry(() => send(server.url), {
      ...policy,
      classifyResult: httpResponses,
    });
    expect([response.status, server.received.length]).toEqual([503, 3]);
  });

  it('shares the retries of the attempt that it is made in', async () => {
    const server = await serve(statuses(503));
    const nested = retryingFetch({ policy, parent: currentAttempt });
    await nodeRetry(async () => {
      await nested(server.url);
      await nested(server.url);
    }, policy);
    // Two retries for both.
    expect(server.received).toHaveLength(4);
  });

  it('a body that a listener reads before the next attempt is not cut', async () => {
    const server = await serve(statuses(503, 200));
    const read: string[] = [];
    const listening = retryingFetch({
      policy,
      async onRetry({ error }) {
        if (error instanceof Response) read.push(await error.text());
      },
    });
    expect((await listening(server.url)).status).toBe(200);
    expect(read).toEqual(['answer 1']);
  });
});
