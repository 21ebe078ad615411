import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundles } from '../bundle-size/measure.ts';
import { bundlePackage } from './bundle-package.ts';
import { copyPackage } from './copy-package.ts';

const root = join(import.meta.dirname, '../..');

let scratch: string;
/** Core, as it is packed. */
let core: string;
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'redrive-pack-'));
  core = join(scratch, 'node_modules/@redrive/core');
  copyPackage(join(root, 'packages/core'), core);
  await bundlePackage(core);
});
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

async function bundled(source: string, platform: 'browser' | 'node') {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: scratch },
    ...{ bundle: true, minify: true, write: false, format: 'esm', target: 'es2024', platform },
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

test('a package is loaded from two files and one per entry', () => {
  const files = globSync('*.js', { cwd: join(core, 'dist') }).map((file) =>
    file.replace(/-[\w-]{8}\.js$/, ''),
  );
  expect(files.sort()).toEqual(['index.js', 'node.js', 'shared', 'shared-2', 'stored.js']);
});

test('files that a browser replaces are where package.json names them', () => {
  const { browser } = JSON.parse(readFileSync(join(core, 'package.json'), 'utf8'));
  const paths = Object.entries<string>(browser).flat();
  for (const path of paths) expect(existsSync(join(core, path))).toBe(true);
});

test('all maps name sources that are in the package', () => {
  const dist = join(core, 'dist');
  const maps = globSync('**/*.map', { cwd: dist });
  const missing = maps.flatMap((map) => {
    const { sources }: { sources: string[] } = JSON.parse(readFileSync(join(dist, map), 'utf8'));
    return sources.filter((source) => !existsSync(join(dist, dirname(map), source)));
  });
  expect(maps.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

test.each(bundles)('$name is as small as from the sources', async ({ source, limitBytes }) => {
  const contents = await bundled(source, 'browser');
  expect(contents.length).toBeGreaterThan(500);
  // Another order of the same text is compressed a little differently.
  const most = limitBytes * 1.005;
  expect(gzipSync(contents, { level: 9 }).byteLength).toBeLessThanOrEqual(most);
});

test('the tables of errors are in a bundle for Node, and not in one for browsers', async () => {
  const source = `export { retry } from '@redrive/core';`;
  expect(Buffer.from(await bundled(source, 'node')).toString()).toContain('ECONNREFUSED');
  expect(Buffer.from(await bundled(source, 'browser')).toString()).not.toContain('ECONNREFUSED');
});

test('entries share one copy of each file', () => {
  const program = `
    import { isRedriveError } from '@redrive/core';
    import { retryingFetch } from '@redrive/core/fetch';
    try { retryingFetch({ nothing: 1 }) } catch (error) { console.log(isRedriveError(error)) }`;
  const args = ['--input-type=module', '--eval', program];
  expect(execFileSync(process.execPath, args, { cwd: scratch, encoding: 'utf8' })).toBe('true\n');
});
