import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { final, jobsOn } from '@redrive/durable';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningConsole, startConsole } from './testing/console.ts';
import { storeInTrouble } from './testing/trouble.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Texts that would run as a script where they are not shown as text. */
const SCRIPTS = [
  '<script>window.hit=1</script>',
  '<img src=x onerror=window.hit=1>',
  '<svg onload=window.hit=1>',
  '"><script>window.hit=1</script>',
  "'><img src=x onerror=window.hit=1>",
  '<iframe srcdoc="<script>parent.hit=1</script>">',
  '<a href="javascript:window.hit=1">x</a>',
  'javascript:window.hit=1',
  '<body onload=window.hit=1>',
  '<details open ontoggle=window.hit=1>',
  '<input autofocus onfocus=window.hit=1>',
  '<video><source onerror=window.hit=1></video>',
  '<math><mtext></mtext><script>window.hit=1</script></math>',
  '<style>@import "//x/y"</style>',
  '<link rel=stylesheet href=//x/y>',
  '<base href=//x/>',
  '<form action=javascript:window.hit=1><button>x</button></form>',
  '<object data=javascript:window.hit=1>',
  '<embed src=javascript:window.hit=1>',
  '<meta http-equiv=refresh content="0;url=javascript:window.hit=1">',
  '#{window.hit=1}',
  '{{constructor.constructor("window.hit=1")()}}',
  '</title><script>window.hit=1</script>',
  '</textarea><script>window.hit=1</script>',
  '--><script>window.hit=1</script>',
  ']]><script>window.hit=1</script>',
  '\u202e<script>window.hit=1</script>',
  '<scr<script>ipt>window.hit=1</script>',
  '&lt;script&gt;window.hit=1&lt;/script&gt;',
  '<x onclick=window.hit=1 style="background:url(//x/y)">x</x>',
];

let running: RunningConsole;
let ids: Readonly<Record<string, readonly string[]>>;
let poisoned = '';

beforeAll(async () => {
  const trouble = await storeInTrouble();
  ids = trouble.ids;
  const { store } = trouble;
  const died = Promise.withResolvers<void>();
  let left = SCRIPTS.length;
  const fail = ({ text }: { text: string }) => {
    left -= 1;
    if (left === 0) died.resolve();
    return final(text);
  };
  const jobs = jobsOn(store, { [SCRIPTS[0] ?? '']: fail }, { log: 'off' });
  for (const text of SCRIPTS) {
    const options = { queue: text.slice(0, 60), tags: [text.slice(0, 60)] };
    poisoned = (await jobs.enqueue(SCRIPTS[0] ?? '', { text, [text]: text }, options)).id;
  }
  const later = { id: 'import-7', delayMs: 3_600_000 };
  await jobs.enqueueBatch(SCRIPTS[0] ?? '', [{ text: '' }], later);
  await jobs.start();
  await died.promise;
  await jobs.stop();
  running = await startConsole({ store });
}, 60_000);
afterAll(() => running.close());

const paths = () => [
  '/',
  `/dead?open=${ids.import?.at(-1)}`,
  '/jobs',
  `/jobs/${ids.charge?.[0]}`,
  '/batches?open=import-7',
  '/stuck',
  '/control',
  '/control?act=engage&scope=queue:billing',
  '/ops',
  '/escalations',
  '/policies',
  '/policies/try?a=events.default&max_attempts=3',
  '/sources',
  '/audit',
  '/health',
];

describe('Axe finds no serious problem in any view', () => {
  // Colours are all that differs between the two.
  test.each(['light', 'dark'] as const)('%s', { timeout: 90_000 }, async (theme) => {
    const page = await running.open('/', { theme });
    const found: string[] = [];
    for (const path of paths()) {
      await page.goto(running.url + path);
      await page.waitForSelector('h1');
      await page.waitForFunction(() => document.querySelector('.skeleton') === null);
      await page.evaluate(AXE);
      const rules = theme === 'dark' ? ['color-contrast'] : undefined;
      const problems = await page.evaluate(async (only) => {
        // Put there by the line above.
        const { axe } = globalThis as unknown as {
          axe: {
            run(options: object): Promise<{
              violations: {
                id: string;
                impact: string;
                nodes: { html: string; failureSummary: string }[];
              }[];
            }>;
          };
        };
        const { violations } = await axe.run(only === undefined ? {} : { runOnly: only });
        return violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(
            ({ id, nodes }) =>
              `${id} ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary.slice(0, 300)}`,
          );
      }, rules);
      found.push(...problems.map((problem) => `${path} ${problem}`));
    }
    expect(found).toEqual([]);
  });
});

test('30 script payloads in every rendered field: 0 executed, 0 reports of the content security policy', async () => {
  const page = await running.open('/');
  for (const path of [
    ...paths(),
    `/dead?open=${poisoned}`,
    `/jobs/${poisoned}`,
    `/dead?q=${encodeURIComponent(SCRIPTS[1] ?? '')}`,
  ]) {
    await page.goto(running.url + path);
    await page.waitForSelector('h1');
    await page.waitForFunction(() => document.querySelector('.skeleton') === null);
    expect(await page.evaluate(() => 'hit' in window), path).toBe(false);
  }
  expect(running.violations).toEqual([]);
});

test('by keys alone: pages, help, commands, theme, live and search', async () => {
  const page = await running.open('/');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.waitForURL('**/dead');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open] >> text=Keys');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog[open]', { state: 'detached' });
  await page.keyboard.press('t');
  await page.waitForSelector('html[data-theme="dark"]');
  await page.keyboard.press('r');
  await page.waitForSelector('.live.paused');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('go to control');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/control');
  await page.keyboard.press('/');
  await page.keyboard.type('handlr:import');
  await page.waitForSelector('text=handlr: is not a filter. Did you mean handler: ?');
  await page.keyboard.press('Escape');
  await page.keyboard.type('handler:import');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dead?q=handler*');
});

test('on a phone the overview answers what is failing, and the page never scrolls sideways', async () => {
  const page = await running.open('/', { width: 360, height: 740 });
  await page.waitForSelector('.needs .c >> text=does not exist');
  await page.waitForSelector('.needs .c >> text=Ramp stopped requeue inc-6-reports');
  for (const path of paths()) {
    await page.goto(running.url + path);
    await page.waitForSelector('h1');
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(isWide, path).toBe(false);
  }
});
