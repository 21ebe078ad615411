import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRunDirectory } from './directory.ts';

const MEMORY = '/dev/shm';

/** What vitest calls once before all test files; the answer is called after them, also when tests have failed. */
export default function setup(): () => void {
  // Each project of the configuration calls this; all share one directory.
  if (process.env.REDRIVE_POSTGRES_TEMPLATE !== undefined) return () => {};
  const closings = [openRunDirectory()];
  const closeAll = (): void => {
    for (const close of closings.splice(0)) close();
  };
  // After Ctrl-C, or when this fails, vitest ends without calling what is answered here.
  process.once('exit', closeAll);
  // Files of SQLite tests are in memory where the system has such a place for everybody.
  if (isWritable(MEMORY)) closings.push(openRunDirectory(MEMORY, 'REDRIVE_MEMORY_DIRECTORY'));
  const template = join(tmpdir(), 'postgres');
  mkdirSync(template);
  // From a root shell the server runs as `nobody`, who makes the template.
  chmodSync(template, 0o777);
  process.env.REDRIVE_POSTGRES_TEMPLATE = template;
  return closeAll;
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
