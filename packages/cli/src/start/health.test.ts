import { RedriveError } from '@redrive/core';
import { memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { type HealthCheck, startHealthServer } from './health-server.ts';
import { storeCheck } from './store-check.ts';

const NO_TROUBLE = { text: undefined };

async function serve(checks: readonly HealthCheck[]) {
  const server = await startHealthServer(0, checks);
  onTestFinished(() => server.close());
  return (path: string, method = 'GET') =>
    fetch(`http://127.0.0.1:${server.port}${path}`, { method });
}

test('a check that throws is not well; HEAD has no body; nothing else is answered', async () => {
  const fails = () => {
    throw new Error('out of order');
  };
  const ask = await serve([
    { name: 'a', check: () => undefined },
    { name: 'b', check: fails },
  ]);
  const ready = await ask('/readyz?verbose');
  expect([ready.status, await ready.text()]).toEqual([
    503,
    '[+]a ok\n[-]b out of order\nnot ready\n',
  ]);
  expect(ready.headers.get('cache-control')).toBe('no-store');
  const head = await ask('/readyz', 'HEAD');
  expect([head.status, await head.text()]).toEqual([503, '']);
  expect((await ask('/livez', 'POST')).status).toBe(405);
  for (const path of ['/', '//', '//[', '/%', '/livez/..//', '?']) {
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
  }
});

test('many probes are one question to the store, and a fresh answer counts for half a second', async () => {
  const clock = virtualClock();
  let asked = 0;
  let away = false;
  const store = memoryStore();
  const { check } = storeCheck(
    {
      ...store,
      pulse: async (handlers) => {
        asked += 1;
        if (away) throw new RedriveError('store_unavailable', 'gone');
        return store.pulse(handlers);
      },
    },
    clock,
    NO_TROUBLE,
  );
  expect(await Promise.all([check(), check(), check()])).toEqual([undefined, undefined, undefined]);
  away = true;
  expect(await check()).toBeUndefined();
  expect(asked).toBe(1);
  clock.tick(600);
  expect(await check()).toBe('gone');
  expect(asked).toBe(2);
  expect(clock.pendingTimers).toBe(0);
});

test('a store that does not answer is not waited for', async () => {
  const clock = virtualClock();
  const { check } = storeCheck(
    { ...memoryStore(), pulse: () => new Promise(() => {}) },
    clock,
    NO_TROUBLE,
  );
  const answer = check();
  await clock.advance(2_000);
  expect(await answer).toBe('no answer within 2000 ms');
});

test('a store that answers and cannot be written is not well', async () => {
  const clock = virtualClock();
  const locked = { ...memoryStore(), heartbeat: () => new Promise<never>(() => {}) };
  const answer = storeCheck(locked, clock, NO_TROUBLE).check();
  await clock.advance(2_000);
  expect(await answer).toBe('no answer within 2000 ms');
});

test('what the worker has come up against counts, whatever the store answers', async () => {
  const { check } = storeCheck(memoryStore(), virtualClock(), { text: 'disk full' });
  expect(await check()).toBe('disk full');
});
