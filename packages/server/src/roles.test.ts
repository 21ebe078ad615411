import { hostname } from 'node:os';
import { join } from 'node:path';
import { pauseOperation } from '@redrive/durable/control';
import { atLeast, ROLES } from '@redrive/operate/manifest';
import type { VirtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { createApp } from './app.ts';
import { type AnyRoute, route } from './route.ts';
import { ROUTES } from './routes/index.ts';
import { api } from './testing/api.ts';
import { withStates } from './testing/states.ts';

/** Input with which each route that changes something is accepted. Lists and looks need none. */
const BODIES: Readonly<Record<string, (id: string, cause: string) => object>> = {
  '/v1/jobs': () => ({ jobs: [{ handler: 'resize', payload: { image: 1 } }] }),
  '/v1/jobs/cancel': (id) => ({ ids: [id] }),
  '/v1/jobs/retry': (id) => ({ ids: [id] }),
  '/v1/dead-letters/:id/edit': () => ({ generation: 1, payload: { image: 2 } }),
  '/v1/causes/merge': (_, cause) => ({ causes: [cause], into: 'images' }),
  '/v1/causes/split': (_, cause) => ({ cause, by: 'handler' }),
  '/v1/causes/rename': (_, cause) => ({ cause, title: 'No such image' }),
  '/v1/causes/remove-rule': () => ({ name: 'pages' }),
  '/v1/operations/plan': (id) => ({ act: 'requeue', ids: [id] }),
  '/v1/operations': (id) => ({ act: 'requeue', ids: [id] }),
  '/v1/operations/:id/rate': () => ({ rate: 5 }),
  '/v1/kill-switches/engage': () => ({ scope: 'queue', name: 'slow' }),
  '/v1/kill-switches/release': () => ({ scope: 'queue', name: 'stopped' }),
  '/v1/pauses/pause': () => ({ scope: 'queue', name: 'slow' }),
  '/v1/pauses/resume': () => ({ scope: 'queue', name: 'slow' }),
  '/v1/breakers/:dependency/force': () => ({ state: 'open', for_ms: 60_000 }),
  '/v1/gates/release': () => ({ dependency: 'search' }),
  '/v1/limits/set': () => ({ name: 'handler:mail/all/1000ms', limit: 5 }),
  '/v1/parks/release': () => ({ cause: 'breaker:bank' }),
  '/v1/parks/hold': () => ({ cause: 'breaker:bank' }),
  '/v1/parks/end-hold': () => ({ cause: 'breaker:bank' }),
  '/v1/escalations/:key/snooze': () => ({ for_ms: 60_000 }),
  '/v1/escalations/:key/assign': () => ({ owner: 'payments' }),
  '/v1/escalations/:key/decide': () => ({ decision: 'requeue' }),
  '/v1/config/validate': () => ({ text: 'version: "1.1.0"' }),
  '/v1/stuck/:collection/release': () => ({ ids: ['a-17'] }),
  '/v1/documents/:collection/reset': () => ({ ids: ['a-19'] }),
  '/v1/documents/:collection/archive': () => ({ all: true }),
  '/v1/documents/:collection/purge': () => ({ ids: ['a-19'], confirm: 'archives' }),
  '/v1/sweeps/:collection/schedule': () => ({ id: 'a-17' }),
  '/v1/tokens': () => ({ role: 'viewer', dry_run: true }),
  '/v1/tokens/revoke': () => ({ token: 'admin', dry_run: true }),
  '/v1/sign-ins/revoke': () => ({ sign_in: 'local', dry_run: true }),
  '/v1/sign-in': () => ({ code: 'wrong' }),
  '/v1/downloads': () => ({ path: '/v1/jobs' }),
};

const named = (all: readonly AnyRoute[]) =>
  all.map((each) => [`${each.method} ${each.path}`, each] as const);

/** Streams go on for a quarter of an hour. */
async function ended<T>(clock: VirtualClock, answer: Promise<T>): Promise<T> {
  let isDone = false;
  const done = answer.finally(() => {
    isDone = true;
  });
  while (!isDone) await clock.advance(60_000);
  return done;
}

/** A server with data, and one route of it, asked with a token. */
async function asking(one: AnyRoute) {
  const { call, token, acme, store, clock, access } = await api(onTestFinished);
  await withStates(store);
  if (one.path === '/v1/sign-ins/revoke') {
    const by = { code: access.createCode(clock.now()) };
    access.signIn({ name: 'local', from: '127.0.0.1', by }, clock.now());
  }
  const [group] = (await store.deadGroups({}, { limit: 1 })).groups;
  const cause = group?.fingerprint ?? '';
  const id = PATH_IDS.find(([path]) => one.path.startsWith(path))?.[1] ?? acme;
  const url = `${one.path}${QUERIES[one.path] ?? ''}`
    .replace(':id', id)
    .replace(':collection', 'archives')
    .replace(':dependency', 'bank')
    .replace(':name', 'nightly')
    .replace(':policy', 'events.default')
    .replace(':key', cause);
  const body = {
    ...BODIES[one.path]?.(acme, cause),
    ...(one.method === 'POST' && one.path !== '/v1/sign-in' && { reason: 'test' }),
  };
  if (one.path === '/v1/operations/:id/resume') {
    await pauseOperation(store, { id, actor: { name: 'test' } });
  }
  const ask = async (given?: string) => {
    const answer = call(one.method, url, {
      body,
      ...(given === undefined ? {} : { token: given }),
    });
    const lasts = one.endless || one.stream === 'text/event-stream';
    return lasts ? ended(clock, answer) : answer;
  };
  return { ask, token, acme };
}

const PATH_IDS = [
  ['/v1/operations/', 'op-1'],
  ['/v1/batches/', 'b-1'],
  ['/v1/stuck/', 'a-17'],
] as const;

/** Parameters of looks that have no default. */
const QUERIES: Readonly<Record<string, string>> = {
  '/v1/policies/diff': '?a=KV_GET&b=NATS_CONNECT',
  '/v1/policies/plot': '?names=KV_GET,NATS_CONNECT',
};

test.each(named(ROUTES))('%s: nobody, viewer, operator, admin, other tenant', async (_, one) => {
  const { ask, token, acme } = await asking(one);
  if (one.role === 'public') {
    // A wrong code signs nobody in.
    expect((await ask()).statusCode).toBe(one.method === 'GET' ? 200 : 401);
    return;
  }
  expect((await ask()).statusCode).toBe(401);
  const foreign = await ask(await token({ role: 'admin', tenant: 'other' }));
  if (one.tenants !== true) expect(foreign.statusCode).toBe(403);
  // It never gets anything of another tenant.
  // Policies belong to no tenant.
  else if (one.path.includes(':') && !one.path.startsWith('/v1/policies/'))
    expect(foreign.statusCode).toBe(404);
  else expect(foreign.body).not.toContain(acme);
  for (const role of ROLES) {
    // Each on data that nobody has changed yet.
    const fresh = await asking(one);
    const { statusCode, body } = await fresh.ask(await token({ role }));
    const expected = atLeast({ role }, one.role) ? 200 : 403;
    expect([role, statusCode], body).toEqual([role, expected]);
  }
});

test('every route that changes something, and needs an input, has it here, so that it is tested', () => {
  const needsInput = ({ path, input }: AnyRoute) => {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'x']);
    return !input.safeParse(Object.fromEntries(names)).success;
  };
  const missing = ROUTES.filter(
    (each) => each.method === 'POST' && !(each.path in BODIES) && needsInput(each),
  ).map(({ path }) => path);
  expect(missing).toEqual([]);
});

test('a route without a role does not register', async () => {
  const { store, access } = await api(onTestFinished);
  const planted = route({
    at: 'GET /v1/planted',
    summary: 'planted',
    role: 'viewer',
    input: z.strictObject({}),
    answer: z.looseObject({}),
    handle: async () => ({}),
  });
  const { role: _role, ...without } = planted;
  // As JavaScript could write it.
  const routes = [...ROUTES, without as AnyRoute];
  expect(() => createApp({ store, access, routes })).toThrow('GET /v1/planted has no role');
});

/** How many pairs of method and path the server answers to. HEAD comes with each GET. */
function served({ app }: Awaited<ReturnType<typeof api>>): number {
  const printed = app.server.printRoutes({ commonPrefix: false });
  return [...printed.matchAll(/\(([A-Z, ]+)\)/g)]
    .flatMap(([, methods = '']) => methods.split(', '))
    .filter((method) => method !== 'HEAD').length;
}

test.each(['GET', 'POST', 'DELETE'] as const)(
  'a planted unlisted route fails: the server has the routes of the list and no other (%s)',
  async (method) => {
    const place = await api(onTestFinished);
    const { server } = place.app;
    const missing = ROUTES.filter(
      (each) => !server.hasRoute({ method: each.method, url: each.path }),
    );
    expect(missing).toEqual([]);
    expect(served(place)).toBe(ROUTES.length);
    server.route({ method, url: '/v1/planted', handler: async () => ({}) });
    expect(served(place)).toBe(ROUTES.length + 1);
  },
);

test('payloads: redacted for viewers and operators, in full for admins', async () => {
  const { call, token, acme } = await api(onTestFinished);
  for (const path of [`/v1/jobs/${acme}`, `/v1/dead-letters/${acme}`, '/v1/dead-letters/export']) {
    const viewer = await token({ role: 'viewer' });
    expect((await call('GET', path, { token: viewer })).body).not.toContain('hunter2');
    expect((await call('GET', `${path}?payload=full`, { token: viewer })).statusCode).toBe(403);
    const operator = await token({ role: 'operator' });
    expect((await call('GET', `${path}?payload=full`, { token: operator })).statusCode).toBe(403);
    const full = await call('GET', `${path}?payload=full`, {
      token: await token({ role: 'admin' }),
    });
    expect(full.body).toContain('hunter2');
  }
});

test('a purge, and a breaker without an end, are for admins', async () => {
  const { call, token, acme, store } = await api(onTestFinished);
  const operator = await token({ role: 'operator' });
  const purge = { act: 'purge', ids: [acme], reason: 'x' };
  expect((await call('POST', '/v1/operations', { token: operator, body: purge })).statusCode).toBe(
    403,
  );
  const force = { state: 'open' };
  const url = '/v1/breakers/bank/force';
  expect((await call('POST', url, { token: operator, body: force })).statusCode).toBe(403);
  expect((await store.job(acme))?.state).toBe('dead');
  const admin = await token({ role: 'admin' });
  expect((await call('POST', url, { token: admin, body: force })).statusCode).toBe(200);
});

test('bulk acts over mixed tenants change nothing', async () => {
  const { call, token, acme, other, store } = await api(onTestFinished);
  const own = await token({ role: 'admin', tenant: 'acme' });
  const ids = [acme, other];
  for (const [url, body] of [
    ['/v1/jobs/retry', { ids }],
    ['/v1/jobs/cancel', { ids }],
    ['/v1/operations', { act: 'requeue', ids, reason: 'x' }],
    ['/v1/operations/plan', { act: 'requeue', ids }],
  ] as const) {
    expect((await call('POST', url, { token: own, body })).statusCode).toBe(404);
  }
  expect((await store.job(acme))?.state).toBe('dead');
  expect((await store.job(other))?.state).toBe('dead');
  const { statusCode, body } = await call('GET', '/v1/dead-letters', { token: own });
  expect([statusCode, body.includes(acme), body.includes(other)]).toEqual([200, true, false]);
  expect((await call('GET', `/v1/jobs/${other}`, { token: own })).statusCode).toBe(404);
});

const PAGE = join(import.meta.dirname, '../../../docs/reference/answers.md');
const ANSWERS_INTRODUCTION = `# Answers

<!-- Made from answers of the server to an admin, in roles.test.ts. -->

An answer of each action, as \`redrive … --json\`, the HTTP API and [the client](api/client.md) give it. Of a list only the first entry is shown, and ids, hashes and times are replaced. The meaning of each field is in [the routes](http-api.md) and in [the commands](command-line.md).
`;

test('docs/reference/answers.md has an answer of every action; -u writes it', async () => {
  const sections = [ANSWERS_INTRODUCTION];
  for (const one of ROUTES) {
    const [group, verb] = one.name?.split('.') ?? [];
    if (verb === undefined) continue;
    const { ask, token } = await asking(one);
    const { statusCode, body } = await ask(await token({ role: 'admin' }));
    expect([one.name, statusCode]).toEqual([one.name, 200]);
    // Of a stream it is an item.
    const text = one.stream === undefined ? body : (body.split('\n')[0] ?? '');
    const shown = JSON.stringify(shortened(JSON.parse(text)), null, 2);
    const head = `\`${one.method} ${one.path}\`, role ${one.role}: ${one.summary}.`;
    sections.push(`## ${group}.${verb}\n\n${head}\n\n\`\`\`json\n${shown}\n\`\`\`\n`);
  }
  expect(sections.length).toBeGreaterThan(60);
  await expect(sections.join('\n')).toMatchFileSnapshot(PAGE);
}, 120_000);

const LONGEST = 200;

/** A value that is the same in every run, and short enough for a page. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    const same = value
      .replaceAll(new RegExp(`${hostname()}-\\d+(-[0-9a-z]+)?`, 'g'), 'worker-1')
      .replaceAll(/\bop_\d+_[0-9a-z]+/g, 'op_1801382402000_example')
      .replaceAll(/\b0[a-z0-9]{19}\b/g, '01mexample0000000001')
      .replaceAll(/\b[0-9a-f]{12}\b/g, '0a1b2c3d4e5f')
      .replaceAll(/\b[0-9a-f]{32,}\b/g, (hash) => hash.replaceAll(/./g, '0'))
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2027-01-31T08:00:00.000Z');
    return same.length > LONGEST ? `${same.slice(0, LONGEST)}…` : same;
  }
  if (typeof value === 'number' && `${value}`.length > 14) return 0.5; // It was drawn.
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]));
}
