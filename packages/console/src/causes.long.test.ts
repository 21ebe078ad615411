import { final, jobsOn, memoryStore } from '@redrive/durable';
import { causeRulesOf } from '@redrive/durable/dead-letters';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningConsole, startConsole } from './testing/console.ts';

const MESSAGES = [
  ...Array.from({ length: 12 }, (_, n) => `customer ${450 + n} not found`),
  ...Array.from({ length: 7 }, (_, n) => `card ${4710 + n} declined by bank ${12 + (n % 2)}`),
  'card 4711 expired in 03/24',
  'HTTP 422 {"id":"req_81h2k1","error":"currency not supported"}',
];
let console_: RunningConsole;
let stop: () => Promise<void>;

beforeAll(async () => {
  const store = memoryStore();
  const policy = { id: 'once', maxAttempts: 1, baseDelayMs: 10, jitter: 'none' } as const;
  const pay = { policy, idempotent: true, run: (message: string) => final(message) };
  const jobs = jobsOn(store, { pay }, { log: 'off' });
  await jobs.enqueueMany('pay', MESSAGES);
  await jobs.start();
  await jobs.idle();
  stop = () => jobs.stop();
  console_ = await startConsole({ store });
}, 60_000);

afterAll(async () => {
  expect(console_.violations).toEqual([]);
  await console_.close();
  await stop();
});

test('each cause shows a real message, and the parts of it that differ', async () => {
  const page = await console_.open('/dead');
  const cause = page.getByRole('link', { name: /customer ‹/ });
  expect(await cause.locator('.last').textContent()).toMatch(/^customer 4\d\d not found$/);
  expect(await cause.locator('mark').allTextContents()).toEqual([expect.stringMatching(/^4\d\d$/)]);
  await page.context().close();
});

test('two causes are merged, and the rule is removed again', async () => {
  const page = await console_.open('/dead');
  await page.getByRole('link', { name: /declined by bank/ }).click();
  await page.getByRole('button', { name: 'Merge…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Into').selectOption({ label: 'A new cause' });
  await dialog.getByLabel('Name of the new cause').fill('card-refused');
  await dialog.getByLabel('Title').fill('Card refused');
  await dialog.getByText('This would join 1 cause, 7 letters.').waitFor();
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await page.getByRole('link', { name: /^Card refused/ }).waitFor();
  await page.getByRole('link', { name: /expired in/ }).click();
  await page.getByRole('button', { name: 'Merge…' }).click();
  await dialog.getByLabel('Into').selectOption({ label: 'Card refused' });
  await dialog.getByText('This would join 2 causes, 8 letters.').waitFor();
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  const refused = page.getByRole('link', { name: /^Card refused/ });
  await refused.getByText('8', { exact: true }).waitFor();
  const rules = page.getByRole('region', { name: 'Rules of causes' });
  await rules.getByRole('button', { name: /Remove… the rule card-refused/ }).click();
  await dialog.getByRole('button', { name: 'Remove the rule' }).click();
  await page.getByRole('link', { name: /declined by bank/ }).waitFor();
  expect((await causeRulesOf(console_.store)).map(({ rule }) => rule.name)).toEqual([
    expect.stringMatching(/^merge-/),
  ]);
  await page.context().close();
});

test('a cause is split by a text, and renamed', async () => {
  const page = await console_.open('/dead');
  await page.getByRole('link', { name: /customer ‹/ }).click();
  await page.getByRole('button', { name: 'Split…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Text of the message').fill('nobody has this');
  await dialog.getByText(/has the text nobody has this/).waitFor();
  // While the next answer is on its way, the last one is not shown: it is about another text.
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/causes/split', async (route) => {
    await held.promise;
    await route.continue();
  });
  await dialog.getByLabel('Text of the message').fill('customer 45');
  await dialog.getByText('Trying…').waitFor();
  held.resolve();
  await dialog.getByText('This would split off 10 letters, as 1 cause.').waitFor();
  await dialog.getByRole('button', { name: 'Split', exact: true }).click();
  await page.getByRole('link', { name: /pattern \*customer 45\*/ }).click();
  await page.getByRole('button', { name: 'Rename…' }).click();
  await dialog.getByLabel('Title').fill('The forties');
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByRole('link', { name: /^The forties/ }).waitFor();
  await page.context().close();
});

test('a viewer may not correct causes', async () => {
  const page = await console_.open('/dead', { role: 'viewer' });
  await page.getByRole('link', { name: /currency not supported/ }).click();
  const merge = page.getByRole('button', { name: 'Merge…' });
  expect(await merge.getAttribute('aria-disabled')).toBe('true');
  await page.context().close();
});

test.each([
  [1390, 'light'],
  [1390, 'dark'],
  [360, 'light'],
  [360, 'dark'],
] as const)('nothing is cut off at %i px in %s', async (width, theme) => {
  const page = await console_.open('/dead', { width, theme, height: 900 });
  await page.getByRole('link', { name: /currency not supported/ }).waitFor();
  await picture(page, `causes-${width}-${theme}`);
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(await wide()).toBe(false);
  await page.getByRole('link', { name: /currency not supported/ }).click();
  await page.getByRole('button', { name: 'Merge…' }).click();
  await page.getByText(/This would join/).waitFor();
  await picture(page, `merge-${width}-${theme}`);
  expect(await wide()).toBe(false);
  await page.context().close();
});

async function picture(page: Awaited<ReturnType<RunningConsole['open']>>, name: string) {
  const directory = process.env.PICTURES;
  if (directory) await page.screenshot({ path: `${directory}/${name}.png` });
}
