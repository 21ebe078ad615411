import { SHIPPED_SCENES } from '@redrive/lab';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningConsole, startConsole } from './testing/console.ts';
import { storeWithInvoices, triedConfig } from './testing/tried.ts';
import { LAB_CALLS } from './views/policies/lab-calls.ts';

let running: RunningConsole;

beforeAll(async () => {
  const config = triedConfig();
  running = await startConsole({ store: await storeWithInvoices(), config: () => config });
});
afterAll(() => running.close());

const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });

test('Policies has findings and recovered shares; a changed policy is tried on a herd and on the log, and the URL restores it', async () => {
  const page = await running.open('/policies', { role: 'viewer' });
  const workers: string[] = [];
  page.on('worker', (worker) => workers.push(worker.url()));
  const findings = table(page, 'Findings');
  await findings.getByText('Never recovers').waitFor();
  expect(await findings.innerText()).toMatch(/attempts after number 4 recovered 0 of 80 sessions/);
  expect(await findings.innerText()).toMatch(/Unused policy\s+no session has it\s+patient/);
  const recovered = await table(page, 'Recovered by attempt').innerText();
  expect(recovered).toMatch(/invoice\s+none\s+480\s+58\.3 %\s+83\.3 %/);
  expect(recovered).toContain('15 %, 5 %, 5 %');
  expect(workers).toEqual([]);

  await findings
    .getByRole('row', { name: /Never recovers/ })
    .getByRole('link', { name: 'Try' })
    .click();
  const herd = table(page, 'Herd');
  expect(await herd.getByRole('row', { name: /^Attempts/ }).innerText()).toMatch(/5,000\s+5,000/);
  expect(workers).toHaveLength(1);
  await page.getByLabel('max_attempts').fill('4');
  await page.getByLabel('jitter_type').selectOption('full');
  await page.getByLabel('Clients').fill('200');
  await page.getByRole('heading', { name: 'B invoice, 2 changes' }).waitFor();
  await page.getByText('200 clients, median of 5 runs').waitFor();
  await herd.getByRole('row', { name: 'Gave up 0 % 100 %' }).waitFor();
  expect(await page.locator('.waits-chart .solid').count()).toBe(7 + 3);

  await page.getByRole('button', { name: '7 d', exact: true }).click();
  const log = table(page, 'Back-test');
  await log.waitFor();
  expect(await page.innerText('main')).toContain('480 sessions of invoice');
  const figures = [await herd.innerText(), await log.innerText()];
  expect(figures[1]).toMatch(/Attempts per session\s+[\d.]+ ± [\d.]+/);
  const { search, searchParams } = new URL(page.url());
  const scene = { a: 'invoice', max_attempts: '4', jitter_type: 'full', n: '200', w: '7d' };
  expect(Object.fromEntries(searchParams)).toEqual(scene);

  const other = await running.open(`/policies/try${search}`, { role: 'viewer', theme: 'dark' });
  await table(other, 'Back-test').waitFor();
  await table(other, 'Herd').waitFor();
  expect(await other.getByLabel('max_attempts').inputValue()).toBe('4');
  const restored = [table(other, 'Herd'), table(other, 'Back-test')];
  expect(await Promise.all(restored.map((each) => each.innerText()))).toEqual(figures);
  expect(running.violations).toEqual([]);
});

test('values that no policy may have are named, all at once, and the page goes on when they are corrected', async () => {
  const page = await running.open('/policies/try?a=invoice&max_attempts=0&base_delay=x&n=0');
  const notice = page.getByRole('alert');
  await notice.getByText('Correct these values.').waitFor();
  expect(await notice.innerText()).toMatch(/max_attempts: .*\n+base_delay: /);
  await page.getByLabel('max_attempts').fill('3');
  await page.getByLabel('base_delay, s').fill('1');
  await notice.getByText('arrivals.at_once').waitFor();
  await page.getByLabel('Clients').fill('10');
  await table(page, 'Herd').waitFor();
  expect(await notice.count()).toBe(0);
});

test('a scene has the same bytes in Node, in the worker of Chromium, and twice', async () => {
  const page = await running.open('/policies/try?a=invoice');
  const started = page.workers()[0] ?? (await page.waitForEvent('worker'));
  const lognormal = {
    ...SHIPPED_SCENES.fleet,
    dependency: {
      latency: { median: 0.1, sigma: 0.8 },
      outages: { every: 20, lasts: { exponential: 5 } },
    },
  };
  const scenes: Readonly<Record<string, unknown>> = { ...SHIPPED_SCENES, lognormal };
  for (const [name, scene] of Object.entries(scenes)) {
    const [first, second] = await page.evaluate(runTwice, [started.url(), scene] as const);
    const inNode = JSON.stringify(LAB_CALLS.simulate(scene));
    expect(inNode.length, name).toBeGreaterThan(1_000);
    expect(first === inNode, `${name} in Node and in the worker`).toBe(true);
    expect(second === first, `${name} twice`).toBe(true);
  }
}, 180_000);

/** In the page. */
async function runTwice([url, scene]: readonly [string, unknown]): Promise<readonly string[]> {
  const worker = new Worker(url, { type: 'module' });
  const run = (id: number) =>
    new Promise<string>((resolve) => {
      worker.onmessage = ({ data }) => resolve(JSON.stringify(data.result ?? data));
      worker.postMessage({ id, call: 'simulate', input: scene });
    });
  const texts = [await run(1), await run(2)];
  worker.terminate();
  return texts;
}
