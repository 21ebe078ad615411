// Takes the pictures of docs/demo anew from the running demo, in about a minute: npm run demo-captures. The program runs
// in this process on a terminal of 80 columns and 24 rows; the browser opens its console.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@redrive/core';
import { chromium as chromiumProgram } from '@redrive/testkit/services';
import { chromium } from 'playwright-core';
import type { StopSignal } from '../packages/cli/src/terminal/signals.ts';
import { runMain } from '../packages/cli/src/testing/run-main.ts';
import { svgOf, THEMES } from './captures/ansi-svg.ts';

const COLUMNS = 80;
const ROWS = 24;
const MAX_WAIT_MS = 120_000;
/** The first order of glass: it climbs all rungs. */
const FOLLOWED = 'orders-order-2';

const out = join(import.meta.dirname, '../docs/demo');
mkdirSync(out, { recursive: true });
const directory = mkdtempSync(join(tmpdir(), 'redrive-demo-'));
let printed = '';
let send: (signal: StopSignal) => void = () => {};
const ran = runMain(['start', '--demo', '--console', '0', '--health-port', 'off'], {
  directory,
  stream: { isTTY: true, columns: COLUMNS, rows: ROWS, hasColors: () => true },
  onStdout: (text) => {
    printed = `${printed}${text}`.slice(-50_000);
  },
  onSignals: (sender) => {
    send = sender;
  },
});
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const MOVES = /\x1b\[\d*[AK]|\r/g;
/** The newest whole picture, without the codes that move the cursor and clear a line. */
const picture = () => (printed.split('\x1b[0J').at(-2) ?? '').replaceAll(MOVES, '').trimEnd();

try {
  // The order has failed, and a person has not sent it again.
  await until(() => picture().includes('order-2, failed'));
  const terminal = picture();
  const link = /http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]+/.exec(terminal)?.[0] ?? '';
  const shown = terminal.replace(link, 'http://127.0.0.1:9480');
  for (const [theme, look] of Object.entries(THEMES)) {
    const svg = svgOf(`${shown}\n`, COLUMNS, look, 'npm start');
    writeFileSync(join(out, `ladder-${theme}.svg`), svg);
  }
  await until(() => picture().includes('order-2, shipped'));
  await takeTimeline(link);
} finally {
  send('SIGTERM');
  await ran;
  rmSync(directory, { recursive: true, force: true });
}

async function until(isTrue: () => boolean): Promise<void> {
  const startMs = systemClock.monotonic();
  while (!isTrue()) {
    if (systemClock.monotonic() - startMs > MAX_WAIT_MS) throw new Error('It did not happen');
    await new Promise<void>((resolve) => systemClock.setTimer(100, resolve));
  }
}

/** Of the job page of the followed order, light and dark. */
async function takeTimeline(link: string): Promise<void> {
  const browser = await chromium.launch(await chromiumProgram());
  try {
    const context = await browser.newContext({
      viewport: { width: 1360, height: 900 },
      timezoneId: 'UTC',
    });
    const page = await context.newPage();
    await page.goto(link);
    await page.getByRole('link', { name: 'Jobs' }).first().waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.goto(`${new URL(link).origin}/jobs/${FOLLOWED}`);
      const section = page.locator('.climb');
      await section.waitFor();
      await section.scrollIntoViewIfNeeded();
      const box = await section.boundingBox();
      if (box === null) throw new Error('The timeline is not shown');
      const session = await context.newCDPSession(page);
      const { data } = await session.send('Page.captureScreenshot', {
        format: 'webp',
        quality: 60,
        captureBeyondViewport: true,
        clip: { ...box, scale: 1 },
      });
      writeFileSync(join(out, `all-rungs-${theme}.webp`), Buffer.from(data, 'base64'));
    }
  } finally {
    await browser.close();
  }
}
