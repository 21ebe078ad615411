import { parseConfig } from '@redrive/config';
import { jobsOn } from '@redrive/durable';
import { expect, onTestFinished, test } from 'vitest';
import { api } from '../testing/api.ts';

const JOB = { handler: 'resize', payload: { image: 1 } };

test.each(['replace', 'existing', 'refuse'] as const)(
  'a unique key belongs to the tenant of the token: %s',
  async (on_conflict) => {
    const { call, token, store } = await api(onTestFinished);
    const enqueue = async (tenant: string, image: number) => {
      const job = { handler: 'resize', payload: { image }, unique_key: 'invoice-7', on_conflict };
      const by = await token({ role: 'operator', tenant });
      return call('POST', '/v1/jobs', { token: by, body: { jobs: [job] } });
    };
    const theirs = (await enqueue('other', 1)).json().jobs[0].id;
    const own = await enqueue('acme', 2);
    expect([own.statusCode, own.json().jobs[0].outcome]).toEqual([200, 'created']);
    expect(own.body).not.toContain(theirs);
    expect(await store.job(theirs)).toMatchObject({
      tenant: 'other',
      payload: { text: '{"image":1}' },
    });
    // Inside the tenant the key works as ever.
    const again = await enqueue('acme', 3);
    const expected = on_conflict === 'refuse' ? 409 : 200;
    expect(again.statusCode).toBe(expected);
    if (expected === 200) expect(again.json().jobs[0].id).toBe(own.json().jobs[0].id);
  },
);

test('two tenants have no unique key in common, whatever their names', async () => {
  const { call, access } = await api(onTestFinished);
  for (const [tenant, unique_key] of [
    ['a', 'b/c'],
    ['a/b', 'c'],
  ] as const) {
    const body = { jobs: [{ ...JOB, unique_key, on_conflict: 'refuse' }] };
    const name = `keys-of-${unique_key.length}`;
    const by = await access.createToken({ name, role: 'operator', tenant });
    expect((await call('POST', '/v1/jobs', { token: by, body })).statusCode).toBe(200);
  }
});

test('an id is never run again, is of its tenant, and belongs to one piece of work', async () => {
  const { call, token } = await api(onTestFinished);
  const enqueue = async (tenant: string, more: object) => {
    const by = await token({ role: 'operator', tenant });
    return call('POST', '/v1/jobs', { token: by, body: { jobs: [{ ...JOB, ...more }] } });
  };
  for (const outcome of ['created', 'existing']) {
    for (const tenant of ['acme', 'other']) {
      const { jobs } = (await enqueue(tenant, { id: 'image-7' })).json();
      const id = `id:${tenant}:image-7`;
      const about = { handler: 'resize', queue: 'default', problem: null };
      expect(jobs).toEqual([{ ...about, id, outcome }]);
    }
  }
  const other = await enqueue('acme', { id: 'image-7', payload: { image: 2 } });
  expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_conflict']);
});

test('a unique key counts for a time, also after the job', async () => {
  const { call, token } = await api(onTestFinished);
  const operator = await token({ role: 'operator', tenant: 'acme' });
  const ask = (path: string, body: object) => call('POST', path, { token: operator, body });
  const job = { ...JOB, unique_key: 'slot', unique_for_ms: 3_600_000 };
  const [{ id }] = (await ask('/v1/jobs', { jobs: [job] })).json().jobs;
  await ask('/v1/jobs/cancel', { ids: [id] });
  const again = (await ask('/v1/jobs', { jobs: [job] })).json();
  expect(again.jobs).toMatchObject([{ id, handler: 'resize', outcome: 'existing' }]);
  for (const wrong of [{ unique_for_ms: 1 }, { unique_key: 'k', unique_for_ms: 1e15 }]) {
    expect((await ask('/v1/jobs', { jobs: [{ ...JOB, ...wrong }] })).statusCode).toBe(400);
  }
});

test('a batch with a refusal answers 200 with an outcome per job, and its repetition stores nothing', async () => {
  const { call, token, store } = await api(onTestFinished);
  const operator = await token({ role: 'operator' });
  const held = { ...JOB, unique_key: 'invoice-7', on_conflict: 'refuse' };
  const headers = { 'idempotency-key': 'batch-1' };
  const ask = (jobs: readonly object[], more = {}) =>
    call('POST', '/v1/jobs', { token: operator, body: { jobs }, ...more });
  const [first] = (await ask([held])).json().jobs;
  const batch = await ask([JOB, held, JOB], { headers });
  expect(batch.statusCode).toBe(200);
  const outcomes = batch.json().jobs.map(({ outcome }: { outcome: string }) => outcome);
  expect(outcomes).toEqual(['created', 'unique_conflict', 'created']);
  expect(batch.json().jobs[1].id).toBe(first.id);
  expect((await ask([JOB, held, JOB], { headers })).json()).toEqual(batch.json());
  const { jobs } = await store.jobs({ states: ['ready'] }, { limit: 10 });
  expect(jobs).toHaveLength(3);
  const refused = await ask([held]);
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'unique_conflict']);
});

test('a wrong payload refuses the whole list, or is an outcome beside the others', async () => {
  const { call, token, store } = await api(onTestFinished);
  const operator = await token({ role: 'operator' });
  const texts = ['{"image":1}', '{image}', '[12345678901234567890]'];
  const jobs = texts.map((payload_text) => ({ handler: 'resize', payload_text }));
  const ask = (more: object, headers = {}) =>
    call('POST', '/v1/jobs', { token: operator, body: { jobs, ...more }, headers });
  const before = (await store.jobs({}, { limit: 100 })).jobs.length;
  const refused = await ask({});
  expect(refused.statusCode).toBe(400);
  expect(refused.json().problems).toMatchObject([{ field: 'jobs.1.payload_text' }]);
  const key = { 'idempotency-key': 'lines' };
  const planned = await ask({ skip_invalid: true, dry_run: true }, key);
  expect(planned.json().jobs[0]).toMatchObject({ id: null, outcome: 'would_be_created' });
  expect((await store.jobs({}, { limit: 100 })).jobs).toHaveLength(before);
  const sent = await ask({ skip_invalid: true }, key);
  expect(sent.json().jobs).toMatchObject([
    { outcome: 'created', problem: null },
    { id: null, outcome: 'invalid', problem: expect.stringContaining('JSON') },
    { outcome: 'invalid', problem: expect.stringContaining('would lose digits') },
  ]);
  expect((await ask({ skip_invalid: true }, key)).json()).toEqual(sent.json());
  expect((await store.jobs({}, { limit: 100 })).jobs).toHaveLength(before + 1);
});

test.each([
  'escalation.notify',
  'escalation.look',
  'sweeps.run',
  'changes.follow',
  'events.publish',
  'events.publish_dead_letters',
  'documents.orders',
])("Redrive's own handler %s is refused for all, and nothing is stored", async (handler) => {
  const { call, token, store } = await api(onTestFinished);
  for (const wish of [{ role: 'operator', tenant: 'acme' }, { role: 'admin' }] as const) {
    const body = { jobs: [JOB, { handler, payload: {} }] };
    const answer = await call('POST', '/v1/jobs', { token: await token(wish), body });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'not_allowed']);
  }
  const { jobs } = await store.jobs({ states: ['ready'] }, { limit: 10 });
  expect(jobs).toEqual([]);
});

test.each(['/v1/jobs/retry', '/v1/jobs/cancel', '/v1/operations', '/v1/operations/plan'])(
  "%s: another tenant's job is answered like a job that does not exist",
  async (url) => {
    const { call, token, other } = await api(onTestFinished);
    const own = await token({ role: 'operator', tenant: 'acme' });
    const answers = [other, 'job-of-nobody'].map(async (id) => {
      const ids = [id];
      const body = url.startsWith('/v1/jobs') ? { ids } : { act: 'requeue', ids };
      const reason = url === '/v1/operations' ? { reason: 'x' } : {};
      const answer = await call('POST', url, { token: own, body: { ...body, ...reason } });
      return [answer.statusCode, { ...answer.json(), request_id: '' }];
    });
    const [foreign, missing] = await Promise.all(answers);
    expect(foreign?.[0]).toBe(404);
    expect(foreign).toEqual(missing);
  },
);

test("same_cause counts the letters of the token's tenant", async () => {
  const { call, token, acme } = await api(onTestFinished);
  const countFor = async (tenant?: string) => {
    const by = await token({ role: 'viewer', ...(tenant === undefined ? {} : { tenant }) });
    return (await call('GET', `/v1/dead-letters/${acme}`, { token: by })).json().same_cause.count;
  };
  expect(await countFor('acme')).toBe(1);
  expect(await countFor()).toBe(2);
});

test('a tenant steers its own bulk operation by ids; another tenant does not find it', async () => {
  const { call, token, acme } = await api(onTestFinished);
  const own = await token({ role: 'operator', tenant: 'acme' });
  const body = { id: 'op-1', act: 'requeue', ids: [acme], reason: 'fixed' };
  expect((await call('POST', '/v1/operations', { token: own, body })).statusCode).toBe(200);
  expect((await call('GET', '/v1/operations/op-1', { token: own })).statusCode).toBe(200);
  const paused = await call('POST', '/v1/operations/op-1/pause', { token: own });
  expect([paused.statusCode, paused.json().state]).toEqual([200, 'paused']);
  // The same submission again finds it.
  expect((await call('POST', '/v1/operations', { token: own, body })).statusCode).toBe(200);
  const foreign = await token({ role: 'operator', tenant: 'other' });
  expect((await call('GET', '/v1/operations/op-1', { token: foreign })).statusCode).toBe(404);
});

test('a payload may have the keys constructor and prototype', async () => {
  const { call, token, store } = await api(onTestFinished);
  const payload = { constructor: 'ACME', prototype: { version: 2 } };
  const body = { jobs: [{ handler: 'resize', payload }] };
  const answer = await call('POST', '/v1/jobs', { token: await token({ role: 'operator' }), body });
  expect(answer.statusCode).toBe(200);
  const stored = await store.job(answer.json().jobs[0].id);
  expect(stored?.payload).toMatchObject({ text: JSON.stringify(payload) });
});

test.each(['jobs?handler=', 'jobs?tenant=', 'jobs?after=', 'jobs/', 'dead-letters?text='])(
  'the character NUL, which a database refuses, is refused in /v1/%s',
  async (path) => {
    const { call, token } = await api(onTestFinished);
    const answer = await call('GET', `/v1/${path}a%00b`, {
      token: await token({ role: 'viewer' }),
    });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_input']);
  },
);

test('jobs of a handler that no worker, no job and no configuration names are refused, unless they run elsewhere', async () => {
  const { call, token, store, config } = await apiWithHandlers();
  const operator = await token({ role: 'operator' });
  const enqueue = (handler: string, more = {}) => {
    const body = {
      jobs: [
        { handler: 'resize', payload: 1 },
        { handler, payload: 1 },
      ],
      ...more,
    };
    return call('POST', '/v1/jobs', { token: operator, body });
  };
  const count = async () => (await store.jobs({}, { limit: 100 })).jobs.length;
  const before = await count();
  const refused = await enqueue('reszie');
  expect([refused.statusCode, refused.json().code]).toEqual([404, 'unknown_handler']);
  expect(refused.json().hint).toContain('runs_elsewhere');
  expect(await count()).toBe(before);
  // Named by the configuration, by a live worker, and by a job.
  expect(config.handler).toBe('configured');
  for (const known of ['configured', 'of-worker', 'resize']) {
    expect([known, (await enqueue(known)).statusCode]).toEqual([known, 200]);
  }
  expect((await enqueue('elsewhere', { runs_elsewhere: true })).statusCode).toBe(200);
  // Its jobs name it now.
  expect((await enqueue('elsewhere')).statusCode).toBe(200);
  for (const hostile of ['__proto__', 'constructor', 'toString']) {
    expect([hostile, (await enqueue(hostile)).statusCode]).toEqual([hostile, 404]);
  }
});

async function apiWithHandlers() {
  const text = `version: "1.1.0"
jobs: { handlers: { configured: { command: ["true"] } } }`;
  const { config } = parseConfig(text);
  if (config === undefined) throw new Error('The configuration is valid.');
  const all = await api(onTestFinished, { config: () => config });
  const { store, clock } = all;
  const worker = jobsOn(store, { 'of-worker': () => undefined }, { log: 'off', clock });
  await worker.start();
  onTestFinished(() => worker.stop());
  await clock.advance(1_000);
  return { ...all, config: { handler: 'configured' } };
}
