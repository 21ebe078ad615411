import {
  chownSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AppliedNote, appliedNoteFile, lastChangeOf, textDigest } from './last-change.ts';

const WRITTEN = new Date('2026-01-29T12:00:00Z');
const TEXT = 'version: "1.1.0"\n';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'redrive-change-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function write(name: string, at = WRITTEN): string {
  const file = join(directory, name);
  writeFileSync(file, TEXT);
  utimesSync(file, at, at);
  return file;
}

function apply(file: string, changed: Partial<AppliedNote> = {}): void {
  const { mtimeMs } = statSync(file);
  const note = { by: 'cli:ada@host', sha256: textDigest(TEXT), mtime_ms: mtimeMs, ...changed };
  writeFileSync(appliedNoteFile(file), JSON.stringify(note));
}

/** The name that the system has for a user; else its number. */
function nameOf(uid: number): string {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  return users.find((line) => line.split(':')[2] === String(uid))?.split(':')[0] ?? `uid-${uid}`;
}

test('it is the owner and the time of the file that was written last', async () => {
  const file = write('redrive.yaml');
  const later = write('.env', new Date('2026-01-30T12:00:00Z'));
  // Only root may give a file to another user, and then that is the user to see.
  if (process.getuid?.() === 0) chownSync(later, 54_321, 54_321);
  expect(await lastChangeOf([file, later, join(directory, 'gone')])).toEqual({
    file: later,
    owner: nameOf(statSync(later).uid),
    at: '2026-01-30T12:00:00.000Z',
    applied_by: null,
  });
  expect(await lastChangeOf([join(directory, 'gone')])).toBeUndefined();
});

test('a time between two milliseconds is the one that Node shows', async () => {
  // 12:00:00.000726, as a file system with nanoseconds keeps it.
  const seconds = WRITTEN.getTime() / 1_000 + 0.000_726;
  const file = write('redrive.yaml');
  utimesSync(file, seconds, seconds);
  expect(await lastChangeOf([file])).toMatchObject({ at: '2026-01-29T12:00:00.001Z' });
});

test('the user of config apply is known as long as the file is what it wrote', async () => {
  const file = write('redrive.yaml');
  apply(file);
  expect(await lastChangeOf([file])).toMatchObject({ applied_by: 'cli:ada@host' });
  // The same text, written again by somebody else.
  utimesSync(file, WRITTEN, new Date('2026-02-01T12:00:00Z'));
  expect(await lastChangeOf([file])).toMatchObject({ applied_by: null });
});

test.each<[string, Partial<AppliedNote> | string]>([
  ['of another text', { sha256: textDigest('other') }],
  ['without a user', { by: '' }],
  ['that is not JSON', '{'],
  ['that is too large', ' '.repeat(5_000)],
])('a note %s counts for nothing', async (_, changed) => {
  const file = write('redrive.yaml');
  if (typeof changed === 'string') writeFileSync(appliedNoteFile(file), changed);
  else apply(file, changed);
  expect(await lastChangeOf([file])).toMatchObject({ applied_by: null });
});
