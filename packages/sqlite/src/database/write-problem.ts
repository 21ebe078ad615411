import { accessSync, constants, existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';

/** Whether this user may write there. */
export type MayWrite = (place: string) => boolean;

/**
 * What of a database this user may not write: SQLite says only "unable to open database file". Besides the file itself it
 * needs the log beside it, and so the directory.
 */
export function writeProblem(place: string, mayWrite: MayWrite = may): string | undefined {
  const denied = [
    ['the directory', dirname(place)],
    ['the file', place],
    ['the file', `${place}-wal`],
    ['the file', `${place}-shm`],
  ].find(([kind, path = '']) => (kind === 'the directory' || existsSync(path)) && !mayWrite(path));
  if (denied === undefined) return undefined;
  return `${denied.join(' ')} may not be written by the user ${userName()}`;
}

function may(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
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
