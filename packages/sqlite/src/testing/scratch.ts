import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In memory, where the system has such a place: a sync to disk proves nothing to a test of logic, and takes its time. */
const HOME = process.env.REDRIVE_MEMORY_DIRECTORY ?? tmpdir();

export interface Scratch {
  readonly directory: string;
  /** Path of a file that does not exist yet. */
  readonly path: string;
  remove(): void;
}

/** A directory of one's own. */
export function scratch(home: string = HOME): Scratch {
  const directory = mkdtempSync(join(home, 'redrive-sqlite-'));
  return {
    directory,
    path: join(directory, 'store.db'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
