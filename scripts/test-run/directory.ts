import {
  chmodSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'redrive-tests-';
const OWNER = 'owner';

/**
 * Gives a test run a temporary directory of its own and names it in an environment variable, so that nothing of the run
 * can be left in the machine's. A killed run cannot tidy up: the next run removes its directory.
 *
 * @returns what removes the directory again.
 */
export function openRunDirectory(parent = tmpdir(), variable = 'TMPDIR'): () => void {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (name.startsWith(PREFIX) && isAbandoned(path)) remove(path);
  }
  const directory = mkdtempSync(join(parent, PREFIX));
  // As /tmp itself: from a root shell services run as `nobody`, whose directories are removed by `nobody`, too.
  chmodSync(directory, 0o1777);
  writeFileSync(ownerFile(directory), `${processNamespace()} ${process.pid}`);
  const before = process.env[variable];
  process.env[variable] = directory;
  return () => {
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
    remove(directory);
  };
}

/** The owner's number goes last: without it, no later run would finish a removal that was killed. */
function remove(directory: string): void {
  // A process that has just written into it may do so once more.
  const options = { recursive: true, force: true, maxRetries: 5 };
  // Another run may have removed it: then there is nothing to list.
  for (const name of globSync('*', { cwd: directory })) {
    if (name !== OWNER) rmSync(join(directory, name), options);
  }
  rmSync(directory, options);
}

/** A directory without its owner's number, or of another container, is left alone: it may be in use. */
function isAbandoned(directory: string): boolean {
  try {
    const [namespace, pid] = readFileSync(ownerFile(directory), 'utf8').split(' ');
    return namespace === processNamespace() && !isAlive(Number(pid));
  } catch {
    return false;
  }
}

function ownerFile(directory: string): string {
  return join(directory, OWNER);
}

/** Two containers may share a temporary directory, and then a number of a process means two things. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return process.platform;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, and lives.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
