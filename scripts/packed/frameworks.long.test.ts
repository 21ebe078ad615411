import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { OutsideProject } from './outside.ts';

// Applications of frameworks and tests of test runners, with the tarballs: as a stranger runs them.
vi.setConfig({ testTimeout: 400_000 });

const node = process.execPath;
let project: OutsideProject | undefined;
const outside = (example: string): OutsideProject => {
  project = new OutsideProject(example);
  return project;
};
const own = (): OutsideProject => project as OutsideProject; // After beforeAll.
const post = async (url: string, body?: object) =>
  fetch(url, {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

describe('a worker inside an application', () => {
  beforeAll(() => void outside('health'), 600_000);
  afterAll(() => own().remove());

  test.each(['express', 'fastify'])('%s answers the probes, and stops in order', async (name) => {
    const server = own().start(node, [`${name}.mjs`]);
    const url = await server.nextLine();
    const probe = async () => {
      const response = await fetch(`${url}/readyz`);
      return [response.status, await response.json()];
    };
    const stopped = { name: 'worker', problem: 'not started' };
    expect(await probe()).toMatchObject([503, { live: true, ready: false, checks: [stopped, {}] }]);
    await post(`${url}/start`);
    // An answer counts for half a second, and a machine under load is slow to confirm that no kill switch is engaged.
    const checks = [{ name: 'worker' }, { name: 'store' }];
    await vi.waitFor(
      async () => expect(await probe()).toEqual([200, { live: true, ready: true, checks }]),
      { timeout: 60_000, interval: 100 },
    );
    expect(await (await fetch(`${url}/livez`)).text()).toBe('ok');
    expect(await (await post(`${url}/mails/ada`)).json()).toBe('sent to ada');
    expect(await server.stop()).toEqual({ status: 0, lines: [] });
  });
});

describe('the same tests', () => {
  beforeAll(() => void outside('test-runners'), 600_000);
  afterAll(() => own().remove());

  test('pass under Jest, which needs a flag for modules', () => {
    const args = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];
    const { status, stderr } = own().run(node, args);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringContaining('2 passed, 2 total'),
    });
    const without = own().run(node, ['node_modules/jest/bin/jest.js']);
    expect(without.stderr).toContain('Must use import to load ES Module');
  });

  test('pass under Vitest', () => {
    const run = own().bin(node, 'vitest', ['run', '--dir', 'vitest', '--testTimeout=60000'], {
      NO_COLOR: '1',
    });
    expect(run).toMatchObject({ status: 0, stdout: expect.stringMatching(/Tests {2}2 passed/) });
  });

  test('pass under node:test', () => {
    const run = own().run(node, ['--test', 'node-test/mails.test.js']);
    expect(run).toMatchObject({ status: 0, stdout: expect.stringMatching(/pass 2\b/) });
  });
});

describe('Next.js', () => {
  const env = { NEXT_TELEMETRY_DISABLED: '1' };
  const next = 'node_modules/next/dist/bin/next';
  beforeAll(() => void outside('next'), 600_000);
  afterEach(() => rmSync(join(own().directory, 'shop.db'), { force: true }));
  afterAll(() => own().remove());

  test('a route handler enqueues, and a worker in another process runs the job', async () => {
    expect(own().run(node, [next, 'build'], env)).toMatchObject({ status: 0 });
    const worker = own().start(node, ['worker.mjs']);
    expect(await worker.nextLine()).toBe('ready');
    const server = own().start(node, [next, 'start', '--port', '0'], env);
    let url: string | undefined;
    while (url === undefined) url = /http:\/\/localhost:\d+/.exec(await server.nextLine())?.[0];
    let line = '';
    while (!line.includes('Ready')) line = await server.nextLine();
    const accepted = await post(`${url}/orders`, { order: 'order-1' });
    expect([accepted.status, await accepted.json()]).toEqual([202, { job: 'id::order-1' }]);
    expect(await worker.nextLine()).toBe('mail for order-1');

    let requests = 0;
    const prices = createServer((_, response) => {
      requests += 1;
      response.writeHead(requests === 1 ? 503 : 200).end('cat 9');
    });
    await once(prices.listen(0, '127.0.0.1'), 'listening');
    const { port } = prices.address() as AddressInfo; // A server that listens on TCP has one.
    const edge = await fetch(`${url}/prices?from=http://127.0.0.1:${port}/`);
    expect([await edge.json(), requests]).toEqual([{ status: 200, prices: 'cat 9' }, 2]);
    prices.close();
    prices.closeAllConnections();
    await server.stop();
    expect(await worker.stop()).toEqual({ status: 0, lines: [] });
  });
});
