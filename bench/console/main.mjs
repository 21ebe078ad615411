// The console in Chromium over a store with very many dead letters; the server runs in a process of its own. Exit code 1: a
// figure is above its limit.
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { chromium as chromiumProgram } from '../../packages/testkit/dist/services/index.js';
import { startApi } from '../api/clients.mjs';
import { fillLetters } from '../api/letters.mjs';
import { machineFacts } from '../lib/machine.mjs';
import { median } from '../lib/statistics.mjs';

const FULL = 1_000_000;
const RESULTS = new URL('../results/console.md', import.meta.url);
const ROUNDS = 5;
/** Steps of one pass from the first row to the last. */
const STEPS = 600;
const FRAME_MS = 50;
/** A filter, and the word that each of its rows has. */
const FILTERS = [
  ['handler:handler-3', 'handler-3'],
  ['queue:imports handler:handler-5', 'handler-5'],
  ['handler:rare-handler', 'rare-handler'],
  ['text:"zebra crossing"', 'zebra crossing'],
];
const LIMITS = { first: 1_000, filter: 500, frames: 0.99, heapMb: 100 };

export async function main(args) {
  const options = { letters: { type: 'string', default: String(FULL) } };
  const letters = Number(parseArgs({ args, options }).values.letters);
  const { cpu, cores, loadBefore } = machineFacts();
  const about = `${letters.toLocaleString('en-US')} dead letters on SQLite; ${cpu}, ${cores} cores, load before the run ${loadBefore}.`;
  say(`# The console in Chromium\n\n${about} Medians of ${ROUNDS}, all times in brackets.\n`);
  const folder = await mkdtemp(join(tmpdir(), 'redrive-bench-'));
  try {
    await fillLetters(join(folder, 'letters.db'), letters);
    const api = await startApi(folder, 'letters.db');
    const browser = await chromium.launch(await chromiumProgram());
    try {
      const open = () => openPage(browser, api);
      const views = { overview: ['/', 'main h1 [aria-live]'], letters: ['/dead', 'tr[data-row]'] };
      for (const [name, [path, selector]] of Object.entries(views)) {
        const times = [];
        for (let round = 0; round < ROUNDS; round++)
          times.push(await firstView(open, api.url + path, selector));
        report(`first view, ${name}`, median(times), LIMITS.first, times);
      }
      const page = await open();
      await page.goto(`${api.url}/dead`);
      await page.locator('tr[data-row="0"]').waitFor();
      for (const [filter, word] of FILTERS) {
        const times = [];
        for (let round = 0; round < ROUNDS; round++)
          times.push(await filterToRows(page, filter, word));
        report(`rows of ${filter}`, median(times), LIMITS.filter, times);
      }
      await reportScroll(page);
      if (letters === FULL) writeFileSync(RESULTS, `${said.join('\n')}\n`);
    } finally {
      await browser.close();
      await api.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const said = [];

function say(line) {
  said.push(line);
  console.log(line);
}

function report(name, ms, limit, times) {
  const all = times.map((each) => each.toFixed(0)).join(', ');
  say(`- ${name}: ${ms.toFixed(0)} ms (${all}), at most ${limit}`);
  if (ms > limit) process.exitCode = 1;
}

async function openPage(browser, { headers: { authorization } }) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    extraHTTPHeaders: { authorization },
  });
  return context.newPage();
}

/** From the start of the navigation until the browser has drawn the element, in a browser without a cache. */
async function firstView(open, url, selector) {
  const page = await open();
  await page.addInitScript(watchFor, selector);
  await page.goto(url);
  const ms = await page.evaluate(() => globalThis.seen);
  await page.context().close();
  return ms;
}

/** Runs in the page before its own scripts. */
function watchFor(selector) {
  globalThis.seen = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector(selector) === null) requestAnimationFrame(look);
      else requestAnimationFrame(() => resolve(performance.now()));
    };
    look();
  });
}

/** From Enter in the search until the first rows of the filter are drawn. */
async function filterToRows(page, filter, word) {
  await page.goto(page.url().replace(/\?.*/, ''));
  await page.locator('tr[data-row="0"]').waitFor();
  await page.getByRole('combobox', { name: 'Search' }).fill(filter);
  await page.evaluate(watchForRows, word);
  await page.keyboard.press('Enter');
  return page.evaluate(() => globalThis.seen);
}

/** Runs in the page: waits until each row has the word. */
function watchForRows(word) {
  globalThis.seen = new Promise((resolve) => {
    const onEnter = () => {
      const startMs = performance.now();
      const look = () => {
        const rows = [...document.querySelectorAll('tr[data-row]')];
        if (rows.length === 0 || !rows.every((row) => row.textContent.includes(word)))
          requestAnimationFrame(look);
        else requestAnimationFrame(() => resolve(performance.now() - startMs));
      };
      look();
    };
    addEventListener('keydown', onEnter, { once: true, capture: true });
  });
}

/** Scrolls from the first row to the last, and back in larger steps. */
async function reportScroll(page) {
  await page.goto(page.url().replace(/\?.*/, ''));
  await page.locator('tr[data-row="0"]').waitFor();
  const resting = await page.evaluate(framesAtRest, STEPS);
  const late = resting.filter((ms) => ms > FRAME_MS).length;
  say(`- frames of the page at rest: ${late} of ${resting.length} are later than ${FRAME_MS} ms`);
  const frames = await page.evaluate(scrollThrough, STEPS);
  const share = frames.filter((ms) => ms <= FRAME_MS).length / frames.length;
  const worst = Math.max(...frames).toFixed(0);
  say(
    `- frames while scrolling: ${(share * 100).toFixed(2)} % of ${frames.length} within ${FRAME_MS} ms, the longest ${worst} ms, at least ${LIMITS.frames * 100} %`,
  );
  const session = await page.context().newCDPSession(page);
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize: kept } = await session.send('Runtime.getHeapUsage');
  const mb = (bytes) => (bytes / 1e6).toFixed(1);
  say(
    `- heap after it: ${mb(usedSize)} MB, ${mb(kept)} MB after a collection, at most ${LIMITS.heapMb}`,
  );
  if (share < LIMITS.frames || usedSize > LIMITS.heapMb * 1e6) process.exitCode = 1;
}

/** Runs in the page: how late frames are on this machine while nothing is drawn. */
async function framesAtRest(count) {
  const frames = [];
  let before = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < count; frame++) {
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - before);
    before = now;
  }
  return frames;
}

/** Runs in the page. Answers the time of each frame. */
async function scrollThrough(steps) {
  const box = document.querySelector('.vscroll');
  const frames = [];
  let before = await new Promise(requestAnimationFrame);
  for (const by of [1, -4]) {
    const range = box.scrollHeight - box.clientHeight;
    for (let step = 0; step <= steps; step += Math.abs(by)) {
      box.scrollTop = by > 0 ? (range * step) / steps : range - (range * step) / steps;
      const now = await new Promise(requestAnimationFrame);
      frames.push(now - before);
      before = now;
    }
  }
  return frames;
}
