import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { systemClock } from '@redrive/core';
import { describe, expect, it } from 'vitest';
import { privateCa } from '../testing/private-ca.ts';
import { listen, rebound, SPELLINGS, target } from '../testing/web-servers.ts';
import { isForbidden, listOf } from './forbidden-address.ts';
import { MAX_BODY_BYTES, type SafeRequest, safeRequest } from './safe-request.ts';

const send = (url: string, more: Partial<SafeRequest> = {}) =>
  safeRequest({
    ...{ url, method: 'POST', headers: {}, body: '{}', timeoutMs: 2_000, allowed: {} },
    ...{ signal: new AbortController().signal, clock: systemClock, ...more },
  });

describe('a forbidden address', () => {
  it.each(SPELLINGS)('http and https://%s: no connection', async (host) => {
    const { port, counted } = await target();
    for (const url of [`http://${host}:${port}/`, `https://${host}:${port}/`]) {
      // Allowed without TLS: the address alone is in the way.
      const hosts = [URL.parse(url)?.hostname ?? '', 'localhost'];
      const answer = await send(url, { allowed: { http: hosts } });
      expect(answer).toMatchObject({
        kind: 'refused',
        why: expect.stringContaining('not allowed'),
      });
    }
    expect(counted.connections).toBe(0);
  });

  it('is refused behind a name, also beside a public one', async () => {
    const resolved: string[] = [];
    const resolve = async (host: string) => {
      resolved.push(host);
      return ['93.184.216.34', '127.0.0.1'];
    };
    const { port, counted } = await target();
    const answer = await send(`https://hooks.example:${port}/secret`, { resolve });
    expect(answer).toEqual({
      kind: 'refused',
      why: `hooks.example:${port} is 127.0.0.1: not a public address, and it is not allowed`,
    });
    expect([resolved, counted.connections]).toEqual([['hooks.example'], 0]);
  });

  it('is allowed where it is named', async () => {
    const { port } = await target();
    const allowed = { http: ['127.0.0.1'], private: ['127.0.0.0/8'] };
    expect(await send(`http://127.0.0.1:${port}/`, { allowed })).toMatchObject({
      ...{ kind: 'answered', status: 200, body: 'ok' },
    });
    expect(isForbidden('10.1.2.3', listOf(['10.1.0.0/16']))).toBe(false);
    expect(isForbidden('10.2.2.3', listOf(['10.1.0.0/16']))).toBe(true);
    expect(isForbidden('not an address', listOf([]))).toBe(true);
    expect(['93.184.216.34', '2606:2800:220:1::1'].map((a) => isForbidden(a, listOf([])))).toEqual([
      ...[false, false],
    ]);
  });

  it.each(['10.0.0.0/33', 'example.com', '10.0.0/8', '::1/129', ''])('%j is no range', (range) => {
    expect(() => listOf([range])).toThrow('is neither an IP address nor a range');
  });
});

describe('a name server that answers differently the next time', () => {
  it('is asked once, and the connection goes to the address that was checked', async () => {
    const server = createServer((_, response) => response.end('the checked one'));
    const port = await listen(server, '127.0.0.2');
    const { counted } = await rebound(port);
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [asked === 1 ? '127.0.0.2' : '127.0.0.1'];
    };
    const allowed = { http: ['hooks.example'], private: ['127.0.0.2'] };
    const answer = await send(`http://hooks.example:${port}/`, { resolve, allowed });
    expect(answer).toMatchObject({ kind: 'answered', body: 'the checked one' });
    expect([asked, counted.connections]).toEqual([1, 0]);
    const again = await send(`http://hooks.example:${port}/`, { resolve, allowed });
    expect(again).toMatchObject({ kind: 'refused' });
    expect(counted.connections).toBe(0);
  });
});

const LOOPBACK = { http: ['127.0.0.1'], private: ['127.0.0.1'] };

it('a redirect is not followed', async () => {
  const { port: elsewhere, counted } = await target();
  const { port } = await target((_, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${elsewhere}/` }).end();
  });
  const answer = await send(`http://127.0.0.1:${port}/`, { allowed: LOOPBACK });
  expect([answer, counted.connections]).toEqual([
    expect.objectContaining({ kind: 'answered', status: 302 }),
    0,
  ]);
});

it('the certificate is asked for by the name, and its host is in the header', async () => {
  let hello = '';
  const server = createTcpServer((socket) => {
    socket.once('data', (data) => {
      hello = data.toString('latin1');
      socket.destroy();
    });
    socket.on('error', () => {});
  });
  const port = await listen(server);
  const resolve = async () => ['127.0.0.1'];
  const allowed = { private: ['127.0.0.1'] };
  const answer = await send(`https://hooks.example:${port}/a/secret`, { resolve, allowed });
  expect(answer).toMatchObject({ kind: 'failed', why: expect.not.stringContaining('secret') });
  expect(hello).toContain('hooks.example');
  const { port: plain } = await target((request, response) => response.end(request.headers.host));
  const named = { http: ['hooks.example'], private: ['127.0.0.1'] };
  const asked = await send(`http://hooks.example:${plain}/`, { resolve, allowed: named });
  expect(asked).toMatchObject({ body: `hooks.example:${plain}` });
});

it.each([
  ['without TLS', 'http://hooks.example/', 'would be asked without TLS'],
  ['another scheme', 'file:///etc/passwd', 'only https: can be asked'],
  ['a password in the address', 'https://eve:hunter2@hooks.example/', 'has a user or password'],
  ['nonsense', 'https://', 'cannot be read'],
])('%s is refused', async (_, url, why) => {
  const answer = await send(url);
  expect(answer).toMatchObject({ kind: 'refused', why: expect.stringContaining(why) });
  expect(JSON.stringify(answer)).not.toContain('hunter2');
});

it('a body above 64 KiB is refused, and an answer is cut there', async () => {
  const body = 'x'.repeat(MAX_BODY_BYTES + 1);
  expect(await send('https://hooks.example/', { body })).toMatchObject({ kind: 'refused' });
  const { port } = await target((_, response) => response.end('y'.repeat(1_000_000)));
  const answer = await send(`http://127.0.0.1:${port}/`, { allowed: LOOPBACK });
  expect(answer).toMatchObject({ kind: 'answered', body: 'y'.repeat(MAX_BODY_BYTES) });
});

it('fails at its time limit, whether the server or the name server is silent', async () => {
  const { port } = await target(() => {});
  const silent = await send(`http://127.0.0.1:${port}/`, { allowed: LOOPBACK, timeoutMs: 50 });
  expect(silent).toEqual({ kind: 'failed', why: `127.0.0.1:${port}: no answer within 50 ms` });
  const resolve = () => new Promise<string[]>(() => {});
  const unnamed = await send('https://hooks.example/', { resolve, timeoutMs: 50 });
  expect(unnamed).toEqual({ kind: 'failed', why: 'hooks.example: no answer within 50 ms' });
});

it('a refused connection, a name without an address and a stop are failures', async () => {
  const port = await listen(createTcpServer().unref());
  const server = createTcpServer();
  const closed = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  expect(port).not.toBe(closed);
  expect(await send(`http://127.0.0.1:${closed}/`, { allowed: LOOPBACK })).toMatchObject({
    kind: 'failed',
    why: `127.0.0.1:${closed}: connect ECONNREFUSED 127.0.0.1:${closed}`,
    cause: { code: 'ECONNREFUSED' },
  });
  const none = await send('https://hooks.example/', { resolve: async () => [] });
  expect(none).toMatchObject({ kind: 'failed', why: 'hooks.example: the name has no address' });
  const signal = AbortSignal.abort(new Error('stopping'));
  const resolve = async () => ['93.184.216.34'];
  expect(await send('https://hooks.example/', { resolve, signal })).toMatchObject({
    ...{ kind: 'failed', why: 'hooks.example: stopping' },
  });
});

describe('https with a private authority', () => {
  it('is answered if its certificate is given, by name and by address, and refused otherwise', async () => {
    const { ca, cert, key } = await privateCa('hooks.example', '127.0.0.1');
    const server = createSecureServer({ cert, key }, (request, response) =>
      response.end(`${request.method} ${request.headers.host}`),
    );
    const port = await listen(server);
    const asked = { resolve: async () => ['127.0.0.1'], allowed: { private: ['127.0.0.1'] } };
    for (const host of ['hooks.example', '127.0.0.1']) {
      const answer = await send(`https://${host}:${port}/`, { ...asked, ca });
      expect(answer).toMatchObject({ status: 200, body: `POST ${host}:${port}` });
    }
    const unknown = await send(`https://hooks.example:${port}/`, asked);
    expect(unknown).toMatchObject({
      kind: 'failed',
      cause: { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
    });
    const other = await send(`https://other.example:${port}/`, { ...asked, ca });
    expect(other).toMatchObject({
      kind: 'failed',
      cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    });
  });
});

it('a host that is not in the list of targets is refused, also with another port', async () => {
  const { port, counted } = await target();
  const allowed = { ...LOOPBACK, hosts: [`127.0.0.1:${port}`, 'Hooks.Example'] };
  for (const url of ['https://other.example/', 'https://hooks.example:8443/'])
    expect(await send(url, { allowed })).toMatchObject({
      why: `${new URL(url).host} is not in the list of targets`,
    });
  expect(counted.connections).toBe(0);
  expect(await send(`http://127.0.0.1:${port}/`, { allowed })).toMatchObject({ status: 200 });
});
