import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { systemClock } from '@redrive/core';

/** A lock is held for milliseconds. An older one is left over from a process that crashed. */
const STALE_MS = 5_000;
const WAIT_MS = 2;

/** Runs `work` while no other process runs its own with the same lock file. It blocks, like the writes that it guards. */
export function withLock<T>(path: string, work: () => T): T {
  while (!tryTake(path)) {
    const lock = statSync(path, { throwIfNoEntry: false });
    if (lock !== undefined && systemClock.now() - lock.mtimeMs > STALE_MS) {
      rmSync(path, { force: true });
    } else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryTake(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    // Another error, such as a directory that does not exist, has a message of its own.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
