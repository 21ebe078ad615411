import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type RunningConsole, startConsole } from './testing/console.ts';
import { storeInTrouble } from './testing/trouble.ts';

let one: RunningConsole;
let two: RunningConsole;

beforeAll(async () => {
  const { store } = await storeInTrouble();
  [one, two] = await Promise.all([startConsole({ store }), startConsole()]);
}, 60_000);
afterAll(() => Promise.all([one.close(), two.close()]));

/** Another program of the machine, which serves a page and keeps the cookies that browsers send along. */
async function thief(page: string) {
  const cookies: string[] = [];
  const server = createServer((request, response) => {
    cookies.push(request.headers.cookie ?? '');
    response.setHeader('content-type', 'text/html');
    response.end(page);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return { url: `http://127.0.0.1:${port}/`, cookies };
}

const READS = ['/v1/me', '/v1/jobs', '/v1/dead-letters/export', '/v1/changes', '/v1/audit'];

test('a page on another port gets the cookie of the console, and nothing for it', async () => {
  const context = await one.browser.newContext();
  const page = await context.newPage();
  await page.goto(one.link);
  await page.waitForSelector('nav.nav');
  const { url, cookies } = await thief('<h1>free stickers</h1>');
  await page.goto(url);
  await page.waitForSelector('h1');
  const stolen = cookies.find((each) => each.includes('redrive_sign_in_'));
  // Browsers know no ports: this is what the key is for.
  expect(stolen).toContain(`redrive_sign_in_${new URL(one.url).port}=`);
  for (const path of READS) {
    const headers = { cookie: stolen ?? '' };
    const { status } = await fetch(one.url + path, { headers });
    expect([path, status]).toEqual([path, 401]);
  }
  const act = await fetch(`${one.url}/v1/pauses/pause`, {
    method: 'POST',
    headers: { cookie: stolen ?? '', origin: one.url, 'content-type': 'application/json' },
    body: JSON.stringify({ scope: 'queue', name: 'default' }),
  });
  expect(act.status).toBe(401);
  // Its scripts have the cookie sent along, and neither see an answer nor change anything.
  const seen = await page.evaluate(
    async ({ target, paths }) => {
      const results: string[] = [Object.keys(localStorage).join()];
      for (const path of paths) {
        for (const mode of ['cors', 'no-cors'] as const) {
          const answer = await fetch(target + path, { mode, credentials: 'include' }).catch(
            () => undefined,
          );
          results.push(answer === undefined ? 'refused' : `${answer.type} ${await answer.text()}`);
        }
      }
      return results;
    },
    { target: one.url, paths: READS },
  );
  for (const each of seen) expect(['', 'refused', 'opaque ']).toContain(each);
  // The page itself is still signed in.
  await page.goto(`${one.url}/dead`);
  await page.waitForSelector('nav.nav');
  await context.close();
}, 60_000);

test('two consoles on two ports of a host stay signed in, each in every tab; signing out ends one of them', async () => {
  const context = await one.browser.newContext();
  const page = await context.newPage();
  await page.goto(one.newLink());
  await page.waitForSelector('nav.nav');
  await page.goto(two.link);
  await page.waitForSelector('nav.nav');
  for (const { url } of [one, two, one, two]) {
    const tab = await context.newPage();
    await tab.goto(`${url}/jobs`);
    await tab.waitForSelector('nav.nav');
    await tab.close();
  }
  await page.goto(`${one.url}/`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Or sign in with a token').waitFor();
  await page.reload();
  await page.getByLabel('Or sign in with a token').waitFor();
  await page.goto(`${two.url}/`);
  await page.waitForSelector('nav.nav');
  await context.close();
}, 60_000);

test('a signed-in page saves files, follows the changes, and verifies the log', async () => {
  const context = await one.browser.newContext();
  const page = await context.newPage();
  await page.goto(one.newLink());
  await page.waitForSelector('nav.nav');
  await page.goto(`${one.url}/dead`);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Export / }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('dead-letters.jsonl');
  expect(await saved.failure()).toBeNull();
  await page.getByRole('button', { name: 'Live' }).waitFor();
  await page.goto(`${one.url}/audit`);
  await page.getByRole('button', { name: 'Verify the log' }).click();
  await page.getByText('The log is sound').waitFor();
  await context.close();
}, 60_000);
