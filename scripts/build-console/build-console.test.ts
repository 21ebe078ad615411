import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const root = dirname(dirname(import.meta.dirname));
const site = join(root, 'packages/server/dist/console');
const WORKER = 'assets/lab-worker-*.js';
const textOf = (file: string) => readFileSync(join(site, file), 'utf8');

/** A script and those that it imports at once; what it imports later is another view's. */
function closureOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name = ''] of textOf(file).matchAll(
    /(?:^|[;}])(?:import|export)[^;()]*?["']\.\/([\w.-]+\.js)["']/g,
  )) {
    closureOf(`assets/${name}`, seen);
  }
  return seen;
}

test('the script of every view: at most 160 kB minified and 64 kB gzipped, with the frame and the chart', () => {
  const [, entry = ''] = /<script[^>]+src="\/([^"]+)"/.exec(textOf('index.html')) ?? [];
  const chart = globSync('assets/uPlot*.js', { cwd: site });
  expect(chart).toHaveLength(1);
  const views = globSync('assets/*.js', { cwd: site, exclude: [WORKER] }).filter(
    (file) => file !== entry,
  );
  expect(views.length).toBeGreaterThan(10);
  for (const view of views) {
    const files = new Set([...closureOf(entry), ...closureOf(view), ...chart]);
    const all = [...files].map(textOf).join('');
    expect(Buffer.byteLength(all), view).toBeLessThanOrEqual(160_000);
    expect(gzipSync(all).length, view).toBeLessThanOrEqual(64_000);
  }
});

test('the worker with the lab: a file of its own that no script imports, at most 60 kB gzipped', () => {
  const [worker = '', ...more] = globSync(WORKER, { cwd: site });
  expect(more).toEqual([]);
  expect([...closureOf(worker)]).toEqual([worker]);
  expect(gzipSync(textOf(worker)).length).toBeLessThanOrEqual(60_000);
  const importers = globSync('assets/*.js', { cwd: site }).filter((file) =>
    /import[^;]*lab-worker/.test(textOf(file)),
  );
  expect(importers).toEqual([]);
});

test('nothing is inline and nothing comes from another host', () => {
  const page = textOf('index.html');
  expect(page).not.toMatch(/\sstyle=|\son\w+=|<style/);
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
  for (const file of globSync('**/*.{html,js,css}', { cwd: site })) {
    const hosts = [
      ...textOf(file).matchAll(
        /(?:src|href|url|fetch|import)\s*[=(]\s*["'`]?(https?:)?\/\/[^"'`)\s]+/g,
      ),
    ];
    expect(hosts.map(([text]) => text)).toEqual([]);
  }
});
