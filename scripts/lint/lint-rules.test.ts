import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const root = dirname(dirname(import.meta.dirname));
const biome = join(root, 'node_modules/.bin/biome');

let tree: string;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'redrive-lint-'));
  mkdirSync(join(tree, '.git'));
  writeFileSync(join(tree, '.gitignore'), 'dist/\n');
  cpSync(join(root, 'biome.json'), join(tree, 'biome.json'));
  cpSync(import.meta.dirname, join(tree, 'scripts/lint'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
});
afterEach(() => {
  rmSync(tree, { recursive: true, force: true });
});

/** Writes each snippet into `folder` and answers with those that our configuration refuses. */
function refused(folder: string, snippets: readonly string[], extension = '.ts'): string[] {
  mkdirSync(join(tree, folder), { recursive: true });
  const files = snippets.map((_, index) => join(folder, `snippet-${index}${extension}`));
  for (const [index, file] of files.entries()) {
    writeFileSync(join(tree, file), `${snippets[index]}\n`);
  }
  const args = ['lint', '--reporter=json', '--max-diagnostics=none', folder];
  const { stdout, stderr } = spawnSync(biome, args, { cwd: tree, encoding: 'utf8' });
  const report: Report = JSON.parse(stdout || '{}');
  if (report.summary === undefined) throw new Error(`Biome did not run: ${stderr}`);
  const errors = report.diagnostics.filter(({ severity }) => severity === 'error');
  const paths = new Set(errors.map(({ location }) => location.path));
  return snippets.filter((_, index) => paths.has(files[index] ?? ''));
}

interface Report {
  readonly summary?: object;
  readonly diagnostics: readonly { severity: string; location: { path: string } }[];
}

const timeAndChance = [
  'export const x = Date.now();',
  'export const x = Date.now;',
  'export const x = new Date();',
  'export const x = Math.random();',
  'export const { random } = Math;',
  'export const x = performance.now();',
  'export const x = crypto.randomUUID();',
  'export const x = crypto.getRandomValues(new Uint8Array(8));',
  'export const x = setTimeout(() => {}, 1);',
  'export const x = setInterval(() => {}, 1);',
  'export const x = setImmediate(() => {});',
  'export const x = globalThis.setTimeout(() => {}, 1);',
  `import { setTimeout as wait } from 'node:timers/promises';\nexport { wait };`,
  `import { randomUUID } from 'node:crypto';\nexport { randomUUID };`,
];

describe('time and chance', () => {
  test.each([
    ['packages/core/src/run', '.ts'],
    ['packages/core/src/run', '.test.ts'],
    ['packages/durable/src', '.ts'],
    ['packages/testkit/src', '.ts'],
    ['examples', '.ts'],
  ])('are refused in %s/*%s', (folder, extension) => {
    expect(refused(folder, timeAndChance, extension)).toEqual(timeAndChance);
  });

  test.each([
    'packages/core/src/clock',
    'packages/core/src/random',
    'packages/testkit/src/services',
    'scripts',
    'bench',
  ])('are allowed in %s', (folder) => {
    expect(refused(folder, timeAndChance)).toEqual([]);
  });

  test('are welcome when they were passed in', () => {
    const passedIn = [
      'export const x = new Date(5);',
      'export const x = (clock: { now(): number }) => clock.now();',
      'export const x = (setTimeout: () => void) => setTimeout();',
    ];
    expect(refused('packages/core/src/run', passedIn)).toEqual([]);
  });
});

test('floating promises, any, non-null assertions and import cycles are refused', () => {
  const habits = [
    'async function f(): Promise<void> {}\nexport function g() {\n  f();\n}',
    'export const x = (y: any) => y;',
    'export const x = (y?: string) => y!.length;',
    `import { b } from './snippet-4.ts';\nexport const a = () => b;`,
    `import { a } from './snippet-3.ts';\nexport const b = () => a;`,
  ];
  expect(refused('packages/core/src', habits)).toEqual(habits);
});
