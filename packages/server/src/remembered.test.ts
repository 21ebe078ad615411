import { jobsOn, runsElsewhere } from '@redrive/durable';
import { engageKill } from '@redrive/durable/control';
import { expect, onTestFinished, test } from 'vitest';
import { remembered } from './remembered.ts';
import { ROUTES } from './routes/index.ts';
import { startServer } from './start-server.ts';
import { api } from './testing/api.ts';

const POLLED = ROUTES.filter(({ polled }) => polled).map(({ path }) =>
  path.replace(':id', 'book-7'),
);

/** A server that counts what its routes read. */
async function counting() {
  const made = await api(onTestFinished);
  const jobs = jobsOn(made.store, { page: runsElsewhere<number>() }, { log: 'off' });
  await jobs.enqueueBatch('page', [1, 2], { id: 'book-7' });
  let reads = 0;
  const counted = <T>(of: T): T => {
    reads += 1;
    return of;
  };
  const store = new Proxy(made.store, {
    // Looks are recorded each time.
    get: (target, name) =>
      name === 'apply' ? target.apply : counted(Reflect.get(target, name, target)),
  });
  const { call, clock } = await api(onTestFinished, {
    store,
    access: made.access,
    sweeps: async () => counted([made.sweep]),
    doctor: async () =>
      counted({
        ...{ store: 'memory', ok: true, jobs_read: 0, put_back: [], checks: [], findings: [] },
      }),
  });
  return { call, clock, token: made.token, reads: () => reads };
}

test.each(POLLED)(
  'three polls of %s are one read; again after five seconds, and after a change',
  async (url) => {
    const { call, clock, token, reads } = await counting();
    const poll = async (role: 'viewer' | 'operator' | 'admin') => {
      const before = reads();
      expect((await call('GET', url, { token: await token({ role }) })).statusCode).toBe(200);
      return reads() - before;
    };
    const once = await poll('viewer');
    expect(once).toBeGreaterThan(0);
    expect([await poll('operator'), await poll('admin')]).toEqual([0, 0]);
    await clock.advance(5_000);
    expect(await poll('operator')).toBe(once);
    const body = { scope: 'queue', name: 'slow' };
    await call('POST', '/v1/pauses/pause', { token: await token({ role: 'operator' }), body });
    expect(await poll('viewer')).toBe(once);
  },
);

test('the number of dead letters is read once for all pages of a list', async () => {
  const { call, token, reads } = await counting();
  const viewer = await token({ role: 'viewer' });
  const page = async (query: string) => {
    const before = reads();
    const { total } = (await call('GET', `/v1/dead-letters?${query}`, { token: viewer })).json();
    return [total.count, reads() - before];
  };
  expect(await page('limit=1')).toEqual([2, 2]);
  expect(await page('limit=2')).toEqual([2, 1]);
  expect(await page('limit=2&tenant=acme')).toEqual([1, 2]);
});

test('an answer is not kept after an act of somebody else, such as a command', async () => {
  const { store, access, token } = await api(onTestFinished);
  const server = await startServer({ store, access, port: 0 });
  onTestFinished(() => server.close());
  const headers = { authorization: `Bearer ${await token({ role: 'viewer' })}` };
  const stream = await fetch(`${server.url}/v1/changes`, { headers });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const engaged = async () =>
    (
      (await (await fetch(`${server.url}/v1/kill-switches`, { headers })).json()) as {
        engaged: unknown[];
      }
    ).engaged.length;
  expect(await engaged()).toBe(0);
  await engageKill(store, { scope: 'queue', name: 'slow', actor: { name: 'cli:ann' } });
  let text = '';
  while (!text.includes('"control"')) text += (await reader?.read())?.value ?? '';
  expect(await engaged()).toBe(1);
});

test('at most 500 answers are kept: the oldest are dropped', async () => {
  const { store } = await api(onTestFinished);
  let reads = 0;
  const ask = (key: number) => remembered(store, `${key}`, 0, async () => (reads += 1));
  for (let key = 0; key < 501; key += 1) await ask(key);
  await ask(500);
  await ask(1);
  expect(reads).toBe(501);
  await ask(0);
  expect(reads).toBe(502);
});
