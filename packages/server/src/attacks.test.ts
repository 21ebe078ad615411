import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApp } from './app.ts';
import { api } from './testing/api.ts';

const REASON = { reason: 'test' };

describe('a token of one tenant that names another tenant gets 403', () => {
  const filter = { tenant: 'other' };
  test.each([
    ['POST', '/v1/operations', { act: 'requeue', target: { filter }, ...REASON }],
    ['POST', '/v1/operations', { act: 'cancel', target: { jobs: filter }, ...REASON }],
    ['POST', '/v1/operations/plan', { act: 'requeue', target: { filter } }],
    ['POST', '/v1/operations/plan', { act: 'purge', target: { jobs: filter } }],
    ['POST', '/v1/jobs', { jobs: [{ handler: 'resize', payload: 1, tenant: 'other' }] }],
    ['GET', '/v1/jobs?tenant=other', {}],
    ['GET', '/v1/dead-letters?tenant=other', {}],
    ['GET', '/v1/dead-letters/groups?tenant=other', {}],
    ['GET', '/v1/audit?tenant=other', {}],
  ] as const)('%s %s %j', async (method, url, body) => {
    const { call, token, store } = await api(onTestFinished);
    const own = await token({ role: 'admin', tenant: 'acme' });
    const answer = await call(method, url, { token: own, body });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'not_allowed']);
    const { jobs } = await store.jobs({}, { limit: 10 });
    expect(jobs.map(({ state }) => state)).toEqual(['dead', 'dead']);
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
        request(origin, { path: '/v1/session', headers }, (answer) => {
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
  const ask = async (token: string) => call('GET', '/v1/session', { token });
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
