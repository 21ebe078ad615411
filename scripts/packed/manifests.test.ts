import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NEWEST_NODE, oldestNodeOf } from './outside.ts';

// The parts of a tarball that are written by hand. packed.long.test.ts looks into the tarballs themselves.
const root = join(import.meta.dirname, '../..');
const repository = 'https://github.com/redrive/redrive';
const read = (path: string) => readFileSync(join(root, path), 'utf8');
// A private package is part of the tarball of another one.
const folders = globSync('packages/*/package.json', { cwd: root })
  .filter((path) => JSON.parse(read(path)).private !== true)
  .map(dirname)
  .sort();

describe.each(folders)('%s', (folder) => {
  const manifest = JSON.parse(read(`${folder}/package.json`));

  test('says where it comes from, and is public', () => {
    expect(manifest).toMatchObject({
      homepage: `${repository}/tree/main/${folder}#readme`,
      bugs: `${repository}/issues`,
      repository: { type: 'git', url: `git+${repository}.git`, directory: folder },
      publishConfig: { access: 'public' },
    });
    expect(manifest.keywords.length).toBeGreaterThanOrEqual(4);
  });

  test('has the licence of the repository', () => {
    expect(read(`${folder}/LICENSE`)).toBe(read('LICENSE'));
  });

  test('has a README whose links work outside the repository', () => {
    const links = [...read(`${folder}/README.md`).matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g)];
    const broken = links.flatMap(([, link = '']) => (isGood(link) ? [] : link));
    expect(broken).toEqual([]);
  });

  test('has a README that says how to install the tarballs', () => {
    const readme = read(`${folder}/README.md`);
    expect(readme).toContain('npm ci && npm run pack');
    expect(readme).toMatch(/npm install .*\/packed\//);
  });
});

// Nothing imports the command line, so nobody needs its types, maps and sources.
test.each(folders.filter((folder) => folder !== 'packages/cli'))(
  '%s packs the sources that its maps name, and no tests',
  (folder) => {
    const left = ['!**/*.test.ts', '!src/testing', '!**/*.tsbuildinfo'];
    const { files } = JSON.parse(read(`${folder}/package.json`));
    expect(files).toEqual(expect.arrayContaining(['src/**/*.ts', ...left]));
  },
);

/** A link into the repository must lead to a file that exists there. */
function isGood(link: string): boolean {
  const inside = new RegExp(`^${repository}/(?:blob|tree)/main/(.+)$`).exec(link)?.[1];
  if (inside !== undefined) return existsSync(join(root, inside));
  return link.startsWith('https://');
}

test('the oldest Node of each package is among those that its tarball is tested on', () => {
  const { optionalDependencies } = JSON.parse(read('scripts/packed/tools/package.json'));
  const versions = new Set([
    ...folders.map((folder) => oldestNodeOf(basename(folder))),
    NEWEST_NODE,
  ]);
  const names = [...versions].map((version) => `node-${version}-linux-x64`);
  expect(Object.keys(optionalDependencies)).toEqual(expect.arrayContaining(names));
});

test.each(folders)('the page about versions names the oldest Node of %s', (folder) => {
  const { name } = JSON.parse(read(`${folder}/package.json`));
  const rows = read('docs/reference/versions.md').split('\n');
  const row = rows.find((line) => line.startsWith('|') && line.includes(`\`${name}\``));
  expect(row).toContain(`| ${oldestNodeOf(basename(folder)).replace(/(\.0)+$/, '')}`);
});

test('the README says where npm run pack writes, and git ignores it', () => {
  expect(read('README.md')).toContain('npm run pack');
  expect(read('.gitignore').split('\n')).toContain('/packed/');
});
