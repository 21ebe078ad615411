import { existsSync } from 'node:fs';
import { until } from '@redrive/testkit/services';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DASHBOARDS } from '../dashboards/dashboards.ts';
import { PLANTED_ALERTS, plantFailure, repairFailure } from './planted-failure.ts';
import { query, type Stack, startStack } from './start-stack.ts';
import type { Notification } from './webhook.ts';

/**
 * Every `for:`, range and interval of the rules and routes is divided by it: an hour is 15 seconds. With 1 the test would
 * prove the same and take hours. `npm run stack -- --speed 240` does the same by hand.
 */
const SPEED = 240;

let stack: Stack;
const notifications: Notification[] = [];
// Installations may be part of the first run.
beforeAll(async () => {
  stack = await startStack({ speed: SPEED, onNotification: (one) => notifications.push(one) });
}, 240_000);
afterAll(() => stack?.stop(), 120_000);

/** The planted alerts that reached their receivers with this status. */
function reached(status: Notification['status']): readonly string[] {
  const own = notifications.filter(
    (one) => one.status === status && PLANTED_ALERTS[one.alert] === one.receiver,
  );
  return [...new Set(own.map(({ alert }) => alert))].sort();
}

const wanted = Object.keys(PLANTED_ALERTS).sort();
const complete = (status: Notification['status']) =>
  until(() => Promise.resolve(reached(status).length === wanted.length), {
    timeoutMs: 60_000,
    everyMs: 200,
  });

test('a handler that dies and 60 stuck documents reach a webhook through Prometheus and Alertmanager', async () => {
  await plantFailure(stack);
  await complete('firing');
  expect(reached('firing')).toEqual(wanted);
  const stuck = notifications.find(({ alert }) => alert === 'StuckDocumentsWarning');
  expect(stuck).toMatchObject({
    labels: { collection: 'archives', severity: 'warning' },
    annotations: {
      runbook_url: expect.stringMatching(/#stuckdocumentswarning$/),
      dashboard_url: 'http://localhost:3000/d/redrive-documents',
    },
  });
}, 90_000);

const expressions = Object.values(DASHBOARDS).flatMap(({ title, rows }) =>
  Object.values(rows)
    .flat()
    .flatMap((panel) => Object.keys(panel.queries).map((each) => [title, panel.title, each])),
);
test.each(expressions)('%s, %s: %s returns data', async (_title, _panel, expression = '') => {
  const asked = expression.replaceAll('$__rate_interval', '1m');
  const values = () => query(stack.addresses.prometheus ?? '', asked);
  await until(async () => (await values()).some(Number.isFinite), { timeoutMs: 10_000 });
  expect((await values()).filter(Number.isFinite)).not.toEqual([]);
});

test('the Pushgateway has the numbers of the sweeps, under the same names as the worker', async () => {
  const at = (job: string) =>
    query(stack.addresses.prometheus ?? '', `retry_job_runs_total{job="${job}",status="success"}`);
  const [pushed = 0, scraped = 0] = [(await at('retry-job'))[0], (await at('redrive'))[0]];
  expect(Math.min(pushed, scraped)).toBeGreaterThan(0);
});

test('when the failure is repaired, the alerts resolve', async () => {
  await repairFailure(stack);
  await complete('resolved');
  expect(reached('resolved')).toEqual(wanted);
}, 90_000);

test('a worker that crashes is noticed; everything stops all the same, and leaves no directory', async () => {
  const { directory, addresses, workerPid, failed } = stack;
  process.kill(workerPid, 'SIGKILL');
  await expect(failed).rejects.toThrow('redrive ended with SIGKILL');
  await stack.stop();
  expect(existsSync(directory)).toBe(false);
  for (const name of ['redrive', 'prometheus', 'alertmanager', 'pushgateway', 'webhook'])
    await expect(fetch(addresses[name] ?? ''), name).rejects.toThrow('fetch failed');
}, 90_000);
