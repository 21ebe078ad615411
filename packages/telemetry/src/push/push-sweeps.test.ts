import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStore } from '@redrive/durable';
import { runSweeps } from '@redrive/durable/documents';
import { virtualClock } from '@redrive/testkit';
import { leakedSecrets, PLANTED_SECRETS } from '@redrive/testkit/conformance/secrets';
import { expect, onTestFinished, test } from 'vitest';
import { pushSweeps } from './push-sweeps.ts';

interface Pushed {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A server that keeps what is pushed. */
async function gateway(answer: (response: ServerResponse) => void = (response) => response.end()) {
  const pushed: Pushed[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const { method, url: path, headers } = request;
      pushed.push({ method, path, authorization: headers.authorization, body });
      answer(response);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return { pushed, host: `127.0.0.1:${port}` };
}

async function sweptStore() {
  const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
  const store = memoryStore({ clock });
  const parts = { store, clock, actor: { name: 'sweep' }, notify: () => {}, intervalMs: 900_000 };
  await runSweeps({ ...parts, sweeps: [] });
  await runSweeps({ ...parts, sweeps: [] });
  return { clock, store };
}

test('the numbers of all sweeps replace a group, with the time of the last success', async () => {
  const { pushed, host } = await gateway();
  const { store } = await sweptStore();
  expect(await pushSweeps(store, { url: `http://${host}/` })).toBeUndefined();
  expect(pushed).toHaveLength(1);
  expect(pushed[0]).toMatchObject({ method: 'PUT', path: '/metrics/job/retry-job' });
  const lines = pushed[0]?.body.split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'retry_job_runs_total{status="success"} 2',
      'retry_job_runs_total{status="failure"} 0',
      'retry_job_duration_seconds_count 2',
      `retry_job_last_success_timestamp_seconds ${Date.parse('2026-01-29T12:00:00Z') / 1_000}`,
    ]),
  );
  expect(lines?.filter((line) => !/^(# \w+ )?(retry_job_|$)/.test(line))).toEqual([]);
});

test('a path, credentials, and a job with a slash', async () => {
  const { pushed, host } = await gateway();
  const { store } = await sweptStore();
  const url = `http://bob:a%20b@${host}/push/`;
  expect(await pushSweeps(store, { url, job: 'team/sweep' })).toBeUndefined();
  expect(pushed[0]).toMatchObject({
    path: `/push/metrics/job@base64/${Buffer.from('team/sweep').toString('base64url')}`,
    authorization: `Basic ${Buffer.from('bob:a b').toString('base64')}`,
  });
});

test('a refusal, a redirect, a closed port and a bad address are problems, without secrets', async () => {
  const { store } = await sweptStore();
  const refusing = await gateway((response) => response.writeHead(400).end('help differs\n'));
  expect(await pushSweeps(store, { url: `http://${refusing.host}` })).toBe(
    `http://${refusing.host} answered 400: help differs`,
  );
  const moved = await gateway((response) =>
    response.writeHead(307, { location: `http://${refusing.host}` }).end(),
  );
  expect(await pushSweeps(store, { url: `http://${moved.host}` })).toMatch(/redirect/);
  expect(refusing.pushed).toHaveLength(1);
  const closed = 'http://me:closedHunter9@127.0.0.1:1';
  expect(await pushSweeps(store, { url: closed })).toMatch(/^fetch failed: (?!.*Hunter)/);
  expect(await pushSweeps(store, { url: 'not an address' })).toMatch(/Invalid URL/);
  for (const { secret, text } of PLANTED_SECRETS) {
    const url = text(secret).replaceAll('\n', ' ');
    expect(leakedSecrets(String(await pushSweeps(store, { url })))).toEqual([]);
  }
});

test('a Pushgateway or a store that does not answer is given up after the timeout', async () => {
  const { store, clock } = await sweptStore();
  const asked = Promise.withResolvers<void>();
  const silent = await gateway(() => asked.resolve());
  const pushing = pushSweeps(store, { url: `http://${silent.host}`, clock });
  await asked.promise;
  await clock.advance(5_000);
  expect(await pushing).toBe('No answer within 5000 ms');
  const hanging = { controls: () => new Promise<never>(() => {}) };
  const waiting = pushSweeps(hanging, { url: `http://${silent.host}`, clock, timeoutMs: 700 });
  await clock.advance(700);
  expect(await waiting).toBe('No answer within 700 ms');
  expect(clock.pendingTimers).toBe(0);
});
