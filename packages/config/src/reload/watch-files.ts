import { type BigIntStats, promises as fs } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Clock, Timer } from '@redrive/core';
import { errorCodeOf } from '../document/read-text-file.ts';
import { directoryWatchers, type WatchDirectory } from './directory-watchers.ts';

export interface WatchFilesOptions {
  readonly clock: Clock;
  /** How long the files must stay as they are before a change is reported. */
  readonly debounceMs: number;
  /** How often to look when there was no event. */
  readonly pollMs: number;
  readonly keepAlive: boolean;
  /** The files may have changed, vanished or been created again. */
  readonly onChange: () => void;
  /** Directories cannot be watched, for this reason; the poll goes on alone. */
  readonly onDegraded: (code: string, directory: string) => void;
  readonly watchDirectory?: WatchDirectory | undefined;
}

export interface FileWatch {
  /** Watches exactly these files from now on; a change of the list counts as a change of the files. */
  follow(files: readonly string[]): void;
  close(): void;
}

/** A file that never stops changing is reported after this number of windows. */
const MAX_WINDOWS = 10;

/**
 * Reports when files have changed and then stayed as they are for `debounceMs`.
 *
 * ```
 *           event, or the poll sees a new print
 *   resting ──────────────────────────────────► settling ──┐ still changing
 *      ▲  look every pollMs                      ▲   │     │ (at most MAX_WINDOWS)
 *      │                                         └───┼─────┘
 *      └──────────── onChange ◄──────────────────────┘ a window without a change
 * ```
 *
 * Events are only hints: network file systems give none and links to elsewhere give the wrong ones, so what counts is
 * the print of the file, looked at after a hint and every `pollMs`. There is one timer and one look at a time.
 */
export function watchFiles(options: WatchFilesOptions): FileWatch {
  const { clock, debounceMs, pollMs, keepAlive, onChange } = options;
  let files: readonly string[] = [];
  let names = new Set<string>();
  let seen: string | undefined;
  let windows = 0;
  /** There is a change that was not reported yet. */
  let changed = false;
  /** An event named one of the files since the last look. */
  let touched = false;
  let looking = false;
  /** A look was asked for while another one was under way. */
  let again = false;
  let closed = false;
  let timer: { readonly pending: Timer; readonly atMs: number } | undefined;

  const directories = directoryWatchers({
    keepAlive,
    watchDirectory: options.watchDirectory,
    onFailure: options.onDegraded,
    onEvent(filename) {
      if (filename === null || names.has(filename)) touched = true;
      lookWithin(debounceMs);
    },
  });

  /** Sets the timer, unless an earlier look is due anyway. */
  function lookWithin(delayMs: number): void {
    const atMs = clock.monotonic() + delayMs;
    if (looking) again = true;
    if (closed || looking || (timer !== undefined && timer.atMs <= atMs)) return;
    timer?.pending.cancel();
    const pending = clock.setTimer(delayMs, () => {
      timer = undefined;
      void look();
    });
    pending.hold(keepAlive);
    timer = { pending, atMs };
  }

  async function look(): Promise<void> {
    looking = true;
    const asked = files;
    const [prints, places] = await Promise.all([
      Promise.all(asked.map(printOf)),
      Promise.all(asked.map(directoriesOf)),
    ]);
    looking = false;
    if (closed) return;
    if (again) lookWithin(debounceMs);
    again = false;
    directories.follow(new Map(places.flatMap((place) => [...place])));
    const print = [...asked, ...prints].join('\n');
    const moved = touched || print !== seen;
    seen = print;
    touched = false;
    changed ||= moved;
    if (!changed) return lookWithin(pollMs);
    windows += 1;
    if (moved && windows <= MAX_WINDOWS) return lookWithin(debounceMs);
    changed = false;
    windows = 0;
    lookWithin(pollMs);
    onChange();
  }

  return {
    follow(next) {
      if (next.join('\n') === files.join('\n')) return;
      files = [...next];
      names = new Set(files.map((file) => basename(file)));
      lookWithin(0);
    },
    close() {
      closed = true;
      timer?.pending.cancel();
      directories.close();
    },
  };
}

/**
 * A text that changes when the file changes, made without reading it. Links are followed, so a swapped link changes it,
 * and so does a change of permissions. The print of a file that cannot be examined is its error's code.
 */
export async function printOf(path: string): Promise<string> {
  const stats = await statsOf(path);
  if (typeof stats === 'string') return stats;
  const { dev, ino, mode, size, mtimeNs, ctimeNs } = stats;
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(':');
}

/**
 * The directories in which something may happen to the file, each with a print that differs from that of another
 * directory of that name: the one where it is expected and, where links lead elsewhere, the one where it really is.
 * Missing ones are left out.
 */
export async function directoriesOf(path: string): Promise<ReadonlyMap<string, string>> {
  const real = await fs.realpath(path).catch(() => path);
  const found = new Map<string, string>();
  for (const directory of new Set([dirname(path), dirname(real)])) {
    const stats = await statsOf(directory);
    if (typeof stats !== 'string') found.set(directory, `${stats.dev}:${stats.ino}`);
  }
  return found;
}

function statsOf(path: string): Promise<BigIntStats | string> {
  return fs.stat(path, { bigint: true }).catch(errorCodeOf);
}
