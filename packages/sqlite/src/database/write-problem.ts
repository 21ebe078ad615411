import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';

/** Whether this user may read and write there. */
export type MayWrite = (place: string) => boolean;

/**
 * The part of a database that this user may not write: SQLite reports only "unable to open database file". SQLite writes
 * the file, the log beside it, and so also the directory.
 */
export function writeProblem(place: string, mayWrite: MayWrite = may): string | undefined {
  const closed = closedDirectory(dirname(place));
  if (closed !== undefined) return closed;
  const denied = [
    ['the directory', dirname(place)],
    ['the file', place],
    ['the file', `${place}-wal`],
    ['the file', `${place}-shm`],
  ].find(([kind, path = '']) => (kind === 'the directory' || existsSync(path)) && !mayWrite(path));
  if (denied === undefined) return undefined;
  const [kind, path = ''] = denied;
  const missing = mayRead(path) ? 'written' : 'read and written';
  return `${kind} ${path} may not be ${missing} by the user ${userName()}`;
}

/** The first directory of the path that this user may not enter. Files in it seem not to exist. */
export function closedDirectory(directory: string): string | undefined {
  const parent = dirname(directory);
  const outer = parent === directory ? undefined : closedDirectory(parent);
  if (outer !== undefined) return outer;
  try {
    // A file in place of a directory cannot be entered either, whatever its rights.
    if (statSync(directory).isDirectory()) accessSync(directory, constants.X_OK);
    return undefined;
  } catch (error) {
    const isClosed = error instanceof Error && 'code' in error && error.code === 'EACCES';
    return isClosed
      ? `the directory ${directory} may not be entered by the user ${userName()}`
      : undefined;
  }
}

/** The part of a database that this user may not read. */
export function readProblem(place: string): string | undefined {
  const closed = closedDirectory(dirname(place));
  if (closed !== undefined) return closed;
  const denied = [place, `${place}-wal`].find((path) => existsSync(path) && !mayRead(path));
  return denied && `the file ${denied} may not be read by the user ${userName()}`;
}

function may(place: string): boolean {
  try {
    accessSync(place, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function mayRead(place: string): boolean {
  try {
    accessSync(place, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** A container's user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `with the number ${process.getuid?.()}`;
  }
}
