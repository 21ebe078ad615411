import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@redrive/core';
import { until } from '@redrive/testkit/services';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

vi.setConfig({ testTimeout: 60_000 });
const launcher = fileURLToPath(new URL('../../bin/redrive.cjs', import.meta.url));

/** A receiver that can be down: nothing listens then. */
function receiver() {
  let next: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => {
    request.resume();
    next(request, response);
  });
  onTestFinished(() => void server.close());
  const up = async (port = 0): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port; // It listens on TCP.
  };
  const down = () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    return closed;
  };
  /** The next request, whose answer is the test's. */
  const request = () =>
    new Promise<[IncomingMessage, ServerResponse]>((resolve) => {
      next = (...both) => resolve(both);
    });
  return { up, down, request };
}

test('a request is retried through an outage (503 with Retry-After, connection refused), a crash of the worker and a restart, with one key', async () => {
  const service = receiver();
  const port = await service.up();
  const directory = scratchDirectory(onTestFinished, {
    'redrive.yaml': `version: "1.1.0"
policies:
  quick: { name: Quick, max_attempts: 100, backoff_type: fixed, base_delay: 0.1, max_delay: 5, jitter_type: none }
jobs:
  lease_seconds: 1
  http: { targets: ["127.0.0.1:${port}"], allow_http: [127.0.0.1], allow_private: [127.0.0.1] }
  handlers:
    hook: { http: { url: "http://127.0.0.1:${port}/hook" }, policy: quick }
`,
  });
  const env = { ...process.env, REDRIVE_STORE: 'sqlite:./jobs.db' };
  const worker = () => {
    const args = [launcher, 'start', '--health-port', 'off', '--log-level', 'silent'];
    const child = spawn(process.execPath, args, { cwd: directory, env, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const redrive = async (...args: string[]) =>
    JSON.parse((await runMain([...args, '--json'], { directory, env })).stdout);
  const first = service.request();
  const { id } = await redrive('jobs', 'enqueue', 'hook', '--payload', '{"order":7}');
  const crashing = worker();

  const [one, busy] = await first;
  const second = service.request();
  const answeredMs = systemClock.monotonic();
  busy.writeHead(503, { 'retry-after': '2' }).end();
  const [two, broken] = await second;
  expect(systemClock.monotonic() - answeredMs).toBeGreaterThanOrEqual(2_000);
  broken.destroy();
  await service.down();
  const refused = async () =>
    JSON.stringify(await redrive('jobs', 'show', id)).includes('ECONNREFUSED');
  expect(await until(refused, { timeoutMs: 20_000 })).toBe(true);
  const third = service.request();
  await service.up(port);
  const [three] = await third;
  // With a request under way.
  crashing.kill('SIGKILL');
  await once(crashing, 'exit');
  const fourth = service.request();
  const restarted = worker();
  const [four, good] = await fourth;
  good.end('{"taken":true}');
  const shown = await redrive('jobs', 'wait', id).then(() => redrive('jobs', 'show', id));
  expect(shown).toMatchObject({ state: 'succeeded', result: { taken: true } });
  const keys = [one, two, three, four].map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys)).toEqual(new Set([id]));
  const tokens = [one, two, three, four].map(({ headers }) => Number(headers['redrive-token']));
  expect(tokens.toSorted((a, b) => a - b)).toEqual(tokens);
  restarted.kill('SIGTERM');
  expect(await once(restarted, 'exit')).toEqual([0, null]);
});
