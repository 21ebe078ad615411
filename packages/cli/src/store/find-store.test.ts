import { join } from 'node:path';
import { memoryStore } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { main } from '../main.ts';
import type { Io } from '../terminal/io.ts';
import { screenOf } from '../terminal/screen.ts';
import { runMain } from '../testing/run-main.ts';
import { scratchDirectory } from '../testing/scratch-directory.ts';

/** The URL that a command opens. */
async function opened(args: readonly string[], env: Io['env'], files: Record<string, string>) {
  const urls: string[] = [];
  const directory = scratchDirectory(onTestFinished, files);
  let stderr = '';
  await main(['status', ...args], {
    flushed: async () => {},
    edit: async () => 1,
    stdout: () => {},
    stderr: (text) => {
      stderr += text;
    },
    stdin: async function* () {},
    screen: screenOf({}, {}),
    errorScreen: screenOf({}, {}),
    env,
    directory,
    openStore: async (url) => {
      urls.push(url);
      return memoryStore();
    },
    openBus: () => Promise.reject(new Error('no bus here')),
    openDocuments: () => Promise.reject(new Error('no documents here')),
    exit: () => {},
    takeSignals: () => () => {},
  });
  return { url: urls[0]?.replace(directory, '…'), stderr };
}

const FILES = { 'redrive.yaml': 'version: "1.1.0"\nstore: { url: "sqlite:./of-the-file.db" }\n' };
const ENV = { REDRIVE_STORE: 'sqlite:of-the-environment.db' };

test.each<[string, string[], Io['env'], Record<string, string>, string]>([
  ['--store', ['--store', 'sqlite:flag.db'], ENV, FILES, 'sqlite:flag.db'],
  ['REDRIVE_STORE', [], ENV, FILES, 'sqlite:of-the-environment.db'],
  ['the configuration', [], { REDRIVE_STORE: '' }, FILES, 'sqlite:…/of-the-file.db'],
  ['a file in this directory', [], {}, {}, 'sqlite:./redrive.db'],
])('%s', async (_, args, env, files, url) => {
  expect((await opened(args, env, files)).url).toBe(url);
});

test('--verbose says which, without credentials', async () => {
  const env = { REDRIVE_STORE: 'postgres://me:secret@db.example.org/jobs' };
  const { stderr } = await opened(['--verbose'], env, {});
  expect(stderr).toContain('store: postgres://***@db.example.org/jobs (REDRIVE_STORE)\n');
  expect(stderr).not.toContain('secret');
});

test('a broken configuration does not keep anybody from looking at a store that is named', async () => {
  const broken = { 'redrive.yaml': 'version: 7\n' };
  expect((await opened(['--store', 'sqlite:x.db'], {}, broken)).url).toBe('sqlite:x.db');
  expect((await opened([], {}, broken)).url).toBe('sqlite:./redrive.db');
});

test('looking at a store that is not there makes none', async () => {
  const directory = scratchDirectory(onTestFinished);
  const { exitCode, stderr } = await runMain(['status'], { directory });
  expect(exitCode).toBe(8);
  expect(stderr).toMatch(
    /The store \/\S*\/redrive\.db does not exist\. A worker \("redrive start"\)/,
  );
});

test('--store and openStore take the same path', async () => {
  const directory = scratchDirectory(onTestFinished);
  const store = await openStore(join(directory, 'events.db'));
  await store.migrate();
  await store.close();
  for (const path of [
    'events.db',
    './events.db',
    'sqlite:events.db',
    join(directory, 'events.db'),
  ]) {
    const { exitCode, stdout } = await runMain(['status', '--store', path, '--json'], {
      directory,
    });
    expect([path, exitCode]).toEqual([path, 0]);
    expect(JSON.parse(stdout).store).toMatch(/^sqlite:.*events\.db$/);
  }
});

test.each(['mysql://me:secret@host/db', 'http:x', '//host/x', 'sqlite:', 'sqlite://host/x'])(
  '%s is no store',
  async (url) => {
    const { exitCode, stderr } = await runMain(['status', '--store', url]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/This is not a store: .*\nWrite the path of a SQLite file/);
    expect(stderr).not.toContain('secret');
  },
);
