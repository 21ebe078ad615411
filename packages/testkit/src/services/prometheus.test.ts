import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type MetricsService,
  startAlertmanager,
  startPrometheus,
  startPushgateway,
} from './prometheus.ts';
import { until } from './until.ts';

/** An installation may be part of the first start. */
const START_TIMEOUT_MS = 180_000;

let gateway: MetricsService;
let alertmanager: MetricsService;

beforeAll(async () => {
  gateway = await startPushgateway();
  alertmanager = await startAlertmanager();
}, START_TIMEOUT_MS);

afterAll(() => Promise.all([gateway?.stop(), alertmanager?.stop()]));

test('Prometheus scrapes a target, and answers queries', async () => {
  const target = createServer((_, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8');
    response.end('answer 42\n');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => target.once('listening', resolve));
  // A server that listens on TCP has an address with a port.
  const { port } = target.address() as AddressInfo;
  const prometheus = await startPrometheus({
    config: `
global: { scrape_interval: 1s }
scrape_configs: [{ job_name: t, static_configs: [{ targets: ["127.0.0.1:${port}"] }] }]
`,
  });
  onTestFinished(async () => {
    await prometheus.stop();
    target.close();
  });
  const values = async () => {
    const answer = await fetch(`${prometheus.url}/api/v1/query?query=answer`);
    const { data } = await answer.json();
    return data.result.map(({ value }: { value: [number, string] }) => value[1]);
  };
  const isThere = await until(async () => (await values()).length > 0, { timeoutMs: 20_000 });
  expect([isThere, await values()]).toEqual([true, ['42']]);
}, 60_000);

test('the Pushgateway takes what is pushed; it listens on the loopback interface only', async () => {
  const pushed = await fetch(`${gateway.url}/metrics/job/sweep`, { method: 'PUT', body: 'x 7\n' });
  expect(pushed.ok).toBe(true);
  expect(await (await fetch(`${gateway.url}/metrics`)).text()).toContain(
    'x{instance="",job="sweep"} 7',
  );
  expect(gateway.url).toBe(`http://127.0.0.1:${gateway.port}`);
});

test('the Alertmanager has no alerts at first', async () => {
  expect(await (await fetch(`${alertmanager.url}/api/v2/alerts`)).json()).toEqual([]);
});
