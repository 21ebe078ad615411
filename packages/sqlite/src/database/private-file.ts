import { closeSync, openSync, statSync } from 'node:fs';

/** Files that SQLite keeps beside the database while it is open. SQLite creates them with the mode of the database. */
const COMPANIONS = ['-wal', '-shm'];

/** Permissions of the group and of all others. Windows has none. */
const OTHERS = process.platform === 'win32' ? 0 : 0o077;

/** Creates the file, if it does not exist, readable only by its owner: it has payloads. */
export function makePrivately(place: string): void {
  try {
    closeSync(openSync(place, 'a', 0o600));
  } catch {
    // SQLite reports later why it cannot open the file, or opens it read-only.
  }
}

/** The rights of other users on the files of a store. `undefined`: none. */
export function modeProblem(place: string): string | undefined {
  const open = ['', ...COMPANIONS].map((end) => place + end).filter(isOpenToOthers);
  if (open.length === 0) return undefined;
  return `Other users of this machine can open ${open.join(', ')}, which holds payloads. Allow it to its owner alone: chmod 600 ${open.join(' ')}`;
}

function isOpenToOthers(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & OTHERS) !== 0;
}
