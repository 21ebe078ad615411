import { EventEmitter } from 'node:events';
import type { FSWatcher } from 'node:fs';
import { expect, it } from 'vitest';
import { directoryWatchers, type WatchDirectory } from './directory-watchers.ts';

/** `fs.watch` that fails as told, and whose watchers can be made to fail later. */
function failing(codes: (string | undefined)[]) {
  const open = new Map<string, EventEmitter>();
  const watchDirectory: WatchDirectory = (directory) => {
    const code = codes.shift();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    const emitter = new EventEmitter();
    open.set(directory, emitter);
    const close = () => void open.delete(directory);
    // Of an `FSWatcher` only these two are used.
    return Object.assign(emitter, { close }) as unknown as FSWatcher;
  };
  return { open, watchDirectory };
}

function start(codes: (string | undefined)[] = []) {
  const { open, watchDirectory } = failing(codes);
  const failures: string[] = [];
  const watchers = directoryWatchers({
    keepAlive: false,
    onEvent: () => {},
    onFailure: (code, directory) => failures.push(`${code} ${directory}`),
    watchDirectory,
  });
  return { watchers, open, failures };
}

const only = (directory: string, identity = '1') => new Map([[directory, identity]]);

it('reports once that directories cannot be watched, and tries again', () => {
  const { watchers, open, failures } = start(['ENOSPC', 'ENOSPC', undefined]);
  watchers.follow(only('/a'));
  watchers.follow(only('/a'));
  expect([failures, open.size]).toEqual([['ENOSPC /a'], 0]);
  watchers.follow(only('/a'));
  expect([...open.keys()]).toEqual(['/a']);
});

it('is silent about a directory that went away in between', () => {
  const { watchers, failures } = start(['ENOENT']);
  watchers.follow(only('/a'));
  expect(failures).toEqual([]);
});

it('drops a watcher that fails, and makes another one', () => {
  const { watchers, open, failures } = start();
  watchers.follow(only('/a'));
  const first = open.get('/a');
  first?.emit('error', Object.assign(new Error('EPERM'), { code: 'EPERM' }));
  expect([failures, open.size]).toEqual([['EPERM /a'], 0]);
  watchers.follow(only('/a'));
  expect(open.get('/a')).not.toBe(first);
});

it('goes by what a directory is, not by its name', () => {
  const { watchers, open } = start();
  watchers.follow(only('/a', '1'));
  const first = open.get('/a');
  watchers.follow(only('/a', '1'));
  expect(open.get('/a')).toBe(first);
  watchers.follow(only('/a', '2'));
  expect(open.get('/a')).not.toBe(first);
  watchers.close();
  expect(open.size).toBe(0);
});
