import { createHash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import { userInfo } from 'node:os';
import { isRecord } from '../config.ts';
import { readTextFile } from '../document/read-text-file.ts';

/** What is known about the last change of a configuration's files. */
export interface LastChange {
  /** The file that was changed last: the configuration itself, its environment file, or a file with a secret. */
  readonly file: string;
  /** The user that owns the file: `uid-4242` if this machine has no name for it. `null`: the system has no owners. */
  readonly owner: string | null;
  /** ISO 8601, UTC: when its content was written. */
  readonly at: string;
  /** The user of `redrive config apply`, if that wrote the file. `null`: another program did, and its user is unknown. */
  readonly applied_by: string | null;
}

/** Who put a text in place, in a file beside the configuration. */
export interface AppliedNote {
  readonly by: string;
  /** SHA-256 of the text. */
  readonly sha256: string;
  /** When the text was written, as the file system has it. */
  readonly mtime_ms: number;
}

const MAX_NOTE_BYTES = 4_096;
const MAX_NAME = 200;
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_PASSWD_BYTES = 1024 * 1024;

/** The file in which `redrive config apply` says who put the configuration in place. */
export function appliedNoteFile(path: string): string {
  return `${path}.applied`;
}

export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The last change of these files. `undefined`: none of them can be looked at. */
export async function lastChangeOf(files: readonly string[]): Promise<LastChange | undefined> {
  const found = await Promise.all(files.map(async (file) => ({ file, stats: await statOf(file) })));
  const known = found.flatMap(({ file, stats }) => (stats ? [{ file, ...stats }] : []));
  const [newest] = known.toSorted((a, b) => b.mtimeMs - a.mtimeMs);
  if (newest === undefined) return undefined;
  const { file, uid, mtime, mtimeMs } = newest;
  return {
    file,
    owner: await userOf(uid),
    at: mtime.toISOString(),
    applied_by: await appliedBy(file, mtimeMs),
  };
}

async function statOf(
  file: string,
): Promise<{ uid: number; mtime: Date; mtimeMs: number } | undefined> {
  try {
    const { uid, mtime, mtimeMs } = await fs.stat(file);
    return { uid, mtime, mtimeMs };
  } catch {
    return undefined;
  }
}

/** The note must be about this very text and this very writing of it: otherwise somebody else wrote the file later. */
async function appliedBy(file: string, mtimeMs: number): Promise<string | null> {
  const path = await fs.realpath(file).catch(() => file);
  const [note, text] = await Promise.all([
    readTextFile(appliedNoteFile(path), MAX_NOTE_BYTES),
    readTextFile(path, MAX_TEXT_BYTES),
  ]);
  if (!('text' in note) || !('text' in text)) return null;
  try {
    const said: unknown = JSON.parse(note.text);
    if (!isRecord(said) || typeof said.by !== 'string' || said.by === '') return null;
    const isIt = said.sha256 === textDigest(text.text) && said.mtime_ms === mtimeMs;
    return isIt ? said.by.slice(0, MAX_NAME) : null;
  } catch {
    return null;
  }
}

async function userOf(uid: number): Promise<string | null> {
  if (process.getuid === undefined) return null;
  try {
    if (uid === process.getuid()) return userInfo().username;
  } catch {
    // A container may have no name for its user.
  }
  const users = await readTextFile('/etc/passwd', MAX_PASSWD_BYTES);
  const lines = 'text' in users ? users.text.split('\n').map((line) => line.split(':')) : [];
  return lines.find(([, , id]) => id === String(uid))?.[0] || `uid-${uid}`;
}
