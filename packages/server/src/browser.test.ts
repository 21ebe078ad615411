import type { FullStore } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { expect, onTestFinished, test } from 'vitest';
import { api } from './testing/api.ts';

const PAUSE = { scope: 'queue', name: 'slow' };

async function signedIn() {
  const all = await api(onTestFinished);
  const own = await all.signIn();
  const pause = (headers: Record<string, string>) =>
    all.call('POST', '/v1/pauses/pause', {
      body: PAUSE,
      headers: { cookie: own.cookie, 'x-redrive-key': own.key, ...headers },
    });
  return { ...all, own, pause };
}

test('the code of a link works once, for ten minutes, and its cookie cannot be read by scripts', async () => {
  const { access, clock, signIn } = await api(onTestFinished);
  const code = access.createCode(clock.now());
  const { answer } = await signIn({ code });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({ role: 'admin', key: expect.stringMatching(/^[\w-]{43}$/) });
  expect(String(answer.headers['set-cookie'])).toMatch(
    /^redrive_sign_in_=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
  );
  expect((await signIn({ code })).answer.statusCode).toBe(401);
  const old = access.createCode(clock.now());
  await clock.advance(600_000);
  expect((await signIn({ code: old })).answer.statusCode).toBe(401);
});

test('a cookie is worth nothing without the key of its page, and the key nothing without the cookie', async () => {
  const { call, own, signIn } = await signedIn();
  const other = await signIn();
  const key = (value: string) => ({ 'x-redrive-key': value });
  for (const [headers, expected] of [
    [own.headers, 200],
    [{ cookie: own.cookie }, 401],
    [{ cookie: own.cookie, ...key('') }, 401],
    [{ cookie: own.cookie, ...key(other.key) }, 401],
    [{ cookie: own.cookie, ...key(own.cookie.slice(-43)) }, 401],
    [{ cookie: own.cookie, ...key(`${own.key}, ${own.key}`) }, 401],
    [key(own.key), 401],
    [{ cookie: other.cookie, ...key(own.key) }, 401],
    // Another program of the host has set a cookie of the same name for a longer path.
    [{ cookie: `${other.cookie}; ${own.cookie}`, ...key(own.key) }, 200],
  ] as const) {
    for (const url of ['/v1/me', '/v1/jobs', '/v1/dead-letters/export', '/v1/changes']) {
      if (expected === 200 && url === '/v1/changes') continue;
      const { statusCode } = await call('GET', url, { headers });
      expect([headers, url, statusCode]).toEqual([headers, url, expected]);
    }
  }
});

test('the cookie of a console has its port in its name, so that two consoles of a host keep theirs', async () => {
  const { call, signIn } = await api(onTestFinished);
  const one = await signIn(undefined, { host: 'localhost:9480' });
  const two = await signIn(undefined, { host: 'localhost:9481' });
  expect([one.cookie, two.cookie].map((each) => each.split('=')[0])).toEqual([
    ...['redrive_sign_in_9480', 'redrive_sign_in_9481'],
  ]);
  const cookie = `${one.cookie}; ${two.cookie}`;
  for (const [host, key, expected] of [
    ['localhost:9480', one.key, 200],
    ['localhost:9481', two.key, 200],
    ['localhost:9480', two.key, 401],
    ['localhost:9482', one.key, 401],
  ] as const) {
    const headers = { host, cookie, 'x-redrive-key': key };
    expect((await call('GET', '/v1/me', { headers })).statusCode).toBe(expected);
  }
});

test('a download has an address that works once, within 60 s, for its path alone, with the rights of who asked', async () => {
  const { call, own, access, clock, signIn, store } = await signedIn();
  const path = '/v1/dead-letters/export?handler=resize';
  const make = async (headers: Record<string, string>, wanted = path) => {
    const answer = await call('POST', '/v1/downloads', { headers, body: { path: wanted } });
    return answer.json().address as string;
  };
  const take = async (address: string) => (await call('GET', address)).statusCode;
  const address = await make(own.headers);
  expect(address).toMatch(/^\/v1\/downloads\/[\w-]{43}$/);
  expect((await call('POST', address)).statusCode).toBe(404);
  const saved = await call('GET', address);
  expect([saved.statusCode, saved.body.trim().split('\n').length]).toEqual([200, 2]);
  expect(await take(address)).toBe(404);
  const late = await make(own.headers);
  await clock.advance(60_000);
  expect(await take(late)).toBe(404);
  // The look is on record as one of the route, without the code.
  const looks = (await store.auditBlocks(0, 1_000))
    .flatMap((block) => recordsIn(block))
    .filter((record) => record.event === 'read');
  expect(JSON.stringify(looks)).toContain('/v1/dead-letters/export');
  expect(JSON.stringify(looks)).not.toContain(address.slice(-43));
  // The role and the tenant are those of who asked, at the time of the download.
  const token = await access.createToken({ name: 'download', role: 'viewer', tenant: 'acme' });
  onTestFinished(() => void access.revokeToken('download'));
  const viewer = await signIn({ token });
  expect(await take(await make(viewer.headers, '/v1/status'))).toBe(403);
  const own2 = await call('GET', await make(viewer.headers));
  expect(own2.body.trim().split('\n')).toHaveLength(1);
  const over = await make(viewer.headers);
  access.revokeToken('download');
  expect(await take(over)).toBe(401);
  for (const wrong of ['/v1/downloads/x', 'http://evil.example/v1/jobs', '/', '/v1/jobs\r\nx: y']) {
    const body = { path: wrong };
    const answer = await call('POST', '/v1/downloads', { headers: own.headers, body });
    expect(answer.statusCode).toBe(400);
  }
});

test('a stream ends within 15 s after its token or its sign-in', async () => {
  const { app, access, clock, signIn } = await api(onTestFinished);
  const { port } = new URL(await app.server.listen({ port: 0, host: '127.0.0.1' }));
  const token = await access.createToken({ name: 'stream', role: 'viewer' });
  onTestFinished(() => void access.revokeToken('stream'));
  const page = await signIn({ token }, { host: `127.0.0.1:${port}` });
  const streams = [{ authorization: `Bearer ${token}` }, page.headers].map(async (headers) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/changes`, { headers });
    expect(response.status).toBe(200);
    return response;
  });
  const open = await Promise.all(streams);
  const ended = open.map((response) =>
    response.text().then(...['whole', 'cut'].map((x) => () => x)),
  );
  let count = 0;
  for (const each of ended) void each.then(() => (count += 1));
  await clock.advance(60_000);
  expect(count).toBe(0);
  access.revokeToken('stream');
  await clock.advance(15_000);
  expect(await Promise.all(ended)).toEqual(['cut', 'cut']);
});

test('a change with a cookie needs Sec-Fetch-Site: same-origin, or the same Origin', async () => {
  const { pause } = await signedIn();
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

test('a sign-in is on record before it begins, and its end; without a record there is none, and the code stays good', async () => {
  const { store, access, clock } = await api(onTestFinished);
  let isFull = true;
  const full: FullStore = {
    ...store,
    apply: (commands) => (isFull ? Promise.reject(new Error('disk full')) : store.apply(commands)),
  };
  const { call, signIn } = await api(onTestFinished, { store: full, access });
  const code = access.createCode(clock.now());
  const { answer: failed } = await signIn({ code });
  expect([failed.statusCode, failed.headers['set-cookie']]).toEqual([500, undefined]);
  isFull = false;
  const { answer, headers } = await signIn({ code });
  expect(answer.statusCode).toBe(200);
  expect((await signIn({ code })).answer.statusCode).toBe(401);
  expect((await call('POST', '/v1/sign-out', { headers })).statusCode).toBe(200);
  expect((await call('GET', '/v1/me', { headers })).statusCode).toBe(401);
  const acts = (await store.auditBlocks(0, 1_000))
    .flatMap((block) => recordsIn(block))
    .filter((record) => record.event === 'act')
    .map((record) => record.detail);
  const who = { by: 'api:local@127.0.0.1', from: '127.0.0.1' };
  expect(acts).toEqual([
    { ...who, act: 'sign_in' },
    { ...who, act: 'sign_out' },
  ]);
});

test('a token signs in with its own role and tenant, until it is revoked or expires', async () => {
  const { call, access, clock, store, signIn } = await api(onTestFinished);
  const ask = async (headers: Record<string, string>, url = '/v1/me') =>
    call('GET', url, { headers });
  const wish = { name: 'wall', role: 'viewer', tenant: 'acme' } as const;
  const token = await access.createToken({ ...wish, expiresAtMs: clock.now() + 60_000 });
  const { answer, headers } = await signIn({ token });
  expect([answer.statusCode, answer.json().role]).toEqual([200, 'viewer']);
  expect((await ask(headers)).json()).toMatchObject(wish);
  expect((await ask(headers, '/v1/status')).statusCode).toBe(403);
  expect((await call('POST', '/v1/pauses/pause', { body: PAUSE, headers })).statusCode).toBe(403);
  const foreign = await signIn({ token }, { 'sec-fetch-site': 'cross-site' });
  expect([foreign.answer.statusCode, foreign.cookie]).toEqual([403, 'undefined']);
  const records = (await store.auditBlocks(0, 1_000)).flatMap((block) => recordsIn(block));
  expect(records.filter(({ id }) => id === 'sign-in').map((record) => record.detail)).toMatchObject(
    [{ act: 'sign_in', by: 'api:wall@127.0.0.1' }],
  );
  expect(access.signIns(clock.now()).map(({ name }) => name)).toContain('wall');
  await clock.advance(60_000);
  expect((await ask(headers)).statusCode).toBe(401);
  expect(access.signIns(clock.now()).map(({ name }) => name)).not.toContain('wall');
  const other = await access.createToken({ name: 'desk', role: 'operator' });
  const { headers: desk } = await signIn({ token: other });
  expect((await ask(desk)).json()).toMatchObject({ name: 'desk', role: 'operator' });
  access.revokeToken('desk');
  expect((await ask(desk)).statusCode).toBe(401);
  // A new token of the same name does not bring the sign-in back.
  await access.createToken({ name: 'desk', role: 'admin' });
  expect((await ask(desk)).statusCode).toBe(401);
  access.revokeToken('desk');
  access.revokeToken('wall');
});

test('wrong tokens of people who sign in count as wrong tries; a right one has its rate', async () => {
  const { call, access } = await api(onTestFinished);
  const begin = async (token: string) => {
    const answer = await call('POST', '/v1/sign-in', { body: { token } });
    return [answer.statusCode, answer.json().code];
  };
  const slow = await access.createToken({ name: 'slow-login', role: 'viewer', rate: 2 });
  expect([await begin(slow), await begin(slow)]).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
  const refused = await call('POST', '/v1/sign-in', { body: { token: slow } });
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited']);
  expect(refused.headers['retry-after']).toBe('1');
  for (let n = 0; n < 10; n += 1) expect(await begin(`wrong${n}`)).toEqual([401, 'wrong_token']);
  expect(await begin('wrong')).toEqual([429, 'too_many_tries']);
  const both = await call('POST', '/v1/sign-in', { body: { token: slow, code: 'x' } });
  expect([both.statusCode, both.json().code]).toEqual([400, 'invalid_input']);
  access.revokeToken('slow-login');
});
