import { spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

// `npm run release` on a copy of the manifests, with a history of its own.
const root = dirname(import.meta.dirname);
let copy: string;

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'redrive-release-'));
  const files = globSync(
    [
      '*.json',
      '.npmrc',
      '.changeset/config.json',
      'packages/*/package.json',
      'scripts/release*/**',
    ],
    { cwd: root },
  );
  for (const file of [...files, 'scripts/release.ts']) {
    cpSync(join(root, file), join(copy, file), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  run('git', 'init', '--quiet', '--initial-branch', 'main');
  commit();
});
afterEach(() => {
  rmSync(copy, { recursive: true, force: true });
});

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, encoding: 'utf8' });
  expect({ program, args, status, stderr }).toMatchObject({ status: 0 });
  return stdout;
}

function commit(): void {
  run('git', 'add', '--all');
  const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  run('git', ...person, 'commit', '--quiet', '--allow-empty', '--message', 'A step');
}

const save = (file: string, text: string): void => writeFileSync(join(copy, file), text);
const read = (file: string): string => readFileSync(join(copy, file), 'utf8');
const note = (name: string, bump: string, text: string): void =>
  save(`.changeset/${name}.md`, `---\n${bump}\n---\n\n${text}\n`);
const versions = (): Set<string> =>
  new Set(
    globSync(['package.json', 'packages/*/package.json'], { cwd: copy }).map(
      (file) => JSON.parse(read(file)).version,
    ),
  );

test('changesets write the changelog', { timeout: 120_000 }, () => {
  const { version } = JSON.parse(read('package.json'));
  save('CHANGELOG.md', `# Changelog\n\n## ${version} (unreleased)\n\n- Written by hand.\n`);
  note('first', '"redrive": patch', 'Mended.');
  commit();
  run('npm', 'run', '--silent', 'release');
  const first = `## ${version}\n\n- Written by hand.\n\nAlso:\n\n- Mended.\n`;
  expect(read('CHANGELOG.md')).toContain(first);
  expect(versions()).toEqual(new Set([version]));

  note('break', '"@redrive/core": minor', '`retry` takes no string: pass a function.');
  note('feature', '"redrive": patch', 'A new command.');
  commit();
  run('npm', 'run', '--silent', 'release');
  const [, minor] = version.split('.');
  const next = `0.${Number(minor) + 1}.0`;
  expect(read('CHANGELOG.md')).toContain(
    `## ${next}\n\nWhat breaks:\n\n- \`retry\` takes no string: pass a function.\n\nWhat is new:\n\n- A new command.\n\n${first}`,
  );
  expect(versions()).toEqual(new Set([next]));
  expect(JSON.parse(read('package-lock.json')).version).toBe(next);
  expect(globSync('.changeset/*.md', { cwd: copy })).toEqual([]);
});
