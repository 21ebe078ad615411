import { systemClock } from '@redrive/core';
import { CATEGORY_POLICIES, RetryCategory } from '@redrive/core/manager';
import { jobsOn, memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningConsole, startConsole } from './testing/console.ts';

const ID = RetryCategory.KV_PUT;
/** How often each job fails: the category allows three attempts. */
const FAILURES = [0, 1, 2, 9];

let running: RunningConsole;
let second = '';
/** Every call of the handler. */
let calls = 0;
let successes = 0;

beforeAll(async () => {
  const clock = virtualClock({ startMs: systemClock.now() - 600_000 });
  const store = memoryStore({ clock });
  const run = (failures: number, { attempt }: { readonly attempt: number }) => {
    calls += 1;
    if (attempt <= failures) throw new Error('connection reset');
    successes += 1;
  };
  const handlers = { 'state.save': { policy: { ...CATEGORY_POLICIES[ID], id: ID }, run } };
  const jobs = jobsOn(store, handlers, { clock, log: 'off' });
  const ids = await jobs.enqueueMany('state.save', FAILURES);
  second = ids[1]?.id ?? '';
  await jobs.start();
  for (let step = 0; step < 60; step += 1) await clock.advance(5_000);
  const stopped = jobs.stop();
  await clock.advance(60_000);
  await stopped;
  running = await startConsole({ store });
}, 60_000);
afterAll(() => running.close());

test('Policies has the figures of every category, and of any other dimension', async () => {
  const page = await running.open('/policies', { role: 'viewer' });
  const table = (by: string) => page.getByRole('table', { name: `Figures by ${by}`, exact: true });
  const rowOf = async (by: string, name: string) => {
    const row = table(by).getByRole('row', { name });
    return (await row.innerText()).split(/\t|\n/).map((cell) => cell.trim());
  };
  await table('category').waitFor();
  const sessions = FAILURES.length;
  expect([calls, successes]).toEqual([1 + 2 + 3 + 3, 3]);
  const figures = [sessions, calls, `${(successes / sessions) * 100} %`, calls / sessions];
  expect(await rowOf('category', ID)).toEqual([ID, ...figures.map(String)]);
  for (const code of Object.values(RetryCategory))
    expect((await rowOf('category', code))[0]).toBe(code);
  expect(await rowOf('category', RetryCategory.KV_GET)).toEqual([
    RetryCategory.KV_GET,
    '0',
    '0',
    '–',
    '–',
  ]);
  for (const [by, name] of [
    ['policy', ID],
    ['subsystem', 'state'],
    ['operation', 'state.save'],
    ['tenant', 'none'],
  ] as const) {
    await page.getByLabel('Figures by', { exact: true }).selectOption(by);
    await table(by).waitFor();
    expect(await rowOf(by, name)).toEqual([name, ...figures.map(String)]);
  }
  expect(running.violations).toEqual([]);
}, 60_000);

test('the page of a job that succeeded at attempt 2 says that 2 of 3 attempts are used', async () => {
  const page = await running.open(`/jobs/${second}`, { role: 'viewer' });
  await page.getByText('2 of 3 attempts').waitFor();
  expect(await page.innerText('main')).toContain('2 of 3 attempts are used.');
}, 60_000);
