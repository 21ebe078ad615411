import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aptInstall } from './apt-install.ts';
import { ensureBinaries, ensureBinary } from './ensure-binary.ts';

let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'redrive-binaries-'));
  chmodSync(dir, 0o755);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

function program(path: string, script = ':'): string {
  const file = join(dir, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

describe('a program', () => {
  test('is found on PATH before its known paths', async () => {
    const known = program('known/thing');
    const onPath = program('bin/thing');
    vi.stubEnv('PATH', `relative:${join(dir, 'bin')}`);
    const spec = { name: 'thing', aptPackage: 'thing', paths: [known] };
    expect(await ensureBinary(spec)).toBe(onPath);
    rmSync(onPath);
    expect(await ensureBinary(spec)).toBe(known);
  });

  test('that nobody can reach does not do for root, whose services run as nobody', async () => {
    const hidden = program('home/thing');
    const open = program('bin/thing');
    chmodSync(join(dir, 'home'), 0o700);
    const spec = { name: 'thing', aptPackage: 'thing', paths: [hidden, open] };
    expect(await ensureBinary(spec)).toBe(process.getuid?.() === 0 ? open : hidden);
  });

  test('that is a folder or cannot be executed does not do', async () => {
    mkdirSync(join(dir, 'folder/thing'), { recursive: true });
    const plain = program('plain/thing');
    chmodSync(plain, 0o644);
    const good = program('good/thing');
    const spec = {
      name: 'thing',
      aptPackage: 'thing',
      paths: [join(dir, 'folder/thing'), plain, good],
    };
    expect(await ensureBinary(spec)).toBe(good);
  });

  test('that is missing where nothing can be installed is named in one line', async () => {
    vi.stubEnv('PATH', dir);
    await expect(ensureBinary({ name: 'thing-server', aptPackage: 'thing' })).rejects.toThrow(
      /^"thing-server" is missing: install it, on Debian with "apt-get install thing"$/,
    );
  });
});

test('all programs that are missing where nothing can be installed are named in one line', async () => {
  const there = program('bin/there');
  vi.stubEnv('PATH', join(dir, 'bin'));
  const specs = [
    { name: 'there', aptPackage: 'there' },
    { name: 'thing-server', aptPackage: 'thing' },
    { name: 'other', aptPackage: 'other-package' },
  ];
  await expect(ensureBinaries(specs)).rejects.toThrow(
    /^"thing-server", "other" are missing: install them, on Debian with "apt-get install thing other-package"$/,
  );
  expect(await ensureBinaries(specs.slice(0, 1))).toEqual([there]);
});

describe('an installation', () => {
  const spec = { name: 'thing', aptPackage: 'thing-package' };
  const log = () => readFileSync(join(dir, 'log'), 'utf8').trim().split('\n');

  /** Stands in for apt-get (and sudo), and writes down how it is called. */
  function fakeApt(script: string): void {
    program('bin/sudo', '[ "$1" = -n ] && shift; exec "$@"');
    program('bin/apt-get', `cd ${dir}; echo "$1 $DEBIAN_FRONTEND" >> log; ${script}`);
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    vi.stubEnv('DEBIAN_FRONTEND', '');
    vi.stubEnv('PATH', `${join(dir, 'bin')}:${process.env.PATH}`);
  }

  const install = (options = {}) => aptInstall([{ ...spec, ...options }], join(dir, 'lock'));

  test('is prepared, asks nothing, and fetches no lists that it does not need', async () => {
    fakeApt('[ "$1" != install ] || { test -e prepared && echo "$@" > asked; }');
    await install({ prepare: `cd ${dir}\ntouch prepared` });
    expect(log()).toEqual(['--version ', 'install noninteractive']);
    expect(readFileSync(join(dir, 'asked'), 'utf8')).toMatch(/--yes .* thing-package\n$/);
  });

  test('says what it installs before it does', async () => {
    fakeApt('[ "$1" != install ] || test -e said');
    const said: unknown[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said.push(text);
      writeFileSync(join(dir, 'said'), '');
      return true;
    });
    await aptInstall([spec, { name: 'other', aptPackage: 'other' }], join(dir, 'lock'));
    const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
    expect(said).toEqual([
      `"thing", "other" are missing: running "${sudo}apt-get install thing-package other"\n`,
    ]);
  });

  test('fetches lists when it does not work without', async () => {
    fakeApt('case $1 in update) touch lists;; install) test -e lists;; esac');
    await install();
    expect(log().slice(1)).toEqual(
      ['install', 'update', 'install'].map((verb) => `${verb} noninteractive`),
    );
  });

  test('waits for another one', async () => {
    // The second one to come fails if the first has not finished.
    fakeApt('[ "$1" = install ] || exit 0; mkdir busy || touch clash; sleep 0.1; rmdir busy');
    await Promise.all([install(), install(), install()]);
    expect(log().filter((line) => line.startsWith('install'))).toHaveLength(3);
    expect(existsSync(join(dir, 'clash'))).toBe(false);
  });

  test('that fails says so in one line, with the place of its log', async () => {
    fakeApt('[ "$1" = --version ] || { echo unreachable; exit 100; }');
    const error: Error = await install().then(
      () => Promise.reject(new Error('It was installed')),
      (reason) => reason,
    );
    const [, logFile = ''] =
      /^"thing" is missing and "apt-get install thing-package" failed \(see (.*)\): install it by hand$/.exec(
        error.message,
      ) ?? [];
    expect(readFileSync(logFile, 'utf8')).toContain('unreachable');
    rmSync(join(logFile, '..'), { recursive: true });
  });
});
