import { type FullStore, jobsOn, runsElsewhere } from '@redrive/durable';
import { breakers, engageKill, killSwitches, releaseKill } from '@redrive/durable/control';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningConsole, startConsole } from './testing/console.ts';
import { storeWithInvoice } from './testing/invoice-life.ts';

let running: RunningConsole;
let store: FullStore;
let invoice: string;

beforeAll(async () => {
  ({ store, invoice } = await storeWithInvoice());
  running = await startConsole({ store });
}, 60_000);

afterAll(() => running?.close());

test("a job's timeline shows its attempts, and a decision opens its derivation", async () => {
  // Without a wish the shortest wait decides, and jitter draws it.
  const page = await running.open(`/jobs/${invoice}?steps=even`);
  const rows = page.getByRole('link', { name: /^Attempt \d+/ });
  await rows.first().waitFor();
  expect(await rows.count()).toBeGreaterThanOrEqual(4);
  await page.getByRole('link', { name: /^Attempt 2\s*Rate-limited.*Retry-After 2 min/ }).waitFor();
  await page.getByRole('link', { name: /^Attempt 3\s*Failed/ }).click();
  await page.waitForURL(/attempt=3/);
  const derivation = page.locator('.deriv');
  await derivation.getByText(/^Why did it wait /).waitFor();
  await derivation.getByText('connect ECONNREFUSED bank.example.org:443').waitFor();
  await derivation.getByText('2 of 8 count').waitFor();
  await derivation
    .getByRole('img', { name: /^Jitter draws from 0 ms to 2 min; the draw 0\.\d{4}/ })
    .waitFor();
  await derivation.getByText(/Derived again just now: the same answer as recorded/).waitFor();
  // The time of the next attempt, or why there is none, comes from the server.
  await page.getByText('as soon as the kill switch is released').waitFor();
  await page.getByText(/^Retry now: blocked by the kill switch on handler invoice/).waitFor();
  await page.getByRole('link', { name: 'To scale' }).click();
  await page.waitForURL(/steps=scale/);
});

test('the page of a running job shows its progress, and for how long it has been the same', async () => {
  const lane = { handler: 'mail', limit: 1, policyHash: 'p', limitPerKey: 1 };
  const [claim] = await store.apply([
    {
      ...{ kind: 'claim', worker: 'app-1', leaseMs: 600_000, lanes: [lane] },
      ...{ limit: 1, ahead: 0 },
    },
  ]);
  const [job] = claim.jobs;
  if (job === undefined) throw new Error('There was no job to claim');
  const progress = { fraction: 0.4, note: 'page 4 of 10', sinceMs: claim.nowMs - 180_000 };
  await store.heartbeat([{ id: job.id, token: job.token, progress }], 600_000);
  const page = await running.open(`/jobs/${job.id}`);
  await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
  const text = await page.locator('.job-progress').innerText();
  expect(text).toMatch(/40 % page 4 of 10\s+the same for 3 min, since \d\d:\d\d:\d\d/);
});

test('the list of jobs counts those of its filter, and leaves out upkeep until asked', async () => {
  const mails = jobsOn(store, { mail: runsElsewhere(), 'sweeps.run': runsElsewhere() });
  for (const each of [1, 2, 3]) await mails.enqueue('mail', { each }, { tenant: 'umbra' });
  for (const each of [1, 2]) await mails.enqueue('sweeps.run', { each });
  const page = await running.open('/jobs?q=tenant:umbra');
  const states = page.getByRole('navigation', { name: 'State' });
  await states.getByRole('link', { name: /^ready\s*3$/ }).waitFor();
  expect(await page.getByRole('row').filter({ hasText: 'mail' }).count()).toBe(3);
  await page.goto(new URL('/jobs', page.url()).href);
  await states.getByRole('link', { name: "Show 2 jobs of Redrive's upkeep" }).waitFor();
  expect(await page.getByRole('row').filter({ hasText: 'sweeps.run' }).count()).toBe(0);
  await states.getByRole('link', { name: /^Show 2/ }).click();
  await page.getByRole('row').filter({ hasText: 'sweeps.run' }).nth(1).waitFor();
});

test('the page of a job leads to its records in the audit log', async () => {
  const page = await running.open(`/jobs/${invoice}`);
  await page.getByRole('link', { name: 'Audit' }).last().click();
  await page.waitForURL(/audit\?q=session/);
  await page.getByRole('row').filter({ hasText: 'settle' }).first().waitFor();
});

test("on a phone's width a kill switch is engaged and released by touch, and the store says so", async () => {
  const page = await running.open('/control', { width: 390, height: 844 });
  await page.getByRole('link', { name: 'Engage kill switch…' }).tap();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Queue' }).fill('mail');
  await dialog.getByText('jobs wait and do not start').waitFor();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('INC-8: wrong texts');
  const stop = dialog.getByRole('button', { name: 'Stop queue mail' });
  await dialog.getByText('Type the scope to enable the button.').waitFor();
  await stop.tap({ force: true });
  expect(await engaged()).toEqual(['operation invoice']);
  await dialog.getByRole('textbox', { name: 'Type queue mail to confirm' }).fill('queue mail');
  await stop.tap();
  await dialog.waitFor({ state: 'detached' });
  expect(await engaged()).toEqual(['operation invoice', 'queue mail']);
  const row = page.getByRole('row', { name: /queue mail/ });
  await row.getByRole('link', { name: 'Release…' }).tap();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('INC-8: texts are right');
  await dialog.getByRole('button', { name: 'Release queue mail' }).tap();
  await dialog.waitFor({ state: 'detached' });
  expect(await engaged()).toEqual(['operation invoice']);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
});

test('a breaker is forced with an end and a reason', async () => {
  const page = await running.open('/control');
  const row = page.getByRole('row', { name: /bank/ }).first();
  await row.getByRole('link', { name: 'Force…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'End' }).selectOption('15m');
  await dialog.getByText('redrive breakers force-open --for 15m bank').waitFor();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('their maintenance');
  await dialog.getByRole('button', { name: 'Force bank open' }).click();
  await row.getByText('Forced open').waitFor();
  const bank = (await breakers(store)).find(({ dependency }) => dependency === 'bank');
  expect(bank?.forced).toMatchObject({ state: 'open', why: 'their maintenance' });
  const { sinceMs = 0, untilMs } = bank?.forced ?? {};
  expect(untilMs).toBe(sinceMs + 15 * 60_000);
});

test("an operator sees admin's acts disabled, with the reason", async () => {
  const page = await running.open('/control', { role: 'operator' });
  const why = 'Needs role admin. You are operator.';
  const engage = page.getByRole('button', { name: 'Engage kill switch…' });
  await engage.waitFor();
  expect(await engage.getAttribute('aria-disabled')).toBe('true');
  await engage.click({ force: true });
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByText(why).first().waitFor();
  // The address alone opens no way around it.
  await page.goto(`${running.url}/control?act=force&of=bank`);
  await page.getByRole('combobox', { name: 'End' }).selectOption('');
  await page.getByRole('textbox', { name: 'Reason' }).fill('for good');
  const force = page.getByRole('button', { name: 'Force bank open' });
  expect(await force.getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('dialog').getByText(why).waitFor();
  expect(running.violations).toEqual([]);
});

test('the bar and the overview release a kill switch on everything', async () => {
  const actor = { name: 'cli:ops', why: 'INC-9' };
  await releaseKill(store, { scope: 'operation', name: 'invoice', actor });
  await engageKill(store, { scope: 'all', actor });
  const page = await running.open('/');
  const bar = page.locator('.kill');
  // The server keeps its answer for five seconds: an act of another process shows so late.
  await bar.getByText('Stopped: everything').waitFor();
  await bar.getByText(/[1-9]\d* jobs? waits?$/).waitFor();
  await bar.getByRole('link', { name: 'Release…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release all' }).waitFor();
  await page.goto(running.url);
  await page.locator('main').getByRole('link', { name: 'Release…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release all' }).waitFor();
});

async function engaged(): Promise<readonly string[]> {
  const all = await killSwitches(store);
  return all.map(({ scope, name }) => `${scope} ${name ?? ''}`.trim()).sort();
}
