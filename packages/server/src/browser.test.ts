import type { FullStore } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { expect, onTestFinished, test } from 'vitest';
import { api } from './testing/api.ts';

const PAUSE = { scope: 'queue', name: 'slow' };

async function session() {
  const all = await api(onTestFinished);
  const begun = await all.call('POST', '/v1/session', { body: { code: all.app.login.code } });
  const cookie = String(begun.headers['set-cookie']);
  const pause = (headers: Record<string, string>) =>
    all.call('POST', '/v1/pauses/pause', {
      body: PAUSE,
      headers: { cookie: cookie.split(';')[0] ?? '', ...headers },
    });
  return { ...all, begun, cookie, pause };
}

test('the link works once, and makes a session whose cookie scripts cannot read', async () => {
  const { begun, cookie, call, app } = await session();
  expect(begun.statusCode).toBe(200);
  expect(cookie).toMatch(
    /^redrive_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
  );
  const again = await call('POST', '/v1/session', { body: { code: app.login.code } });
  expect(again.statusCode).toBe(401);
});

test('the code of the link is good for ten minutes', async () => {
  const { call, app, clock } = await api(onTestFinished);
  await clock.advance(600_000);
  const late = await call('POST', '/v1/session', { body: { code: app.login.code } });
  expect(late.statusCode).toBe(401);
});

test('a change with a cookie needs Sec-Fetch-Site: same-origin, or the same Origin', async () => {
  const { pause } = await session();
  const code = async (headers: Record<string, string>) => (await pause(headers)).statusCode;
  expect(await code({})).toBe(403);
  expect(await code({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await code({ 'sec-fetch-site': 'same-site' })).toBe(403);
  expect(await code({ origin: 'http://evil.example' })).toBe(403);
  expect(await code({ 'sec-fetch-site': 'same-origin', origin: 'http://evil.example' })).toBe(403);
  expect(await code({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(await code({ origin: 'http://localhost' })).toBe(200);
});

test('a cross-site POST with a token is refused', async () => {
  const { call, token } = await api(onTestFinished);
  const headers = { 'sec-fetch-site': 'cross-site' };
  const given = { token: await token({ role: 'admin' }), body: PAUSE, headers };
  expect((await call('POST', '/v1/pauses/pause', given)).statusCode).toBe(403);
});

test('a POST that is not JSON is refused, and no GET changes anything', async () => {
  const { app, call, token } = await api(onTestFinished);
  const admin = await token({ role: 'admin' });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const { statusCode } = await app.server.inject({
      method: 'POST',
      url: '/v1/pauses/pause',
      headers: { host: 'localhost', authorization: `Bearer ${admin}`, 'content-type': type },
      payload: JSON.stringify(PAUSE),
    });
    expect(statusCode).toBe(415);
  }
  const get = await call('GET', '/v1/pauses/pause?scope=queue&name=slow', { token: admin });
  expect(get.statusCode).toBe(404);
});

test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:9480', '10.0.0.7'])(
  'the host %s is refused (rebinding)',
  async (host) => {
    const { call, token } = await api(onTestFinished);
    const given = { token: await token({ role: 'admin' }), headers: { host } };
    expect((await call('GET', '/v1/jobs', given)).statusCode).toBe(403);
  },
);

test('every answer has the headers that keep a browser from running or framing it', async () => {
  const { call } = await api(onTestFinished);
  for (const path of ['/v1/health', '/v1/jobs', '/nowhere']) {
    const { headers } = await call('GET', path);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  }
});

test('a session is on record before it begins, and its end; without a record there is none, and the code stays good', async () => {
  const { store, access } = await api(onTestFinished);
  let isFull = true;
  const full: FullStore = {
    ...store,
    apply: (commands) => (isFull ? Promise.reject(new Error('disk full')) : store.apply(commands)),
  };
  const { app, call } = await api(onTestFinished, { store: full, access });
  const begin = () => call('POST', '/v1/session', { body: { code: app.login.code } });
  const failed = await begin();
  expect([failed.statusCode, failed.headers['set-cookie']]).toEqual([500, undefined]);
  isFull = false;
  const begun = await begin();
  expect(begun.statusCode).toBe(200);
  expect((await begin()).statusCode).toBe(401);
  const cookie = String(begun.headers['set-cookie']).split(';')[0] ?? '';
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  expect((await call('POST', '/v1/session/end', { headers })).statusCode).toBe(200);
  expect((await call('GET', '/v1/session', { headers })).statusCode).toBe(401);
  const acts = (await store.auditBlocks(0, 1_000))
    .flatMap((block) => recordsIn(block))
    .filter((record) => record[2] === 'act')
    .map((record) => record[10]);
  const who = { by: 'api:local@127.0.0.1', from: '127.0.0.1' };
  expect(acts).toEqual([
    { ...who, act: 'begin_session' },
    { ...who, act: 'end_session' },
  ]);
});

test('a token begins a session with its own role and tenant, which ends when the token is revoked or expires', async () => {
  const { call, access, clock, store } = await api(onTestFinished);
  const begin = async (token: string, headers: Record<string, string> = {}) => {
    const answer = await call('POST', '/v1/session', { body: { token }, headers });
    const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
    return { answer, cookie };
  };
  const ask = async (cookie: string, url = '/v1/session') =>
    call('GET', url, { headers: { cookie } });
  const wish = { name: 'wall', role: 'viewer', tenant: 'acme' } as const;
  const token = await access.createToken({ ...wish, expiresAtMs: clock.now() + 60_000 });
  const { answer, cookie } = await begin(token);
  expect([answer.statusCode, answer.json()]).toEqual([200, { role: 'viewer' }]);
  expect((await ask(cookie)).json()).toMatchObject(wish);
  expect((await ask(cookie, '/v1/status')).statusCode).toBe(403);
  const pause = { body: PAUSE, headers: { cookie, 'sec-fetch-site': 'same-origin' } };
  expect((await call('POST', '/v1/pauses/pause', pause)).statusCode).toBe(403);
  const foreign = await begin(token, { 'sec-fetch-site': 'cross-site' });
  expect([foreign.answer.statusCode, foreign.cookie]).toEqual([403, 'undefined']);
  const records = (await store.auditBlocks(0, 1_000)).flatMap((block) => recordsIn(block));
  expect(records.filter(([id]) => id === 'session').map((record) => record[10])).toMatchObject([
    { act: 'begin_session', by: 'api:wall@127.0.0.1' },
  ]);
  await clock.advance(60_000);
  expect((await ask(cookie)).statusCode).toBe(401);
  const other = await access.createToken({ name: 'desk', role: 'operator' });
  const { cookie: desk } = await begin(other);
  expect((await ask(desk)).json()).toMatchObject({ name: 'desk', role: 'operator' });
  access.revokeToken('desk');
  expect((await ask(desk)).statusCode).toBe(401);
  // A new token of the same name does not bring the session back.
  await access.createToken({ name: 'desk', role: 'admin' });
  expect((await ask(desk)).statusCode).toBe(401);
  access.revokeToken('desk');
  access.revokeToken('wall');
});

test('wrong tokens at the login count as wrong tries; a right one has its rate', async () => {
  const { call, access } = await api(onTestFinished);
  const begin = async (token: string) => {
    const answer = await call('POST', '/v1/session', { body: { token } });
    return [answer.statusCode, answer.json().code];
  };
  const slow = await access.createToken({ name: 'slow-login', role: 'viewer', rate: 2 });
  expect([await begin(slow), await begin(slow)]).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
  expect(await begin(slow)).toEqual([429, 'rate_limited']);
  for (let n = 0; n < 10; n += 1) expect(await begin(`wrong${n}`)).toEqual([401, 'wrong_token']);
  expect(await begin('wrong')).toEqual([429, 'too_many_tries']);
  const both = await call('POST', '/v1/session', { body: { token: slow, code: 'x' } });
  expect([both.statusCode, both.json().code]).toEqual([400, 'invalid_input']);
  access.revokeToken('slow-login');
});
