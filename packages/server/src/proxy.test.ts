import { join } from 'node:path';
import { memoryStore } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AccessFile } from './access/access-file.ts';
import type { TrustedProxy } from './access/trusted-proxy.ts';
import { startServer } from './start-server.ts';
import { api } from './testing/api.ts';

const PROXY: TrustedProxy = {
  addresses: ['10.1.0.0/24'],
  userHeader: 'X-Forwarded-User',
  groupsHeader: 'X-Forwarded-Groups',
  roles: { viewer: ['staff'], operator: ['sre'], admin: ['platform'] },
};
const ANN = { 'x-forwarded-user': 'ann@example.org', 'x-forwarded-groups': 'staff, sre' };
const SITE = { 'sec-fetch-site': 'same-origin' };
const PAUSE = { scope: 'queue', name: 'slow' };

async function behind(more: Partial<TrustedProxy> = {}) {
  const place = await api(onTestFinished, { proxy: { ...PROXY, ...more } });
  const ask = (
    headers: Record<string, string>,
    { from = '10.1.0.7', method = 'GET', url = '/v1/me', body = {} as object } = {},
  ) =>
    place.app.server.inject({
      ...{ method: method as 'GET', url, remoteAddress: from },
      headers: { host: 'localhost', 'content-type': 'application/json', ...headers },
      ...(method === 'POST' && { payload: JSON.stringify(body) }),
    });
  return { ...place, ask };
}

describe('a trusted proxy', () => {
  test('names the user, and the highest role of its groups', async () => {
    const { ask } = await behind();
    expect((await ask(ANN)).json()).toEqual({
      ...{ name: 'ann@example.org', role: 'operator', tenant: null },
    });
    const admin = await ask({ ...ANN, 'x-forwarded-groups': 'platform,staff' });
    expect(admin.json().role).toBe('admin');
    for (const groups of ['', 'Platform', 'platform2', 'sre staff'])
      expect((await ask({ ...ANN, 'x-forwarded-groups': groups })).statusCode).toBe(403);
    expect((await ask({})).statusCode).toBe(401);
  });

  test.each(['127.0.0.1', '::1', '10.1.1.7', '203.0.113.9', '::ffff:10.1.1.7'])(
    'its headers are refused from %s, also with X-Forwarded-For',
    async (from) => {
      const { ask } = await behind();
      for (const forwarded of [
        {},
        { 'x-forwarded-for': '10.1.0.7' },
        { forwarded: 'for=10.1.0.7' },
      ])
        expect((await ask({ ...ANN, ...forwarded }, { from })).statusCode).toBe(401);
      expect((await ask(ANN, { from: '::ffff:10.1.0.7' })).statusCode).toBe(200);
    },
  );

  test('on loopback needs its secret: another program of the machine has none', async () => {
    const { ask } = await behind({ addresses: ['127.0.0.1'], secret: 'of the proxy' });
    const from = '127.0.0.1';
    const codes = [];
    for (const given of ['', 'wrong', 'of the prox', 'of the proxy'])
      codes.push((await ask({ ...ANN, 'x-redrive-proxy-secret': given }, { from })).statusCode);
    expect(codes).toEqual([401, 401, 401, 200]);
  });

  test('on loopback without its secret names no address: X-Forwarded-For is ignored', async () => {
    const secret = 'of the proxy';
    const { ask } = await behind({ addresses: ['127.0.0.1'], secret });
    const wrong = (n: number, given: string) =>
      ask(
        {
          authorization: `Bearer wrong${n}`,
          'x-forwarded-for': `198.51.100.${n}`,
          'x-redrive-proxy-secret': given,
        },
        { from: '127.0.0.1' },
      );
    for (let n = 0; n < 10; n++) expect((await wrong(n, '')).statusCode).toBe(401);
    expect((await wrong(10, '')).statusCode).toBe(429);
    expect((await wrong(11, secret)).statusCode).toBe(401);
  });

  test.each(['a, b', 'a b', 'a:b', 'x'.repeat(129), '<script>', 'ä'])(
    'a user with the name %j is refused',
    async (name) => {
      const { ask } = await behind();
      const { statusCode } = await ask({
        ...ANN,
        'x-forwarded-user': encodeURI(name) === name ? name : encodeURI(name),
      });
      expect(statusCode).toBe(403);
    },
  );

  test('names the tenant: it is part of every filter, and a user without one is refused', async () => {
    const { ask, acme, other } = await behind({ tenantHeader: 'X-Tenant' });
    const url = '/v1/dead-letters';
    const own = await ask({ ...ANN, 'x-tenant': 'acme' }, { url });
    expect([own.body.includes(acme), own.body.includes(other)]).toEqual([true, false]);
    const all = await ask({ ...ANN, 'x-tenant': '*' }, { url });
    expect([all.body.includes(acme), all.body.includes(other)]).toEqual([true, true]);
    expect((await ask(ANN, { url })).statusCode).toBe(403);
  });

  test('a change needs the same site, because the browser sends the cookie of the proxy by itself', async () => {
    const { ask, store } = await behind();
    const pause = { method: 'POST', url: '/v1/pauses/pause', body: PAUSE };
    expect((await ask(ANN, pause)).statusCode).toBe(403);
    expect((await ask({ ...ANN, 'sec-fetch-site': 'cross-site' }, pause)).statusCode).toBe(403);
    const client = { 'x-forwarded-for': '198.51.100.4' };
    expect((await ask({ ...ANN, ...SITE, ...client }, pause)).statusCode).toBe(200);
    const records = (await store.auditBlocks(0, 1_000)).flatMap((block) => recordsIn(block));
    // The address of the user, not that of the proxy.
    expect(JSON.stringify(records)).toContain('api:ann@example.org@198.51.100.4');
  });

  test('says whether TLS is before it: then the cookie is Secure; others cannot say so', async () => {
    for (const [from, proto, isSecure] of [
      ['10.1.0.7', 'https', true],
      ['10.1.0.7', 'http', false],
      ['127.0.0.1', 'https', false],
    ] as const) {
      const { ask, access, clock } = await behind();
      const body = { code: access.createCode(clock.now()) };
      const begun = await ask(
        { 'x-forwarded-proto': proto, ...SITE },
        { from, method: 'POST', url: '/v1/sign-in', body },
      );
      expect(String(begun.headers['set-cookie']).endsWith('; Secure')).toBe(isSecure);
    }
  });

  test('a token of a request counts more than the headers, and ten wrong tries are those of the user, not of the proxy', async () => {
    const { ask, token } = await behind();
    const viewer = { authorization: `Bearer ${await token({ role: 'viewer' })}` };
    expect((await ask({ ...ANN, ...viewer })).json().role).toBe('viewer');
    const wrong = (n: number, address: string) =>
      ask({ authorization: `Bearer wrong${n}`, 'x-forwarded-for': address });
    for (let n = 0; n < 10; n++) expect((await wrong(n, '198.51.100.4')).statusCode).toBe(401);
    expect((await wrong(10, '198.51.100.4')).statusCode).toBe(429);
    expect((await wrong(11, '198.51.100.5')).statusCode).toBe(401);
    // A client cannot choose the address: the proxy adds the true one behind it.
    expect((await wrong(12, '198.51.100.9, 198.51.100.4')).statusCode).toBe(429);
  });

  test('a user and a token of the same name have idempotency keys of their own', async () => {
    const { ask, call, access } = await behind();
    const ann = await access.createToken({ name: 'ann', role: 'operator' });
    const key = { 'idempotency-key': 'k' };
    const enqueue = (image: number) => ({ jobs: [{ handler: 'resize', payload: { image } }] });
    const user = { ...ANN, 'x-forwarded-user': 'ann', ...SITE, ...key };
    const route = { method: 'POST', url: '/v1/jobs', body: enqueue(1) };
    expect((await ask(user, route)).statusCode).toBe(200);
    const other = { token: ann, body: enqueue(2), headers: key };
    expect((await call('POST', '/v1/jobs', other)).statusCode).toBe(200);
  });
});

test('beyond loopback it starts with a trusted proxy, and without a token and a proxy it does not', async () => {
  const { directory } = await api(onTestFinished);
  const access = new AccessFile(join(directory, 'none.json'));
  const options = { store: memoryStore(), access, address: '0.0.0.0', port: 0 };
  await expect(startServer(options)).rejects.toThrow('no token and no trusted proxy');
  const server = await startServer({ ...options, proxy: PROXY });
  expect(server.signInLink()).toBeUndefined();
  await server.close();
});

test('a link is made where there is no token and no proxy; the demo, whose jobs are nobody’s, asks for it always', async () => {
  const { directory } = await api(onTestFinished);
  const access = new AccessFile(join(directory, 'links.json'));
  const options = { store: memoryStore(), access, port: 0 };
  const link = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{43}$/);
  const links = async (more: object = {}) => {
    const server = await startServer({ ...options, ...more });
    const made = [server.signInLink(), server.signInLink('always')];
    await server.close();
    return made;
  };
  expect(await links()).toEqual([link, link]);
  expect(await links({ proxy: PROXY })).toEqual([undefined, link]);
  await access.createToken({ name: 'ann', role: 'viewer' });
  expect(await links()).toEqual([undefined, link]);
  expect(await links({ address: '0.0.0.0' })).toEqual([undefined, undefined]);
});
