import { EventEmitter } from 'node:events';
import {
  type FSWatcher,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@redrive/core';
import { expectNoTimers, virtualClock } from '@redrive/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WatchDirectory } from './directory-watchers.ts';
import { type FileWatch, watchFiles } from './watch-files.ts';

let directory: string;
let watch: FileWatch | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'redrive-watch-'));
});
afterEach(() => {
  watch?.close();
  watch = undefined;
  rmSync(directory, { recursive: true, force: true });
});
const at = (...names: string[]) => join(directory, ...names);

/** Calls, each of which can be waited for. */
function signal() {
  let count = 0;
  let next = Promise.withResolvers<void>();
  return {
    get count() {
      return count;
    },
    fire: () => {
      count += 1;
      next.resolve();
      next = Promise.withResolvers();
    },
    next: () => next.promise,
  };
}

/** Stands for `fs.watch`: says nothing by itself, and knows what is watched. */
function fakeDirectories() {
  const watched: { directory: string; event: (filename: string | null) => void }[] = [];
  let opened = 0;
  const watchDirectory: WatchDirectory = (directory, _, listener) => {
    opened += 1;
    const entry = { directory, event: (filename: string | null) => listener('change', filename) };
    watched.push(entry);
    const watcher: ReturnType<WatchDirectory> = {
      close: () => void watched.splice(watched.indexOf(entry), 1),
      on: () => new EventEmitter() as FSWatcher, // Nobody looks at what `on` returns.
    };
    return watcher;
  };
  return {
    watchDirectory,
    watched,
    get opened() {
      return opened;
    },
  };
}

/** Watches with real time: as by default with events, or by the poll alone, as on a file system without them. */
async function start(file: string, how: 'events' | 'poll') {
  const change = signal();
  watch = watchFiles({
    clock: systemClock,
    debounceMs: 5,
    // Long enough that an event is what wakes it.
    pollMs: how === 'events' ? 60_000 : 10,
    keepAlive: true,
    onChange: change.fire,
    onDegraded: () => {},
    watchDirectory: how === 'poll' ? fakeDirectories().watchDirectory : undefined,
  });
  watch.follow([file]);
  await change.next(); // The list of files is new.
  return change;
}

describe.each(['events', 'poll'] as const)('with %s', (how) => {
  it('tells of a write in place', async () => {
    writeFileSync(at('a'), '1');
    const change = await start(at('a'), how);
    writeFileSync(at('a'), '2');
    await change.next();
  });

  it('tells of an atomic rename, and of the next one', async () => {
    writeFileSync(at('a'), '1');
    const change = await start(at('a'), how);
    for (const text of ['2', '3']) {
      writeFileSync(at('a.new'), text);
      renameSync(at('a.new'), at('a'));
      await change.next();
    }
  });

  it('tells of a swapped link to a directory, as Kubernetes does it', async () => {
    for (const version of ['v1', 'v2']) {
      mkdirSync(at(version));
      writeFileSync(at(version, 'a'), version);
    }
    symlinkSync('v1', at('..data'));
    symlinkSync(join('..data', 'a'), at('a'));
    const change = await start(at('a'), how);
    symlinkSync('v2', at('..new'));
    renameSync(at('..new'), at('..data'));
    await change.next();
  });

  it('tells of a write to where a link leads', async () => {
    mkdirSync(at('elsewhere'));
    mkdirSync(at('here'));
    writeFileSync(at('elsewhere', 'b'), '1');
    symlinkSync(at('elsewhere', 'b'), at('here', 'a'));
    const change = await start(at('here', 'a'), how);
    writeFileSync(at('elsewhere', 'b'), '2');
    await change.next();
  });

  it('tells of a file that goes and comes back', async () => {
    writeFileSync(at('a'), '1');
    const change = await start(at('a'), how);
    unlinkSync(at('a'));
    await change.next();
    writeFileSync(at('a'), '1');
    await change.next();
  });
});

it('tells of a directory that goes and comes back, by the poll', async () => {
  mkdirSync(at('d'));
  writeFileSync(at('d', 'a'), '1');
  const change = await start(at('d', 'a'), 'poll');
  rmSync(at('d'), { recursive: true });
  await change.next();
  mkdirSync(at('d'));
  writeFileSync(at('d', 'a'), '1');
  await change.next();
});

describe('on virtual time', () => {
  function virtual(keepAlive = false) {
    const clock = virtualClock();
    const directories = fakeDirectories();
    const change = signal();
    const { watchDirectory } = directories;
    const onDegraded = () => {};
    watch = watchFiles({
      ...{ clock, debounceMs: 100, pollMs: 2_000, keepAlive },
      ...{ onChange: change.fire, onDegraded, watchDirectory },
    });
    /** Moves time to the next look and waits for it: looks set a timer when they are done. */
    const look = async (ms: number) => {
      clock.tick(ms);
      while (clock.pendingTimers === 0) await stat(directory);
    };
    return { clock, change, directories, look };
  }

  async function rested(keepAlive = false) {
    writeFileSync(at('a'), '1');
    const parts = virtual(keepAlive);
    watch?.follow([at('a')]);
    await parts.look(0);
    await parts.look(100);
    expect(parts.change.count).toBe(1);
    return parts;
  }

  it('waits until the file rests', async () => {
    const { clock, change, directories, look } = await rested();
    for (const text of ['2', '33', '444']) {
      writeFileSync(at('a'), text);
      directories.watched[0]?.event('a');
      await look(100);
    }
    expect([change.count, clock.nextTimerInMs]).toEqual([1, 100]);
    await look(100);
    expect([change.count, clock.nextTimerInMs]).toEqual([2, 2_000]);
  });

  it('does not wait for ever for a file that never rests', async () => {
    const { change, directories, look } = await rested();
    for (let window = 0; window <= 10; window++) {
      directories.watched[0]?.event('a');
      await look(100);
    }
    expect(change.count).toBe(2);
  });

  it('is silent about the neighbours of the file, and looks once for all their events', async () => {
    const { clock, change, directories, look } = await rested();
    for (let i = 0; i < 1_000; i++) directories.watched[0]?.event(`other-${i}`);
    expect([clock.pendingTimers, clock.nextTimerInMs]).toEqual([1, 100]);
    await look(100);
    expect([change.count, clock.nextTimerInMs]).toEqual([1, 2_000]);
  });

  it('looks again soon when something happened during a look', async () => {
    const { clock, directories, look } = await rested();
    clock.tick(2_000);
    directories.watched[0]?.event('a-link-on-the-way');
    await look(0);
    expect(clock.nextTimerInMs).toBe(100);
  });

  it('looks every poll, tells nothing new, and watches with the same watchers', async () => {
    const { change, directories, look } = await rested();
    for (let i = 0; i < 20; i++) await look(2_000);
    expect([change.count, directories.opened, directories.watched.length]).toEqual([1, 1, 1]);
  });

  it('watches a directory anew that was replaced by another one', async () => {
    const { change, directories, look } = await rested();
    // Moved away rather than removed, so that its number cannot be given to the new one.
    renameSync(directory, `${directory}.old`);
    mkdirSync(directory);
    await look(2_000);
    rmSync(`${directory}.old`, { recursive: true });
    expect([directories.opened, directories.watched.length]).toEqual([2, 1]);
    await look(100);
    expect(change.count).toBe(2);
  });

  it('follows another list of files', async () => {
    const { change, directories, look } = await rested();
    mkdirSync(at('env'));
    watch?.follow([at('a'), at('env', 'b')]);
    watch?.follow([at('a'), at('env', 'b')]);
    await look(0);
    await look(100);
    expect(change.count).toBe(2);
    expect(directories.watched.map((one) => one.directory)).toEqual([directory, at('env')]);
    watch?.follow([at('a')]);
    await look(0);
    expect(directories.watched.map((one) => one.directory)).toEqual([directory]);
  });

  it.each([true, false])('holds the process only if asked: %s', async (keepAlive) => {
    const { clock } = await rested(keepAlive);
    expect(clock.holdingTimers).toBe(keepAlive ? 1 : 0);
  });

  it('leaves nothing behind', async () => {
    const { clock, directories } = await rested();
    watch?.close();
    watch?.close();
    expectNoTimers(clock);
    expect(directories.watched).toEqual([]);
  });

  it('stays closed when a look was under way', async () => {
    const { clock, change, directories } = await rested();
    writeFileSync(at('a'), '22');
    clock.tick(2_000);
    watch?.close();
    for (let turn = 0; turn < 20; turn++) await stat(directory);
    expectNoTimers(clock);
    expect([change.count, directories.watched.length]).toEqual([1, 0]);
  });
});
