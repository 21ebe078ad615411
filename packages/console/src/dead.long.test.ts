import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type FullStore, final, jobsOn, memoryStore } from '@redrive/durable';
import { recordsIn } from '@redrive/durable/store';
import { openStore } from '@redrive/sqlite';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type RunningConsole, startConsole } from './testing/console.ts';

const LETTERS = 40;
/** Of the process that is killed: ten a second. */
const FEW = 20;
let console_: RunningConsole;
let isDown = true;
/** Runs of the handler since the outage, by payload. */
const runs: number[] = [];
const policy = { id: 'once', maxAttempts: 1, baseDelayMs: 10, jitter: 'none' } as const;
const handlers = {
  report: {
    policy,
    idempotent: true,
    run: ({ n }: { n: number }) => {
      if (isDown) return final('the figures of February do not add up');
      runs.push(n);
      return 'done';
    },
  },
};

/** Dead letters of one cause, the oldest first. */
async function deadLetters(store: FullStore, count: number): Promise<readonly string[]> {
  const jobs = jobsOn(store, handlers, { log: 'off' });
  const payloads = Array.from({ length: count }, (_, n) => ({ n, ledger: 0, password: 'hunter2' }));
  const made = await jobs.enqueueMany('report', payloads, { tenant: 'acme' });
  await jobs.start();
  await jobs.idle();
  await jobs.stop();
  return made.map(({ id }) => id);
}

let ids: readonly string[];

beforeAll(async () => {
  const store = memoryStore();
  ids = await deadLetters(store, LETTERS);
  console_ = await startConsole({ store });
}, 60_000);

afterAll(async () => {
  expect(console_.violations).toEqual([]);
  await console_.close();
});

async function stateOf(id: string | undefined): Promise<unknown> {
  const job = await console_.store.job(id ?? '');
  return { state: job?.state, generation: job?.account.generation };
}

test('a dead letter is found, explained and requeued by mouse', async () => {
  const page = await console_.open('/');
  // One of the newest: when the rows of the cause arrive, the list begins at its top again.
  const id = ids.at(-1) ?? '';
  await page.getByRole('link', { name: 'Dead letters' }).first().click();
  await page.getByRole('link', { name: /figures of February/ }).click();
  await page.locator(`tr:has([title="${id}"])`).click();
  const letter = page.getByRole('article', { name: `Dead letter ${id}` });
  await letter.getByText('Not retried: a final error.').waitFor();
  expect(await letter.getByText('the figures of February do not add up').count()).toBeGreaterThan(
    0,
  );
  expect(await letter.locator('.json').textContent()).not.toContain('hunter2');
  await letter.getByRole('button', { name: 'Requeue…' }).click();
  await page.getByRole('button', { name: 'Requeue 1' }).click();
  await letter.getByText('Gone: the job is ready now.').waitFor();
  expect(await stateOf(id)).toEqual({ state: 'ready', generation: 2 });
  expect(page.url()).toContain(`open=${id}`);
  await page.context().close();
});

test('the same by keys alone', async () => {
  const page = await console_.open('/');
  const press = (...keys: readonly string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  await press('g', 'd');
  await page.locator('tr[data-row="1"]').waitFor();
  await press('j', 'j', 'Enter');
  await page.waitForURL(/open=/);
  const id = new URL(page.url()).searchParams.get('open') ?? '';
  const letter = page.getByRole('article', { name: `Dead letter ${id}` });
  await letter.getByText('Not retried: a final error.').waitFor();
  await press('.');
  await page.locator('[role=menuitem]:focus').waitFor();
  await press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('INC-9: the ledger is repaired');
  await press('Enter');
  await letter.getByText('Gone: the job is ready now.').waitFor();
  expect(await stateOf(id)).toEqual({ state: 'ready', generation: 2 });
  // The first closes the toast.
  await press('Escape', 'Escape');
  await letter.waitFor({ state: 'detached' });
  const records = (await console_.store.auditBlocks(0, 1_000)).flatMap((block) => recordsIn(block));
  const own = records.find(({ id: about, event }) => about === id && event === 'requeue');
  expect(own?.detail).toMatchObject({ why: 'INC-9: the ledger is repaired' });
  await page.context().close();
});

test('what one may not do is disabled with the reason', async () => {
  const page = await console_.open(`/dead?open=${ids[20]}`, { role: 'viewer' });
  const requeue = page.getByRole('article').getByRole('button', { name: 'Requeue…' });
  expect(await requeue.getAttribute('aria-disabled')).toBe('true');
  await page.getByText('Needs role operator. You are viewer.').first().waitFor();
  await page.context().close();
});

test('a filter that is not understood offers no act on all letters', async () => {
  for (const q of ['handlr:report', 'state:parked']) {
    const page = await console_.open(`/dead?q=${q}&act=requeue&of=all`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: /Requeue/ }).count()).toBe(0);
    await page.context().close();
  }
});

test('a letter is edited: numbers beyond 2^53 stay exact, and the old payload is kept', async () => {
  const id = ids[30] ?? '';
  const page = await console_.open(`/dead?open=${id}&act=edit`);
  await page
    .getByRole('textbox', { name: 'Payload' })
    .fill('{"n": 30, "ledger": 90071992547409931}');
  await page.getByLabel('Why').fill('wrong ledger');
  await page.getByRole('button', { name: 'Requeue with this payload' }).click();
  await page.getByText('Gone: the job is ready now.').waitFor();
  const job = await console_.store.job(id);
  expect(job?.payload).toEqual({ kind: 'json', text: '{"n": 30, "ledger": 90071992547409931}' });
  expect(await console_.store.earlierPayloads(id)).toHaveLength(1);
  await page.context().close();
});

test('a bulk requeue: frozen, with pause, another rate, and abort', async () => {
  isDown = false;
  const jobs = jobsOn(console_.store, handlers, { log: 'off' });
  await jobs.start();
  onTestFinished(() => jobs.stop());
  const page = await console_.open('/dead?q=handler:report');
  await page.getByRole('button', { name: /Requeue all \d+…/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('can be requeued').waitFor();
  expect(await dialog.locator('.samples tbody tr').count()).toBe(5);
  await dialog.getByLabel('Ramp, then the rest').fill('1');
  await dialog.getByLabel('Rate per s').fill('4');
  const submit = dialog.getByRole('button', { name: /^Requeue \d+$/ });
  expect(await submit.getAttribute('aria-disabled')).toBe('true');
  await dialog.getByLabel('Why').fill('INC-9');
  expect(await dialog.locator('.cmd code').textContent()).toContain('--ramp 1 --max-in-flight 200');
  await submit.click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.locator('.lede').getByText('Paused').waitFor();
  await page.getByRole('button', { name: 'Change rate…' }).click();
  await page.getByLabel('Rate per s').fill('5');
  await page.getByRole('button', { name: 'Set 5/s' }).click();
  await page.getByText('5 per s', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.locator('.lede').getByText('Running').waitFor();
  await page.getByRole('button', { name: 'Abort…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Abort' }).click();
  await page.locator('.lede').getByText('Aborted').waitFor();
  for (const line of ['Submitted', 'Paused', 'Rate: 5 per s', 'Resumed', 'Aborted'])
    await page.locator('.log').getByText(line).waitFor();
  const { operations } = await console_.store.operations({ limit: 10 });
  const bulk = operations.find(({ request }) => request.includes('filter'));
  expect(bulk?.acted).toBeGreaterThan(0);
  expect(bulk?.acted).toBeLessThan(LETTERS);
  await page.context().close();
});

test('the process is killed with -9 during a bulk act and started again: the page goes on, each letter is acted on once', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-kill-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'redrive.db');
  const port = await freePort();
  const ran = join(directory, 'runs.txt');
  writeFileSync(ran, '');
  writeFileSync(join(directory, 'redrive.yaml'), CONFIG);
  writeFileSync(join(directory, 'handlers.mjs'), handlerFile(ran));
  isDown = true;
  const before = await openStore(path);
  const letters = await deadLetters(before, FEW);
  await before.close();
  const first = worker(directory, path, port);
  await first.listening;
  const link = await consoleLink(directory, path, port);
  const context = await console_.browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForSelector('h1');
  await page.goto(`http://127.0.0.1:${port}/dead?act=requeue`);
  await submitAll(page);
  await expect.poll(() => countLines(ran), { timeout: 8_000, interval: 20 }).toBeGreaterThan(4);
  first.child.kill('SIGKILL');
  await once(first.child, 'close');
  const atKill = countLines(ran);
  expect(atKill).toBeLessThan(FEW);
  const second = worker(directory, path, port);
  await second.listening;
  // Nobody touches the page.
  await page.locator('.lede').getByText('Finished').waitFor({ timeout: 20_000 });
  await page.getByText(`${FEW} of ${FEW} sent`).waitFor();
  second.child.kill('SIGTERM');
  await once(second.child, 'close');
  const after = await openStore(path);
  onTestFinished(() => after.close());
  const records = (await allBlocks(after)).flatMap((block) => recordsIn(block));
  const count = (id: string, event: string) =>
    records.filter(({ id: about, event: name }) => about === id && name === event).length;
  const lines = readFileSync(ran, 'utf8').split('\n');
  for (const id of letters) {
    expect(count(id, 'requeue')).toBe(1);
    // An attempt that was running at the kill is made again.
    expect(lines.filter((line) => line === id)).toHaveLength(1 + count(id, 'lease_lost'));
  }
  await context.close();
}, 60_000);

const CONFIG = `version: "1.1.0"
policies:
  quick: { name: Quick, max_attempts: 3, backoff_type: fixed, base_delay: 0.01, max_delay: 1, jitter_type: none }
jobs:
  lease_seconds: 2
  handlers:
    report: { module: "./handlers.mjs", export: report, policy: quick, idempotent: true }
`;

function handlerFile(path: string): string {
  return `import { appendFileSync } from 'node:fs';
export const report = (_, { jobId }) => appendFileSync(${JSON.stringify(path)}, jobId + '\\n');
`;
}

async function submitAll(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByText('can be requeued').waitFor();
  await dialog.getByLabel('Ramp, then the rest').fill('');
  await dialog.getByLabel('Rate per s').fill('10');
  await dialog.getByLabel('Why').fill('INC-9');
  await dialog.getByRole('button', { name: `Requeue ${FEW}` }).click();
  await page.locator('.lede').getByText('Running').waitFor();
}

/** `redrive start --console` in a process of its own. */
function worker(directory: string, path: string, port: number) {
  const launcher = join(import.meta.dirname, '../../cli/bin/redrive.cjs');
  const args = [launcher, 'start', '--store', `sqlite:${path}`, '--console', String(port)];
  const child = spawn(process.execPath, [...args, '--health-port', 'off'], { cwd: directory });
  onTestFinished(() => void child.kill('SIGKILL'));
  const listening = Promise.withResolvers<void>();
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
    if (said.includes('console.listening')) listening.resolve();
  });
  child.stderr.resume();
  child.on('close', () => listening.reject(new Error(`It ended: ${said}`)));
  listening.promise.catch(() => undefined);
  return { child, listening: listening.promise };
}

async function consoleLink(directory: string, path: string, port: number): Promise<string> {
  const launcher = join(import.meta.dirname, '../../cli/bin/redrive.cjs');
  const place = ['--store', `sqlite:${path}`, '--url', `http://127.0.0.1:${port}`];
  const args = [launcher, 'console', 'link', ...place];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: directory });
  return stdout.trim();
}

function countLines(path: string): number {
  return readFileSync(path, 'utf8').split('\n').length - 1;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number }; // It listens on TCP.
  server.close();
  return port;
}

async function allBlocks(store: FullStore) {
  const blocks = [];
  for (let after = 0; ; ) {
    const page = await store.auditBlocks(after, 1_000);
    if (page.length === 0) return blocks;
    blocks.push(...page);
    after = page.at(-1)?.seq ?? after;
  }
}
