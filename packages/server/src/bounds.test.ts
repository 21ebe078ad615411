import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type FullStore, memoryStore } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AccessFile } from './access/access-file.ts';
import { startServer } from './start-server.ts';
import { api } from './testing/api.ts';

const JOB = { jobs: [{ handler: 'resize', payload: { image: 1 } }] };

test('Idempotency-Key: the stored answer on repetition, 422 for other parameters, a key per token', async () => {
  const { call, token, store } = await api(onTestFinished);
  const operator = await token({ role: 'operator' });
  const headers = { 'idempotency-key': 'order-7' };
  const first = await call('POST', '/v1/jobs', { token: operator, body: JOB, headers });
  const again = await call('POST', '/v1/jobs', { token: operator, body: JOB, headers });
  expect([first.statusCode, again.json()]).toEqual([200, first.json()]);
  const body = { jobs: [{ handler: 'resize', payload: { image: 2 } }] };
  const differs = await call('POST', '/v1/jobs', { token: operator, body, headers });
  expect([differs.statusCode, differs.json().code]).toEqual([422, 'idempotency_conflict']);
  const admin = await call('POST', '/v1/jobs', {
    token: await token({ role: 'admin' }),
    body,
    headers,
  });
  expect(admin.statusCode).toBe(200);
  const { jobs } = await store.jobs({ states: ['ready'] }, { limit: 10 });
  expect(jobs).toHaveLength(2);
});

test('Idempotency-Key: 409 while the first request is under way, its answer afterwards', async () => {
  const { store, access, token } = await api(onTestFinished);
  const entered = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const slow: FullStore = {
    ...store,
    apply: async (commands) => {
      entered.resolve();
      await goOn.promise;
      return store.apply(commands);
    },
  };
  const { call } = await api(onTestFinished, { store: slow, access });
  const operator = await token({ role: 'operator' });
  const headers = { 'idempotency-key': 'k' };
  const ask = () => call('POST', '/v1/jobs', { token: operator, body: JOB, headers });
  const first = ask();
  await entered.promise;
  const second = await ask();
  expect([second.statusCode, second.json().code]).toEqual([409, 'idempotency_in_progress']);
  goOn.resolve();
  expect((await first).statusCode).toBe(200);
  const third = await ask();
  expect([third.statusCode, third.json()]).toEqual([200, (await first).json()]);
  expect((await store.jobs({ states: ['ready'] }, { limit: 10 })).jobs).toHaveLength(1);
});

test.each([
  ['nested too deep', `{"jobs":${'['.repeat(65)}${']'.repeat(65)}}`, 'too_deep'],
  ['__proto__', '{"__proto__":{"x":1},"jobs":[]}', 'forbidden_key'],
  ['__proto__, escaped', String.raw`{"jobs":[{"payload":{"__\u0070roto__":1}}]}`, 'forbidden_key'],
  ['__proto__ inside', '{"jobs":[{"payload":{"a":{"__proto__":{}}}}]}', 'forbidden_key'],
  ['an unknown key', '{"constructor":{"prototype":{"x":1}}}', 'invalid_input'],
  ['a number that loses digits', '{"jobs":[{"payload":12345678901234567890}]}', 'invalid_json'],
  ['not JSON', '{"jobs":', 'invalid_json'],
])('a body is refused: %s', async (_, payload, code) => {
  const { app, token } = await api(onTestFinished);
  const answer = await app.server.inject({
    method: 'POST',
    url: '/v1/jobs',
    headers: {
      host: 'localhost',
      authorization: `Bearer ${await token({ role: 'admin' })}`,
      'content-type': 'application/json',
    },
    payload,
  });
  expect([answer.statusCode, answer.json().code]).toEqual([400, code]);
  expect(answer.headers['content-type']).toContain('application/problem+json');
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

test('bounds: body 1 MiB, URL 8 KiB, page 1,000; all problems of the input at once', async () => {
  const { call, token } = await api(onTestFinished);
  const admin = await token({ role: 'admin' });
  const large = { jobs: [{ handler: 'x', payload: 'a'.repeat(1024 * 1024) }] };
  expect((await call('POST', '/v1/jobs', { token: admin, body: large })).statusCode).toBe(413);
  const long = `/v1/jobs?handler=${'a'.repeat(8_192)}`;
  expect((await call('GET', long, { token: admin })).statusCode).toBe(414);
  const bad = await call('GET', '/v1/jobs?limit=1000000000&state=nowhere&days=9', { token: admin });
  expect(bad.statusCode).toBe(400);
  const fields = bad.json().problems.map(({ field }: { field: string }) => field);
  expect(fields).toEqual(expect.arrayContaining(['limit', 'state']));
});

test('the rate of a token, and ten wrong tries a minute per address', async () => {
  const { call, access, clock } = await api(onTestFinished);
  const slow = await access.createToken({ name: 'slow', role: 'viewer', rate: 3 });
  const codes: number[] = [];
  for (let n = 0; n < 5; n++) codes.push((await call('GET', '/v1/me', { token: slow })).statusCode);
  expect(codes).toEqual([200, 200, 200, 429, 429]);
  await clock.advance(1_000);
  expect((await call('GET', '/v1/me', { token: slow })).statusCode).toBe(200);
  for (let n = 0; n < 10; n++) {
    expect((await call('GET', '/v1/me', { token: `wrong${n}` })).statusCode).toBe(401);
  }
  expect((await call('GET', '/v1/me', { token: 'wrong' })).statusCode).toBe(429);
  await clock.advance(60_000);
  expect((await call('GET', '/v1/me', { token: 'wrong' })).statusCode).toBe(401);
});

test('the limit of ten wrong tries holds for tries at the same time; right ones do not count', async () => {
  const { app, call, access } = await api(onTestFinished);
  const right = await access.createToken({ name: 'busy', role: 'viewer' });
  const ask = async (token: string) => (await call('GET', '/v1/me', { token })).statusCode;
  await app.server.ready();
  const first = await Promise.all(Array.from({ length: 15 }, () => ask(right)));
  expect(new Set(first)).toEqual(new Set([200]));
  const wrong = Array.from(
    { length: 15 },
    (_, n) => `${right.slice(0, -2)}_${'abcdefghijklmno'[n]}`,
  );
  const codes = await Promise.all(wrong.map(ask));
  expect(codes.filter((code) => code === 401)).toHaveLength(10);
  expect(codes.filter((code) => code === 429)).toHaveLength(5);
});

test('wrong tries lock out neither a sign-in nor a token that was right before; old cookies are no tries', async () => {
  const { call, access, token, clock, signIn } = await api(onTestFinished);
  const viewer = await token({ role: 'viewer' });
  const { headers } = await signIn();
  const ask = async (given: Parameters<typeof call>[2]) =>
    (await call('GET', '/v1/me', given)).statusCode;
  const old = { headers: { cookie: headers.cookie, 'x-redrive-key': 'old' } };
  for (let n = 0; n < 11; n++) expect(await ask(old)).toBe(401);
  expect(await ask({ token: viewer })).toBe(200);
  for (let n = 0; n < 10; n++) expect(await ask({ token: `wrong${n}` })).toBe(401);
  expect(await ask({ token: 'wrong' })).toBe(429);
  expect(await ask({ token: viewer })).toBe(200);
  expect(await ask({ headers })).toBe(200);
  const begin = async (code: string) =>
    (await call('POST', '/v1/sign-in', { body: { code } })).statusCode;
  expect([await begin('wrong'), await begin(access.createCode(clock.now()))]).toEqual([429, 200]);
});

test('every look is on record before it is answered: payloads each time, lists once per quarter of an hour', async () => {
  const { call, token, store, acme } = await api(onTestFinished);
  const viewer = await token({ role: 'viewer' });
  for (let n = 0; n < 3; n++) {
    await call('GET', `/v1/jobs/${acme}`, { token: viewer });
    await call('GET', '/v1/jobs', { token: viewer });
  }
  const reads = (await store.auditBlocks(0, 1_000))
    .flatMap((block) => recordsIn(block))
    .filter((record) => record.event === 'read');
  const commands = reads.map((record) => record.detail.command);
  expect(commands.filter((each) => each === 'GET /v1/jobs/:id')).toHaveLength(3);
  expect(commands.filter((each) => each === 'GET /v1/jobs')).toHaveLength(1);
  expect(reads[0]?.detail).toMatchObject({ by: 'api:viewer@127.0.0.1', from: '127.0.0.1' });
});

test('a payload is not shown if the look cannot be recorded; numbers are', async () => {
  const { store, access, token, acme } = await api(onTestFinished);
  const full = { ...store, apply: () => Promise.reject(new Error('disk full')) };
  const { call } = await api(onTestFinished, { store: full, access });
  const viewer = await token({ role: 'viewer' });
  expect((await call('GET', `/v1/jobs/${acme}`, { token: viewer })).statusCode).toBe(500);
  expect((await call('GET', '/v1/kill-switches', { token: viewer })).statusCode).toBe(200);
});

test('an act is in the audit log with actor, address and reason; a bulk operation needs a reason', async () => {
  const { call, token, store, acme } = await api(onTestFinished);
  const operator = await token({ role: 'operator' });
  const body = { ids: [acme], reason: 'fixed' };
  expect((await call('POST', '/v1/jobs/retry', { token: operator, body })).statusCode).toBe(200);
  const records = (await store.auditBlocks(0, 1_000)).flatMap((block) => recordsIn(block));
  const [requeue] = records.filter((record) => record.event === 'requeue');
  expect(requeue?.detail).toMatchObject({ by: 'api:operator@127.0.0.1', why: 'fixed' });
  const bulk = { act: 'requeue', ids: [acme] };
  const refused = await call('POST', '/v1/operations', { token: operator, body: bulk });
  expect(refused.json().code).toBe('reason_missing');
});

test('the access file has no token in it, and one that others can read is refused', async () => {
  const { directory } = await api(onTestFinished);
  const path = join(directory, 'own.json');
  const access = new AccessFile(path);
  const token = await access.createToken({ name: 'ann', role: 'viewer', expiresAtMs: 5_000 });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(access.whoHas(token, 4_999)).toMatchObject({ name: 'ann', role: 'viewer' });
  expect(access.whoHas(token, 5_000)).toBeUndefined();
  expect(access.whoHas(`${token.slice(0, -1)}_`, 0)).toBeUndefined();
  const by = { code: access.createCode(0) };
  const keys = access.signIn({ name: 'local', from: '127.0.0.1', by }, 0);
  if (keys === undefined) throw new Error('The code is right.');
  expect(new AccessFile(path).signedIn(keys, 1)).toMatchObject({ role: 'admin' });
  expect(new AccessFile(path).signedIn(keys, 12 * 3_600_000)).toBeUndefined();
  expect(new AccessFile(path).signedIn({ ...keys, key: keys.cookie }, 1)).toBeUndefined();
  const text = readFileSync(path, 'utf8');
  for (const secret of [token.slice(-43), by.code, keys.cookie, keys.key])
    expect(text).not.toContain(secret);
  const open = join(directory, 'open.json');
  writeFileSync(open, '{}', { mode: 0o644 });
  expect(() => new AccessFile(open).hasTokens).toThrow('chmod 600');
});

test('beyond loopback it does not start without a token', async () => {
  const { directory } = await api(onTestFinished);
  const access = new AccessFile(join(directory, 'none.json'));
  const store = memoryStore();
  await expect(startServer({ store, access, address: '0.0.0.0', port: 0 })).rejects.toThrow(
    'there is no token',
  );
});

test('the OpenAPI description has every route, with its role', async () => {
  const { call, token } = await api(onTestFinished);
  const document = (
    await call('GET', '/v1/openapi.json', { token: await token({ role: 'viewer' }) })
  ).json();
  expect(document.openapi).toBe('3.1.0');
  expect(document.paths['/v1/jobs/{id}'].get).toMatchObject({
    'x-role': 'viewer',
    'x-reads': 'payloads',
  });
  expect(
    document.paths['/v1/operations'].post.requestBody.content['application/json'].schema.required,
  ).toEqual(['act', 'reason']);
});

test('a store that hangs: 503 after 10 seconds, also while the look is recorded; nothing more is begun', async () => {
  const { store, access, token, acme, other } = await api(onTestFinished);
  const entered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const goOn = Promise.withResolvers<void>();
  let applied = 0;
  const hanging: FullStore = {
    ...store,
    apply: async (commands) => {
      entered[applied]?.resolve();
      applied += 1;
      await goOn.promise;
      return store.apply(commands);
    },
  };
  const clock = virtualClock();
  const { app, call } = await api(onTestFinished, { store: hanging, access, clock });
  await app.server.ready();
  const operator = await token({ role: 'operator' });
  const body = { ids: [acme, other] };
  const answers = Promise.all([
    call('POST', '/v1/jobs/retry', { token: operator, body }),
    call('GET', `/v1/jobs/${acme}`, { token: operator }),
  ]);
  await Promise.all(entered.map(({ promise }) => promise));
  await clock.advance(10_000);
  const [change, look] = await answers;
  expect([change.statusCode, look.statusCode]).toEqual([503, 503]);
  expect(change.json().detail).toContain('may still be carried out');
  expect(look.json().detail).not.toContain('carried out');
  goOn.resolve();
  await clock.advance(10_000);
  expect(applied).toBe(2);
});

test('an access file that others can read is 500 for a caller, and its path is for the log only', async () => {
  const { directory } = await api(onTestFinished);
  const path = join(directory, 'open.json');
  writeFileSync(path, '{}', { mode: 0o644 });
  const errors: unknown[] = [];
  const { call } = await api(onTestFinished, {
    access: new AccessFile(path),
    onError: (_, error) => errors.push(String(error)),
  });
  const answer = await call('GET', '/v1/jobs', { token: 'any' });
  expect([answer.statusCode, answer.json().code]).toEqual([500, 'internal']);
  expect(answer.body).not.toContain(path);
  expect(errors).toEqual([expect.stringContaining(`chmod 600 ${path}`)]);
});

test('a change takes no input from its address and needs JSON; an address that cannot be decoded is a problem document', async () => {
  const { app, call, token } = await api(onTestFinished);
  const admin = await token({ role: 'admin' });
  const url = '/v1/pauses/pause?scope=queue&name=slow';
  const headers = { host: 'localhost', authorization: `Bearer ${admin}` };
  const bare = await app.server.inject({ method: 'POST', url, headers });
  expect([bare.statusCode, bare.json().code]).toEqual([415, 'not_json']);
  expect((await call('POST', url, { token: admin })).statusCode).toBe(400);
  const bad = await call('GET', '/v1/jobs/%ED%A0%80', { token: admin });
  expect(bad.statusCode).toBe(400);
  expect(bad.headers).toMatchObject({
    'content-type': expect.stringContaining('application/problem+json'),
    'x-content-type-options': 'nosniff',
  });
});

test('at most two heavy reads at once; a place is free again when one has ended', async () => {
  const { store, access, token } = await api(onTestFinished);
  const entered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const goOn = Promise.withResolvers<void>();
  let reads = 0;
  const slow: FullStore = {
    ...store,
    readAudit: async () => {
      entered[reads]?.resolve();
      reads += 1;
      await goOn.promise;
      return store.readAudit();
    },
  };
  const { app, call } = await api(onTestFinished, { store: slow, access });
  await app.server.ready();
  const viewer = await token({ role: 'viewer' });
  const verify = async () => (await call('GET', '/v1/audit/verify', { token: viewer })).statusCode;
  const replay = async () =>
    (await call('GET', '/v1/audit/replay/none', { token: viewer })).statusCode;
  const first = Promise.all([verify(), replay()]);
  await Promise.all(entered.map(({ promise }) => promise));
  expect(await verify()).toBe(429);
  goOn.resolve();
  expect(await first).toEqual([200, 404]);
  for (let n = 0; n < 3; n++) expect([await verify(), await replay()]).toEqual([200, 404]);
});

/** A store with 1,000 blocks whose first long read waits, and that counts the reads. */
async function waiting(store: FullStore) {
  const [sample] = await store.auditBlocks(0, 1);
  if (sample === undefined) throw new Error('The log is empty');
  const entered = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let calls = 0;
  const held = async <T>(read: () => Promise<T>): Promise<T> => {
    calls += 1;
    entered.resolve();
    await goOn.promise;
    return read();
  };
  const slow: FullStore = {
    ...store,
    auditBlocks: async (after, limit) => {
      const length = Math.max(0, Math.min(limit, 1_000 - after));
      const page = Array.from({ length }, (_, n) => ({ ...sample, seq: after + n + 1 }));
      // A look for the newest block reads one at a time.
      return limit === 1 ? page : held(async () => page);
    },
    deadLetters: (...args) => held(() => store.deadLetters(...args)),
    finished: (ids) => held(() => store.finished(ids)),
  };
  return { slow, entered: entered.promise, goOn: goOn.resolve, calls: () => calls };
}

describe.each(['/v1/metrics', '/v1/dead-letters/causes'])('%s', (url) => {
  test('a request of 10 s ends the read', async () => {
    const { store, access, token } = await api(onTestFinished);
    const { slow, entered, goOn, calls } = await waiting(store);
    const clock = virtualClock();
    const { app, call } = await api(onTestFinished, { store: slow, access, clock });
    await app.server.ready();
    const answer = call('GET', url, { token: await token({ role: 'viewer' }) });
    await entered;
    await clock.advance(10_000);
    expect((await answer).statusCode).toBe(503);
    goOn();
    await clock.advance(10_000);
    expect(calls()).toBe(1);
  });

  test('a closed connection ends the read', async () => {
    const { store, access, token } = await api(onTestFinished);
    const { slow, entered, goOn, calls } = await waiting(store);
    const { app } = await api(onTestFinished, { store: slow, access });
    const ended = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    app.server.addHook('onSend', async () => ended.resolve());
    await app.server.ready();
    // Not `listen`, with which a reader of figures begins.
    const server = createServer((request, response) => {
      response.once('close', closed.resolve);
      app.server.routing(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo; // It listens on TCP.
    const left = new AbortController();
    const headers = { authorization: `Bearer ${await token({ role: 'viewer' })}` };
    const asked = fetch(`http://127.0.0.1:${port}${url}`, { headers, signal: left.signal });
    await entered;
    left.abort();
    await expect(asked).rejects.toThrow('aborted');
    await closed.promise;
    goOn();
    await ended.promise;
    expect(calls()).toBe(1);
  });
});

test('the record of a plan has its act and its filter, and no more than 20 ids', async () => {
  const { call, token, store, acme } = await api(onTestFinished);
  const operator = await token({ role: 'operator' });
  const plan = (target: object) =>
    call('POST', '/v1/operations/plan', { token: operator, body: { act: 'requeue', ...target } });
  await plan({ handler: 'resize', reason_code: 'final_error', limit: 7 });
  await plan({ ids: Array.from({ length: 30 }, () => acme) });
  const reads = (await store.auditBlocks(0, 1_000))
    .flatMap((block) => recordsIn(block))
    .filter((record) => record.event === 'read')
    .map((record) => record.detail);
  expect(reads).toMatchObject([
    {
      ...{ command: 'POST /v1/operations/plan', by: 'api:operator@127.0.0.1', act: 'requeue' },
      ...{ handler: 'resize', reason_code: 'final_error', limit: 7 },
    },
    { act: 'requeue', ids: Array(20).fill(acme), of: 30 },
  ]);
});

test('every answer has the id of its request; the log has the id of one that failed, without its filters', async () => {
  const { store, access, token } = await api(onTestFinished);
  const errors: string[] = [];
  const broken = { ...store, jobs: () => Promise.reject(new Error('disk full')) };
  const onError = (message: string, error: unknown) => errors.push(`${message}: ${error}`);
  const { call } = await api(onTestFinished, { store: broken, access, onError });
  const viewer = await token({ role: 'viewer' });
  const fine = await call('GET', '/v1/me', { token: viewer });
  const failed = await call('GET', '/v1/jobs?handler=secret-name', { token: viewer });
  const missing = await call('GET', '/v1/nowhere', { token: viewer });
  const bad = await call('GET', '/v1/jobs/%ED%A0%80', { token: viewer });
  const ids = [fine, failed, missing, bad].map(({ headers }) => String(headers['x-request-id']));
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^req_\d+_\w+$/);
  expect([failed, missing, bad].map((answer) => answer.json().request_id)).toEqual(ids.slice(1));
  expect(errors).toEqual([`The request ${ids[1]} failed (GET /v1/jobs): Error: disk full`]);
});
