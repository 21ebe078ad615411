import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { svgOf, THEMES } from './ansi-svg.ts';
import { captures } from './captures.ts';

const root = join(import.meta.dirname, '../..');
const directory = join(root, 'docs/captures');

test('the terminal captures in docs/ are what the commands print: npm run captures draws them anew', async () => {
  const drawn = await captures();
  expect(readdirSync(directory).sort()).toEqual(drawn.map(({ file }) => file).sort());
  for (const { file, svg } of drawn) {
    expect(readFileSync(join(directory, file), 'utf8'), file).toBe(svg);
  }
});

test('every capture is shown in a page', () => {
  const pages = [
    'README.md',
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(
      (page) => `docs/${page}`,
    ),
  ];
  const text = pages
    .filter((page) => page.endsWith('.md'))
    .map((page) => readFileSync(join(root, page), 'utf8'))
    .join('\n');
  for (const file of readdirSync(directory)) expect(text).toContain(`captures/${file}`);
});

test('an escape sequence that the drawing does not know is refused', () => {
  const { light } = THEMES;
  const svg = svgOf('\x1b[31m<b>\x1b[39m  \x1b[1mbold\x1b[22m', 20, light, 'a & b');
  expect(svg).toContain('<title>a &amp; b</title>');
  expect(svg).toContain(`fill="${light.colours['31']}">&lt;b&gt;</text>`);
  expect(svg).toMatch(/x="58" y="30" textLength="33.6" font-weight="bold">bold</);
  expect(() => svgOf('\x1b[2J', 20, light, '')).toThrow('no style');
});
