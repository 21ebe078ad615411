import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mayImport } from './layers/rules.ts';
import { entriesOf } from './package-entries.ts';

// What is written in more than one place must agree.
const root = dirname(import.meta.dirname);
const folders = globSync('packages/*/package.json', { cwd: root }).map(dirname).sort();

function readJson(path: string) {
  const withComments = readFileSync(join(root, path), 'utf8');
  return JSON.parse(withComments.replaceAll(/^\s*\/\/.*$/gm, ''));
}

describe.each(['.', ...folders])('%s/package.json', (folder) => {
  const manifest = readJson(`${folder}/package.json`);

  test('has the one version, licence and engine', () => {
    const { version, license, engines, type } = readJson('package.json');
    expect(manifest).toMatchObject({ version, license, type });
    // Core runs where nothing else does: see oldest-node.test.ts. SQLite's are the releases of Node with an SQLite that
    // keeps its commits.
    const own: Record<string, { node: string }> = {
      'packages/core': { node: '>=20' },
      'packages/sqlite': { node: '^22.22.3 || ^24.15.0 || >=25.9.0' },
    };
    expect(manifest.engines).toEqual(own[folder] ?? engines);
  });

  test('pins what only the repository uses, and its own packages', () => {
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = manifest;
    const own = Object.entries(dependencies).filter(([name]) => name.startsWith('@redrive/'));
    const versions = Object.values({
      ...devDependencies,
      ...optionalDependencies,
      ...Object.fromEntries(own),
    });
    for (const version of versions) expect(version).toMatch(/^(npm:[\w-]+@)?\d+\.\d+\.\d+$/);
  });

  test('gives a range for what users install with it, so that they have it once', () => {
    const { dependencies = {}, peerDependencies = {} } = manifest;
    const others = Object.entries<string>({ ...dependencies, ...peerDependencies }).filter(
      ([name]) => !name.startsWith('@redrive/'),
    );
    for (const [, range] of others) expect(range).toMatch(/^(\^|>=)\d/);
  });
});

test('the lockfile names no host to download from', () => {
  const { packages } = readJson('package-lock.json');
  const resolved = Object.values<{ resolved?: string }>(packages).flatMap((p) => p.resolved ?? []);
  expect(resolved.sort()).toEqual(folders);
});

test('the lockfile keeps no optional package from an old Node: remove its "engines" there', () => {
  // npm leaves out an optional package without a word when the Node that runs npm does not suit its engines. Vitest does
  // not start without the one of rolldown, and Debian 12 has Node 18; the package itself runs on the pinned Node.
  type Locked = { optional?: boolean; engines?: { node?: string } };
  const locked = Object.entries<Locked>(readJson('package-lock.json').packages);
  const leftOut = locked.filter(([, { optional, engines }]) => {
    const lowest = /\d+/.exec(engines?.node ?? '');
    return optional === true && lowest !== null && Number(lowest[0]) > 18;
  });
  expect(leftOut.map(([path]) => path)).toEqual([]);
});

test('type checks find every public entry at its source', () => {
  const { paths } = readJson('tsconfig.test.json').compilerOptions;
  const fromExports = entriesOf(root).map(({ name, source }) => [name, [`./${source}`]]);
  expect(paths).toEqual(Object.fromEntries(fromExports));
});

test.each(folders)('%s is built and has its place in the layers', (folder) => {
  const { references } = readJson('tsconfig.json');
  expect(references).toContainEqual({ path: folder });
  expect(Object.keys(mayImport)).toContain(folder.replace('packages/', ''));
});

test.each(folders)(
  'the README of %s says which Node it needs and what to do on an older one',
  (folder) => {
    const { engines } = readJson(`${folder}/package.json`);
    const readme = readFileSync(join(root, folder, 'README.md'), 'utf8');
    const lowest = engines.node.match(/[\d.]+/g) ?? [];
    expect(lowest).not.toEqual([]);
    const [line = ''] = /^.*EBADENGINE.*$/m.exec(readme) ?? [];
    for (const version of lowest) expect(line).toContain(version);
    expect(line).toContain('docs/reference/versions.md#an-older-node');
  },
);

test.each(['tutorial/first-retry.md', 'tutorial/first-job.md', 'reference/versions.md'])(
  'docs/%s names the remedy for EBADENGINE',
  (page) => {
    const text = readFileSync(join(root, 'docs', page), 'utf8');
    expect(text).toMatch(/EBADENGINE|versions\.md#an-older-node/);
  },
);

test('decision records are numbered in turn, in their names and their titles', () => {
  const directory = join(root, 'docs/decisions');
  const names = globSync('[0-9]*.md', { cwd: directory }).sort();
  const numbers = names.map((name) => Number(name.slice(0, 4)));
  expect(numbers).toEqual(numbers.map((_, before) => before + 1));
  const texts = names.map((name) => readFileSync(join(directory, name), 'utf8'));
  expect(texts.map((text) => Number(/^# (\d+)\. /.exec(text)?.[1]))).toEqual(numbers);
});

test('every note for the changelog names packages that exist', () => {
  const names = folders.map((folder) => readJson(`${folder}/package.json`).name);
  const notes = globSync('.changeset/*.md', { cwd: root }).map((note) => {
    const [, head = ''] = readFileSync(join(root, note), 'utf8').split('---\n');
    return [note, [...head.matchAll(/^"([^"]+)":/gm)].map(([, name]) => name)] as const;
  });
  const wrong = notes.flatMap(([note, named]) =>
    named.filter((name) => !names.includes(name)).map((name) => `${note}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('a printed command gets each value by commandText, which quotes it for a shell', () => {
  const paths = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !/\.test\.ts$|\/testing\/|^packages\/postgres\//.test(path),
  );
  // `act` is a word of the program itself.
  const command =
    /(?<!commandText)`(?:[^`]*(?:["(]|: ))?redrive(?: [a-z-]+)+ (?:--[a-z-]+[= ])?\$\{(?!act\})[\w.]+\}.*/g;
  const found = paths.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return (text.match(command) ?? []).map((line) => `${path}: ${line}`);
  });
  expect(found).toEqual([]);
});
