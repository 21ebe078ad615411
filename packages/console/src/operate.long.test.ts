import { final, jobsOn, memoryStore } from '@redrive/durable';
import { leakedSecrets, plantSecrets } from '@redrive/testkit/conformance/secrets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningConsole, startConsole } from './testing/console.ts';
import { operate, operatedConfig, stuckArchives } from './testing/operated.ts';

let running: RunningConsole;
let sweep: ReturnType<typeof stuckArchives>;

beforeAll(async () => {
  const store = memoryStore();
  await plantSecrets(store);
  const jobs = jobsOn(store, { import: () => final('orders.csv does not exist') }, { log: 'off' });
  const { id } = await jobs.enqueue('import', null);
  await jobs.start();
  await expect(jobs.wait(id)).rejects.toThrow('does not exist');
  await jobs.stop();
  await operate(store);
  const config = operatedConfig();
  sweep = stuckArchives();
  const text = { message: '90 MiB are free.', remedy: 'Free some.', jobs: [] };
  const findings = [{ check: 'disk', level: 'warning' as const, ...text }];
  const checks = [
    { name: 'schema', result: 'ok' as const },
    { name: 'disk', result: 'warning' as const },
  ];
  running = await startConsole({
    store,
    config: () => config,
    parts: {
      sweeps: async () => [sweep],
      doctor: async () => ({
        ...{ store: store.name, ok: true, jobs_read: 0, put_back: [], checks, findings },
      }),
    },
  });
}, 60_000);
afterAll(() => running.close());

test('two policies are compared by URL: waits, fields with their source, users, versions', async () => {
  const page = await running.open('/policies/compare?a=invoice&b=runs.default');
  await page.getByRole('heading', { name: /fields differ/ }).waitFor();
  // Users and versions are read apart.
  for (const text of ['handler invoice', 'jitter_type none → full'])
    await page.getByText(text).waitFor();
  const text = await page.innerText('main');
  expect(text).toContain('Both allow 8 attempts.');
  expect(text).toMatch(/max_delay\s+redrive\.yaml:6, preset runs/);
  expect(text).toContain('handler invoice');
  expect(text).toContain('jitter_type none → full');
  const row = page.getByRole('table', { name: 'Waits by attempt' }).getByRole('row').last();
  expect(await row.innerText()).toMatch(/8\s+15 min\s+0 to 15 min\s+1 h\s+1 h\s+exact\s+2 h 3 min/);
  expect(await page.locator('.waits-chart .band').count()).toBe(7);
  expect(await page.locator('.waits-chart .solid').count()).toBe(7);
  await page.getByRole('button', { name: 'Change policies…' }).click();
  await page.getByLabel('Compared with').selectOption('events.default');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.waitForURL('**/policies/compare?a=invoice&b=events.default');
  await page.goto(`${running.url}/policies/compare`);
  await page.getByRole('table', { name: 'Policies' }).waitFor();
});

test('an escalation is acknowledged, snoozed with an end and assigned; its log has all three', async () => {
  const page = await running.open('/escalations', { role: 'operator' });
  await page
    .getByRole('link', { name: /does not exist/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Acknowledge…' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('looking at it');
  await page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await page.getByText('acknowledge tier 3').waitFor();
  await page.getByRole('button', { name: 'Snooze…' }).click();
  await page.getByLabel('For').selectOption('1d');
  await page.getByRole('button', { name: 'Snooze 1 day' }).click();
  await page
    .locator('.facts')
    .getByText(/Snoozed until \d{4}-/)
    .waitFor();
  await page.getByRole('button', { name: 'Assign…' }).click();
  await page.getByLabel('Person or team').fill('payments');
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await page.locator('.acts-log').getByText('payments').waitFor();
  expect(await page.innerText('.acts-log')).toContain('api:operator@127.0.0.1: looking at it');
});

test('stuck documents are listed by reason, and a failed one is reset', async () => {
  const page = await running.open('/stuck', { role: 'operator' });
  const reasons = page.getByRole('table', { name: 'Stuck documents by reason' });
  expect(await reasons.innerText()).toMatch(
    /Attempts used up[\s\S]*Not valid[\s\S]*Beyond its attempts[\s\S]*No result/,
  );
  await reasons.getByRole('link', { name: 'Attempts used up' }).click();
  await page.getByRole('link', { name: 'archives/a-19' }).click();
  await page.getByRole('button', { name: 'Reset…' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('the parser is fixed');
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await page.getByText('It is pending again').waitFor();
  await page.getByRole('link', { name: 'archives/a-19' }).waitFor({ state: 'detached' });
  const { body } = await audit('act');
  expect(body).toContain('the parser is fixed');
});

test('stuck documents are acted on together: the ticked ones, or all that are shown', async () => {
  const old = { attemptCount: 1, lastAttemptTime: new Date('2026-01-31T08:00:00Z') };
  const found = new Date('2026-01-31T10:00:00Z');
  const stuck = { ...old, retry_sweep: { firstStuckAt: found, foundAt: found } };
  for (const id of ['b-1', 'b-2']) sweep.put(id, stuck);
  for (const id of ['c-1', 'c-2']) sweep.put(id, { ...old, status: 'failed_max_retries' });
  const page = await running.open('/stuck');
  const tick = (id: string) => page.getByRole('checkbox', { name: `Tick archives/${id}` }).check();
  const dialog = page.getByRole('dialog');
  // A document that is not valid is never sent.
  for (const id of ['b-1', 'b-2', 'a-18']) await tick(id);
  await page.getByText('3 selected').waitFor();
  await page.getByRole('button', { name: 'Send now…' }).click();
  await dialog.getByText('of archives: b-1, b-2').waitFor();
  await dialog.getByText('redrive stuck release archives b-1 b-2').waitFor();
  await dialog.getByRole('button', { name: 'Send now 2 documents' }).click();
  await page.getByText('2 are sent.').waitFor();
  for (const id of ['c-1', 'c-2']) await tick(id);
  await page.getByRole('button', { name: 'Purge…' }).click();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('copies exist');
  await dialog.getByText('Type the collection to enable the button.').waitFor();
  await dialog.getByRole('textbox', { name: 'Type archives to confirm' }).fill('archives');
  await dialog.getByRole('button', { name: 'Purge 2 documents' }).click();
  await page.getByText('2 are deleted for good.').waitFor();
  await page.getByRole('link', { name: 'archives/c-1' }).waitFor({ state: 'detached' });
});

async function audit(event: string) {
  const page = await running.open(`/audit?q=event:${event}`);
  await page.getByRole('table', { name: 'Audit records' }).waitFor();
  return { page, body: await page.innerText('main') };
}

test('a row of the audit log opens before and after; the log is verified and a record proven', async () => {
  const { page } = await audit('config');
  await page.getByRole('link', { name: 'config' }).first().click();
  const table = page.getByRole('table', { name: 'Before and after' });
  expect(await table.innerText()).toMatch(/policies\.invoice\.jitter_type\s+none\s+full/);
  // A proof needs a sealed record, and no worker seals this log: the server refuses, so there is no file.
  const [asked, saved] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/v1/downloads')),
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Prove' }).click(),
  ]);
  expect(asked.postDataJSON().path).toMatch(/^\/v1\/audit\/prove\/\d+\.\d+$/);
  expect(saved.suggestedFilename()).toMatch(/^proof-\d+\.\d+\.json$/);
  await page.getByRole('button', { name: 'Verify the log' }).click();
  await page.getByText('The log is sound').waitFor();
});

test('as viewer the acts are disabled with the reason', async () => {
  const page = await running.open('/stuck?reason=failed&open=archives/a-20', { role: 'viewer' });
  for (const name of ['Send now…', 'Reset…', 'Archive…', 'Purge…']) {
    const button = page.getByRole('button', { name });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
  }
  const text = await page.innerText('main');
  expect(text).toContain('Needs role operator. You are viewer.');
  expect(text).toContain('Needs role admin. You are viewer.');
  await page.getByRole('button', { name: 'Reset…' }).click({ force: true });
  expect(await page.getByRole('dialog').count()).toBe(0);
});

const PAGES = [
  ...['/', '/dead', '/jobs', '/stuck', '/stuck?open=archives/a-17', '/control', '/ops'],
  ...[
    '/escalations',
    '/policies',
    '/policies/compare?a=invoice',
    '/policies/try?a=invoice&w=7d',
    '/sources',
    '/audit',
    '/health',
  ],
];

test('fifty planted secrets: none in a page or an answer of a viewer', async () => {
  const page = await running.open('/sources', { role: 'viewer' });
  const answers: string[] = [];
  page.on('response', async (response) => {
    if (!response.url().includes('/v1/') || response.url().includes('/changes')) return;
    answers.push(await response.text().catch(() => ''));
  });
  for (const path of PAGES) {
    await page.goto(running.url + path);
    await page.waitForSelector('h1');
    await page.locator('.live').filter({ hasText: 'Live' }).waitFor();
    await page.waitForFunction(() => document.querySelector('.skeleton') === null);
    const text = await page.innerText('body');
    expect([path, leakedSecrets(text), /busHunter9/.test(text)]).toEqual([path, [], false]);
  }
  expect(answers.length).toBeGreaterThan(20);
  for (const answer of answers) expect(leakedSecrets(answer)).toEqual([]);
  expect(running.violations).toEqual([]);
});
