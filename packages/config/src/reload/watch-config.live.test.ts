import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  type FSWatcher,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  unlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../config.ts';
import type { Problem } from '../problem/problem.ts';
import type { ConfigChange, ConfigWatcher, WatchConfigOptions } from './config-watcher.ts';
import type { WatchDirectory } from './directory-watchers.ts';
import { watchConfig } from './watch-config.ts';

// Real files, real time, real events, real signals. What happens is waited for, never slept for.
let directory: string;
let file: string;
let watcher: ConfigWatcher | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'redrive-live-'));
  file = join(directory, 'redrive.yaml');
});
afterEach(() => {
  watcher?.close();
  watcher = undefined;
  rmSync(directory, { recursive: true, force: true });
});

const textWith = (attempts: number, more = '') => `version: "1.1.0"
${more}policies:
  orders: { name: Orders, max_attempts: ${attempts}, backoff_type: fixed, base_delay: 1, max_delay: 1 }
subsystem_mappings: { shop: { checkout: { default: orders } } }
`;
const write = (attempts: number, more?: string) => writeFileSync(file, textWith(attempts, more));
const attemptsIn = (config: Config, id = 'orders') => config.policies.get(id)?.policy.maxAttempts;

/** Real time and real events: waits for the next change or problem. */
async function live(options: Partial<WatchConfigOptions> = {}) {
  let next = Promise.withResolvers<ConfigChange | readonly Problem[]>();
  const tell = (news: ConfigChange | readonly Problem[]) => {
    next.resolve(news);
    next = Promise.withResolvers();
  };
  watcher = await watchConfig({
    ...{ file, environment: {}, debounceMs: 5, pollMs: 20, keepAlive: true },
    ...{ onChange: tell, onProblem: tell, ...options },
  });
  return { watcher, next: () => next.promise };
}

describe('watching', () => {
  it('follows writes, renames and removals', async () => {
    write(3);
    const { watcher, next } = await live();
    write(4);
    expect(await next()).toMatchObject({ cause: 'file' });
    writeFileSync(`${file}.new`, textWith(5));
    renameSync(`${file}.new`, file);
    await next();
    expect(attemptsIn(watcher.current)).toBe(5);
    unlinkSync(file);
    expect(await next()).toMatchObject([{ code: 'unreadable_file' }]);
    expect(attemptsIn(watcher.current)).toBe(5);
    write(6);
    await next();
    expect(attemptsIn(watcher.current)).toBe(6);
  });

  it('survives a directory that is gone for a while', async () => {
    write(3);
    const { watcher, next } = await live();
    rmSync(directory, { recursive: true });
    expect(await next()).toMatchObject([{ code: 'unreadable_file' }]);
    mkdirSync(directory);
    write(4);
    await next();
    expect(attemptsIn(watcher.current)).toBe(4);
  });

  it('follows the environment file, and another one when the file names it', async () => {
    write(3, 'env_file: a.env\n');
    for (const name of ['a.env', 'b.env'])
      writeFileSync(join(directory, name), 'RETRY_MAX_ATTEMPTS=4\n');
    const { watcher, next } = await live();
    writeFileSync(join(directory, 'a.env'), 'RETRY_MAX_ATTEMPTS=5\n');
    await next();
    expect(attemptsIn(watcher.current, 'events.default')).toBe(5);
    write(3, 'env_file: b.env\n');
    await next();
    expect(attemptsIn(watcher.current, 'events.default')).toBe(4);
    writeFileSync(join(directory, 'b.env'), 'RETRY_MAX_ATTEMPTS=6\n');
    await next();
    expect(attemptsIn(watcher.current, 'events.default')).toBe(6);
  });

  it('reloads by SIGHUP if asked, and takes the handler away again', async () => {
    write(3);
    const before = process.listenerCount('SIGHUP');
    const { watcher, next } = await live({ onSignal: true, pollMs: 60_000, debounceMs: 60_000 });
    write(4);
    process.kill(process.pid, 'SIGHUP');
    expect(await next()).toMatchObject({ cause: 'signal' });
    watcher.close();
    expect(process.listenerCount('SIGHUP')).toBe(before);
  });
});

it('leaves no watcher of the file system behind', async () => {
  const open = new Set<FSWatcher>();
  const counted: WatchDirectory = (...args) => {
    const one = watch(...args);
    open.add(one);
    return one.on('close', () => open.delete(one));
  };
  write(3);
  const { next, watcher } = await live({ watchDirectory: counted });
  for (let attempts = 4; attempts < 24; attempts++) {
    writeFileSync(`${file}.new`, textWith(attempts));
    renameSync(`${file}.new`, file);
    await next();
  }
  // One directory, one watcher, however often the file was replaced.
  expect(open.size).toBe(1);
  const closed = [...open].map((one) => once(one, 'close'));
  watcher.close();
  await Promise.all(closed);
  expect(open.size).toBe(0);
});

describe('a process that watches', () => {
  let child: ChildProcess | undefined;
  afterEach(() => void child?.kill('SIGKILL'));

  /** Runs a program that watches the file, on the sources as they are. */
  function run(program: string) {
    const entry = new URL('./watch-config.ts', import.meta.url);
    const code = `import type { WatchDirectory } from './directory-watchers.ts';
import { watchConfig } from ${JSON.stringify(entry)};\n${program}`;
    const started = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], {
      cwd: new URL('.', import.meta.url),
      env: { ...process.env, FILE: file },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
    return { child: started, next: async () => (await lines.next()).value as string | undefined }; // Lines are texts.
  }

  it('ends when it has nothing else to do', async () => {
    write(3);
    const { child, next } = run(`
      const watcher = await watchConfig({ file: process.env.FILE, onSignal: true });
      console.log(watcher.current.policies.get('orders').policy.maxAttempts);
    `);
    expect(await next()).toBe('3');
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  it('stays if asked, takes SIGHUP, and ends when the watcher is closed', async () => {
    write(3);
    const { child, next } = run(`
      const watcher = await watchConfig({
        file: process.env.FILE, onSignal: true, keepAlive: true, debounceMs: 60_000, pollMs: 60_000,
        onChange: (change, config) => {
          console.log(change.cause, config.policies.get('orders').policy.maxAttempts);
          watcher.close();
        },
      });
      console.log('ready');
    `);
    expect(await next()).toBe('ready');
    write(4);
    child.kill('SIGHUP');
    expect(await next()).toBe('signal 4');
    expect((await once(child, 'exit'))[0]).toBe(0);
  });
});
