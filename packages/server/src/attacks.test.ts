import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { jobsOn } from '@redrive/durable';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { createApp } from './app.ts';
import type { AnyRoute } from './route.ts';
import { ROUTES } from './routes/index.ts';
import { api } from './testing/api.ts';
import { type Schema, sampleOf } from './testing/samples.ts';

const REASON = { reason: 'test' };

/** Every way to name a tenant in an input: the smallest input with it, by the path of the field. */
function namingTenant(schema: Schema, at = ''): readonly (readonly [string, unknown])[] {
  const kinds = schema.anyOf ?? schema.oneOf;
  if (kinds !== undefined) return kinds.flatMap((each) => namingTenant(each, at));
  if (schema.items !== undefined)
    return namingTenant(schema.items, `${at}[]`).map(([path, item]) => [path, [item]]);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const inner =
      name === 'tenant'
        ? ([[`${at}.tenant`, 'other']] as const)
        : namingTenant(property, `${at}.${name}`);
    return inner.map(
      ([path, value]) => [path, { ...Object(sampleOf(schema)), [name]: value }] as const,
    );
  });
}

describe('a token of one tenant that names another tenant gets 403, in every route that takes one', () => {
  const ways = ROUTES.flatMap((route) => {
    const schema = z.toJSONSchema(route.input, { io: 'input', unrepresentable: 'any' }) as Schema;
    return namingTenant(schema).map(([field, input]) => ({ route, field, input: Object(input) }));
  });

  test('there are such routes, with nested fields too', () => {
    const named = ways.map(({ route, field }) => `${route.method} ${route.path} ${field}`);
    expect(named).toEqual(
      expect.arrayContaining([
        'GET /v1/jobs .tenant',
        'GET /v1/dead-letters/export .tenant',
        'POST /v1/jobs .jobs[].tenant',
        'POST /v1/operations .tenant',
        'POST /v1/gates/release .tenant',
      ]),
    );
  });

  test.each(ways)('$route.method $route.path $field', async ({ route, input }) => {
    const { call, token, store } = await api(onTestFinished);
    const own = await token({ role: 'admin', tenant: 'acme' });
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => String(input[name] ?? 'x'));
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const body = Object.fromEntries(
      Object.entries(input).filter(([name]) => !names.includes(name)),
    );
    const isGet = route.method === 'GET';
    const query = isGet ? `?${new URLSearchParams(body as Record<string, string>)}` : '';
    const { jobs: before } = await store.jobs({}, { limit: 10 });
    const answer = await call(route.method, path + query, {
      token: own,
      body: { ...body, ...REASON },
    });
    expect([answer.statusCode, answer.json().code], answer.body).toEqual([403, 'not_allowed']);
    expect((await store.jobs({}, { limit: 10 })).jobs).toEqual(before);
  });
});

describe('a header of the proxy that comes twice is refused', () => {
  test.each(['X-Forwarded-User', 'X-Forwarded-Groups', 'X-Tenant'])('%s', async (twice) => {
    const { store, access, clock } = await api(onTestFinished);
    const proxy = {
      addresses: ['127.0.0.1'],
      userHeader: 'X-Forwarded-User',
      groupsHeader: 'X-Forwarded-Groups',
      tenantHeader: 'X-Tenant',
      roles: { viewer: ['staff'], admin: ['platform'] },
    };
    const { server } = createApp({ store, access, clock, proxy });
    onTestFinished(() => server.close());
    const origin = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
    const ask = (headers: Record<string, string | string[]>) =>
      new Promise<number | undefined>((resolve, reject) => {
        request(origin, { path: '/v1/me', headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', reject)
          .end();
      });
    const headers = {
      'X-Forwarded-User': 'ann',
      'X-Forwarded-Groups': 'staff',
      'X-Tenant': 'acme',
    };
    expect(await ask(headers)).toBe(200);
    // A proxy that appends its own: the client's `platform` would make an admin.
    const own = twice === 'X-Forwarded-Groups' ? 'platform' : headers['X-Forwarded-User'];
    expect(await ask({ ...headers, [twice]: [own, 'staff'] })).toBe(403);
  });
});

test('wrong tokens from an address never lock out a right one that was not used before', async () => {
  const { call, access } = await api(onTestFinished);
  const right = await access.createToken({ name: 'never-used', role: 'viewer' });
  const ask = async (token: string) => call('GET', '/v1/me', { token });
  for (let n = 0; n < 10; n += 1) expect((await ask(`wrong${n}`)).statusCode).toBe(401);
  const limited = await ask('wrong');
  expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, '60']);
  expect((await ask(right)).statusCode).toBe(200);
});

test('a connection that trickles line breaks after a request is closed after 10 s', async () => {
  const { app, clock } = await api(onTestFinished);
  const { port } = new URL(await app.server.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const [accepted] = await once(app.server.server, 'connection');
  for (let request = 0; request < 2; request += 1) {
    socket.write('GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const answered = once(app.server.server, 'request').then(([, response]) =>
      once(response, 'close'),
    );
    await once(socket, 'data');
    await answered;
    socket.write('\r\n');
    await clock.advance(9_999);
    expect(accepted.destroyed).toBe(false);
  }
  await clock.advance(1);
  expect(accepted.destroyed).toBe(true);
});

test.each([
  ['requeue', 'cancelled'],
  ['reset', 'ready'],
  ['purge', 'succeeded'],
  ['purge', 'cancelled'],
] as const)(
  'by id the API refuses to %s a job that is %s, as the command line does',
  async (act, state) => {
    const { call, token, store, clock } = await api(onTestFinished);
    const admin = await token({ role: 'admin' });
    const jobs = jobsOn(store, { mail: () => undefined }, { log: 'off', clock });
    const { id } = await jobs.enqueue('mail', {});
    if (state === 'cancelled') await jobs.cancel(id);
    if (state === 'succeeded') {
      await jobs.start();
      await clock.advance(1_000);
      await jobs.stop();
    }
    for (const url of ['/v1/operations/plan', '/v1/operations']) {
      const answer = await call('POST', url, {
        token: admin,
        body: { act, ids: [id], ...(url === '/v1/operations' && REASON) },
      });
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 409, 'not_a_dead_letter']);
      expect(answer.json().detail).toContain(`${id} is not a dead letter: its state is ${state}.`);
    }
    expect((await store.job(id))?.state).toBe(state);
  },
);

test.each([
  ['Host twice', 'GET /v1/health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n', 403],
  [
    'an address with a host',
    'GET http://evil.example/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n',
    403,
  ],
  ['no Host', 'GET /v1/health HTTP/1.0\r\n\r\n', 403],
  [
    'length and chunks',
    'POST /v1/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'two lengths',
    'POST /v1/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\n{}{}',
    400,
  ],
  ['a folded header', 'GET /v1/health HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n', 400],
  ['a path with dots', 'GET /v1/x/../health HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
  [
    'another method in a header',
    'GET /v1/sign-out HTTP/1.1\r\nHost: localhost\r\nX-HTTP-Method-Override: POST\r\n\r\n',
    404,
  ],
] as const)(
  'a request that others may read in another way is refused: %s',
  async (_, text, expected) => {
    const { app } = await api(onTestFinished);
    const { port } = new URL(await app.server.listen({ port: 0, host: '127.0.0.1' }));
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
    onTestFinished(() => void socket.destroy());
    socket.write(text);
    const [answer] = await once(socket, 'data');
    expect(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])).toBe(expected);
  },
);

/** A stream without an end, whose reader decides how fast it is. */
const MUCH: AnyRoute = {
  ...{ method: 'GET', path: '/v1/much', role: 'viewer', summary: 'much' },
  ...{ input: z.object({}), answer: z.object({}), stream: 'application/x-ndjson' },
  handle: async () =>
    (async function* () {
      for (;;) yield 'x'.repeat(262_144);
    })(),
};

describe('streams hold places of the server', () => {
  test('a stream whose reader takes nothing is closed after a minute, and its place is free', async () => {
    const { store, access, clock, token } = await api(onTestFinished);
    const { server } = createApp({ store, access, clock, routes: [{ ...MUCH, heavy: true }] });
    onTestFinished(() => server.close());
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const headers = { authorization: `Bearer ${await token({ role: 'viewer' })}` };
    const ask = async () =>
      (await fetch(`${url}/v1/much`, { headers, signal: left.signal })).status;
    const left = new AbortController();
    onTestFinished(() => left.abort());
    const [accepted] = await Promise.all([
      once(server.server, 'connection').then(([socket]) => socket),
      ask(),
    ]);
    // Something is sent until all buffers on the way are full.
    for (let checks = 0; checks < 500 && !accepted.destroyed; checks += 1) {
      expect(await ask()).toBe(429);
      await clock.advance(15_000);
    }
    expect(accepted.destroyed).toBe(true);
    expect(await ask()).toBe(200);
  });

  test.each([
    ['heavy', 1, 2],
    ['endless', 4, 20],
  ] as const)(
    'one token has at most so many %s streams at once: %d of %d',
    async (kind, own, all) => {
      const { store, access, clock } = await api(onTestFinished);
      const route = { ...MUCH, [kind]: true };
      const { server } = createApp({ store, access, clock, routes: [route] });
      onTestFinished(() => server.close());
      const url = await server.listen({ port: 0, host: '127.0.0.1' });
      const left = new AbortController();
      onTestFinished(() => left.abort());
      const ask = async (secret: string) => {
        const headers = { authorization: `Bearer ${secret}` };
        const answer = await fetch(`${url}/v1/much`, { headers, signal: left.signal });
        return [answer.status, answer.headers.get('retry-after')];
      };
      for (let n = 0; n < all / own; n += 1) {
        const secret = await access.createToken({ name: `${kind}${n}`, role: 'viewer' });
        for (let stream = 0; stream < own; stream += 1)
          expect(await ask(secret)).toEqual([200, null]);
        expect(await ask(secret)).toEqual([429, '1']);
      }
      const further = await access.createToken({ name: `${kind}-further`, role: 'viewer' });
      expect(await ask(further)).toEqual([429, '1']);
    },
  );
});
