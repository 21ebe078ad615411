import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RedriveError } from '@redrive/core';
import { type FullStore, jobsOn, memoryStore } from '@redrive/durable';
import { expect, onTestFinished, test } from 'vitest';
import { AccessFile } from './access/access-file.ts';
import { startServer } from './start-server.ts';

/** A worker and a server in one process, as `redrive start --console` runs them. */
async function both(over: (store: FullStore) => FullStore = (store) => store) {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-both-'));
  const store = over(memoryStore());
  const access = new AccessFile(join(directory, 'access.json'));
  const token = await access.createToken({ name: 'ops', role: 'operator', rate: 10_000 });
  const server = await startServer({ store, access, port: 0 });
  const jobs = jobsOn(store, { resize: () => undefined }, { log: 'off' });
  await jobs.start();
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await jobs.stop();
    await server.close();
    rmSync(directory, { recursive: true });
  });
  /** A connection that sends this and never reads. */
  const open = async (text = '') => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined).pause();
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const ask = (path: string, body?: object) =>
    fetch(`${server.url}${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  const runJobs = async (count: number) => {
    const ids = await jobs.enqueueMany('resize', Array(count).fill(null));
    await jobs.idle();
    return ids;
  };
  return { store, jobs, token, open, ask, runJobs, url: server.url };
}

const many = <T>(count: number, make: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)));

async function succeeded(store: FullStore): Promise<number> {
  const { groups } = await store.counts();
  const all = groups.filter(({ state }) => state === 'succeeded');
  return all.reduce((sum, { count }) => sum + count, 0);
}

test('1,000 idle connections: the worker runs its jobs, others are answered, and the server closes them', {
  timeout: 120_000,
}, async () => {
  const { store, open, ask, runJobs } = await both();
  const idle = await many(1_000, () => open());
  await runJobs(500);
  expect(await succeeded(store)).toBe(500);
  expect((await ask('/v1/status')).status).toBe(200);
  await Promise.all(idle.map((socket) => once(socket.resume(), 'close')));
});

test('slow clients: the worker runs its jobs, and requests that do not end are closed', {
  timeout: 120_000,
}, async () => {
  const { store, token, open, ask, runJobs } = await both();
  const host = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  const json = `${host}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"jobs"`;
  const heads = await many(50, () => open(`GET /v1/jobs HTTP/1.1\r\nHost: loc`));
  const bodies = await many(50, () => open(`POST /v1/jobs HTTP/1.1\r\n${json}`));
  const streams = await many(50, () => open(`GET /v1/changes HTTP/1.1\r\n${host}\r\n`));
  for (let round = 1; round <= 10; round += 1) {
    await runJobs(200);
    expect(await succeeded(store)).toBe(round * 200);
  }
  expect((await ask('/v1/status')).status).toBe(200);
  await Promise.all([...heads, ...bodies].map((socket) => once(socket.resume(), 'close')));
  for (const stream of streams) stream.destroy();
});

test('a full disk: looks without payloads are answered, changes are refused, and the worker goes on afterwards', {
  timeout: 120_000,
}, async () => {
  let isFull = false;
  const { store, ask, runJobs } = await both((own) => ({
    ...own,
    apply: (commands) =>
      isFull
        ? Promise.reject(new RedriveError('store_unavailable', 'database or disk is full'))
        : own.apply(commands),
  }));
  const [first] = await runJobs(1);
  isFull = true;
  const job = { jobs: [{ handler: 'resize', payload: null }] };
  const answers = await Promise.all([
    ask('/v1/status'),
    ask('/v1/workers'),
    ask('/v1/jobs', job),
    ask(`/v1/jobs/${first?.id}`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 503, 503]);
  expect(await answers[2]?.json()).toMatchObject({ code: 'store_unavailable' });
  isFull = false;
  expect((await ask('/v1/jobs', job)).status).toBe(200);
  await runJobs(1);
  expect(await succeeded(store)).toBe(3);
});
