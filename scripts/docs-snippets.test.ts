import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Every block marked `ts` in the documentation runs, on the build, and prints what its
// `// prints:` comments say.
const root = dirname(import.meta.dirname);
const pages = ['*.md', 'docs/**/*.md', 'packages/*/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);
const snippets = pages.flatMap((page) => {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms);
  return [...blocks].map(([, code = ''], index) => ({ page, number: index + 1, code }));
});

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'redrive-docs-'));
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
});
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

test('there are snippets to run', () => {
  expect(snippets.map(({ page }) => page)).toContain('README.md');
});

test.each(snippets)('$page, snippet $number', ({ code }) => {
  // A directory of its own: what one snippet writes, the next one does not find.
  const cwd = mkdtempSync(join(scratch, 'snippet-'));
  const file = join(cwd, 'snippet.mts');
  writeFileSync(file, code);
  const run = spawnSync(process.execPath, [file], { cwd, encoding: 'utf8', timeout: 20_000 });
  const promised = [...code.matchAll(/\/\/ prints: (.*)$/gm)].map(([, line]) => `${line}\n`);
  expect(run).toMatchObject({ stderr: '', stdout: promised.join(''), status: 0 });
});
