import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningConsole, startConsole } from './testing/console.ts';
import { storeInTrouble } from './testing/trouble.ts';

let running: RunningConsole;

beforeAll(async () => {
  const { store } = await storeInTrouble();
  running = await startConsole({ store });
}, 60_000);
afterAll(() => running.close());

test('a link signs an admin in, and its code leaves the address', async () => {
  const page = await (await running.browser.newContext()).newPage();
  await page.goto(running.link);
  await page.waitForSelector('nav.nav');
  expect(page.url()).toBe(`${running.url}/`);
  expect(await page.textContent('.role')).toContain('local admin');
  const second = await (await running.browser.newContext()).newPage();
  await second.goto(running.link);
  await second.waitForSelector('text=This link was used, or is too old');
});

test('a viewer signs in with a token, without a link', async () => {
  const page = await (await running.browser.newContext()).newPage();
  await page.goto(`${running.url}/dead`);
  await page.fill('#token', 'redrive_000000000000_wrong');
  await page.click('button[type=submit]');
  await page.waitForSelector('text=The token is wrong, was revoked, or has expired.');
  await page.fill('#token', await running.tokenOf('viewer'));
  await page.keyboard.press('Enter');
  await page.waitForSelector('nav.nav');
  expect(await page.textContent('.role')).toContain('viewer');
  await page.reload();
  await page.waitForSelector('nav.nav');
});
