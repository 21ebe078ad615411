import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openRunDirectory } from './directory.ts';

let parent = '';

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'redrive-directory-'));
  vi.stubEnv('TMPDIR', parent);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(parent, { recursive: true });
});

test('nothing is left in the temporary directory after a run', () => {
  const close = openRunDirectory();
  mkdtempSync(join(tmpdir(), 'left-by-a-test-'));
  expect(readdirSync(parent)).toEqual([expect.stringMatching(/^redrive-tests-/)]);
  expect(tmpdir()).toMatch(new RegExp(`^${parent}/redrive-tests-`));
  close();
  expect(readdirSync(parent)).toEqual([]);
  expect(tmpdir()).toBe(parent);
});

test('a run removes the directory of a run that was killed, and no other', () => {
  const file = JSON.stringify(join(import.meta.dirname, 'directory.ts'));
  const program = `
    import { openRunDirectory } from ${file};
    openRunDirectory();
    process.kill(process.pid, 'SIGKILL');`;
  spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
  const [killed = ''] = readdirSync(parent);
  expect(killed).toMatch(/^redrive-tests-/);
  const live = openRunDirectory();
  expect(existsSync(join(parent, killed))).toBe(false);

  vi.stubEnv('TMPDIR', parent);
  const foreign = join(parent, 'redrive-tests-foreign');
  mkdirSync(foreign);
  writeFileSync(join(foreign, 'owner'), 'pid:[1] 999999999');
  const before = readdirSync(parent);
  openRunDirectory()();
  expect(readdirSync(parent)).toEqual(before);
  vi.stubEnv('TMPDIR', parent);
  live();
  expect(readdirSync(parent)).toEqual(['redrive-tests-foreign']);
});

test('a run removes the directory of a run that was killed while it removed it', () => {
  const file = JSON.stringify(join(import.meta.dirname, 'directory.ts'));
  const program = `
    import fs, { mkdirSync, readdirSync } from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    import { tmpdir } from 'node:os';
    import { join } from 'node:path';
    import { openRunDirectory } from ${file};
    const close = openRunDirectory();
    mkdirSync(join(tmpdir(), 'postgres/data'), { recursive: true });
    const { rmSync } = fs;
    fs.rmSync = (path, options) => {
      rmSync(join(path, readdirSync(path)[0]), options);
      process.kill(process.pid, 'SIGKILL');
    };
    syncBuiltinESMExports();
    close();`;
  spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
  expect(readdirSync(parent)).toEqual([expect.stringMatching(/^redrive-tests-/)]);
  openRunDirectory()();
  expect(readdirSync(parent)).toEqual([]);
});
