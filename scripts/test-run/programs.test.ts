import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAMS } from './programs.ts';

const root = dirname(dirname(import.meta.dirname));
const before = join(import.meta.dirname, 'before.mjs');

test('the list has every program that a test has installed', () => {
  const files = globSync('{packages/*/src,scripts,examples}/**/*.ts', { cwd: root });
  const sources = files.filter((file) => !/ensure-binary\.test|test-run\//.test(file));
  const named = sources.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/aptPackage: '([^']+)'/g),
  ]);
  const listed = PROGRAMS.map(({ aptPackage }) => aptPackage);
  expect(new Set(listed)).toEqual(new Set(named.map(([, aptPackage]) => aptPackage)));
});

test('the README names every package that a run may install', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  for (const { aptPackage } of PROGRAMS) expect(readme).toContain(`\`${aptPackage}\``);
});

test('a user without rights is told once, before any test, what to install', () => {
  const empty = mkdtempSync(join(tmpdir(), 'redrive-path-'));
  try {
    // Without a PATH there is neither a program nor a way to install one; known paths are looked at all the same.
    const { status, stderr, stdout } = spawnSync(process.execPath, [before], {
      env: { PATH: empty },
      encoding: 'utf8',
    });
    const missing = PROGRAMS.filter(({ paths = [] }) => !paths.some((path) => existsSync(path)));
    const names = missing.map(({ name }) => `"${name}"`).join(', ');
    const packages = missing.map(({ aptPackage }) => aptPackage).join(' ');
    expect(missing.length).toBeGreaterThan(1);
    expect(stderr).toBe(
      `${names} are missing: install them, on Debian with "apt-get install ${packages}"\n`,
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  } finally {
    rmSync(empty, { recursive: true });
  }
});

test('on a Node that is too old the run stops with one line', () => {
  const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '18.20.4' } })`;
  const { status, stderr } = spawnSync(process.execPath, ['--import', old, before], {
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^redrive needs Node 22\.18 or newer, but this is Node 18\.20\.4: .+\n$/);
  expect(status).toBe(1);
});
