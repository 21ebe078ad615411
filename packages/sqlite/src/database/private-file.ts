import { closeSync, openSync, statSync } from 'node:fs';

/** What SQLite keeps beside the file while somebody has it open. It makes them with the file's own mode. */
const COMPANIONS = ['-wal', '-shm'];

/** Permissions of the group and of all others. Windows has none. */
const OTHERS = process.platform === 'win32' ? 0 : 0o077;

/** Makes the file, if there is none, so that only its owner can read it: it holds payloads. */
export function makePrivately(place: string): void {
  try {
    closeSync(openSync(place, 'a', 0o600));
  } catch {
    // SQLite says why it cannot be opened, or opens it for reading alone.
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
