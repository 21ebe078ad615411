import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError, type ExitName } from '../terminal/exit-codes.ts';
import type { Io } from '../terminal/io.ts';

/** One byte more than a configuration may have: enough for the parser to refuse it, without reading the rest. */
const MAX_BYTES = 256 * 1024 + 1;

/** Reads a configuration. What is longer than any configuration may be is cut off. */
export function readConfigFile(io: Io, file: string): string {
  return readTextFile(io, file, MAX_BYTES);
}

/** Reads a file, at most so much of it. `missingHint`: see `fileError`. */
export function readTextFile(io: Io, file: string, maxBytes: number, missingHint?: string): string {
  return read(io, file, missingHint, (descriptor) => readFrom(descriptor, maxBytes).toString());
}

/**
 * Reads a file whole, or nothing of it.
 *
 * @throws CliError for a file of more than `maxBytes`; it is not read then.
 */
export function readSmallFile(
  io: Io,
  file: string,
  maxBytes: number,
  missingHint?: string,
): string {
  return read(io, file, missingHint, (descriptor, size) => {
    // The file may grow while it is read.
    const bytes = size > maxBytes ? undefined : readFrom(descriptor, maxBytes + 1);
    if (bytes !== undefined && bytes.length <= maxBytes) return bytes.toString();
    const limit = maxBytes / 1024 / 1024;
    throw new CliError('failed', `${file} has more than ${limit} MiB: it was not read.`);
  });
}

function read(
  io: Io,
  file: string,
  missingHint: string | undefined,
  from: (descriptor: number, size: number) => string,
): string {
  try {
    const descriptor = openSync(resolve(io.directory, file), 'r');
    try {
      const stats = fstatSync(descriptor);
      // A pipe that nobody writes to would be waited for without an end; a directory cannot be read.
      if (!stats.isFile()) throw new CliError('failed', `${file} is not a file.`);
      return from(descriptor, stats.size);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw fileError(error, 'read', file, missingHint);
  }
}

function readFrom(descriptor: number, maxBytes: number): Buffer {
  const parts: Buffer[] = [];
  for (let left = maxBytes; left > 0; ) {
    // The size that a file system reports may be wrong.
    const part = Buffer.alloc(Math.min(left, MAX_BYTES));
    const read = readSync(descriptor, part, 0, part.length, null);
    if (read === 0) break;
    parts.push(part.subarray(0, read));
    left -= read;
  }
  return Buffer.concat(parts);
}

type Reason = readonly [exit: ExitName, reason: string, hint: string];

const NO_DIRECTORY: Reason = [
  'failed',
  'its directory does not exist',
  'Make the directory first.',
];

const REASONS: Readonly<Record<string, Reason>> = {
  ENOENT: [
    'failed',
    'there is no such file',
    'Write a sample with "redrive config init", or name another file with --config.',
  ],
  EACCES: ['not_permitted', 'permission denied', 'Check the rights of the file and its directory.'],
  EPERM: ['not_permitted', 'not permitted', 'Check the rights of the file and its directory.'],
  EISDIR: ['failed', 'it is a directory', 'Name a file in it.'],
  ENOTDIR: ['failed', 'part of its path is not a directory', 'Check the path.'],
  EROFS: ['not_permitted', 'the file system is read-only', 'Write to another place.'],
  ENOSPC: ['failed', 'the disk is full', 'Make room and run the command again.'],
};

/**
 * Turns an error of the file system into one that says what to do; other errors stay as they are. A file that does not
 * exist is taken for a configuration, unless `missingHint` says what to do about it.
 */
export function fileError(
  error: unknown,
  verb: 'read' | 'write',
  file: string,
  missingHint?: string,
): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string')
    return error;
  const known = error.code === 'ENOENT' && verb === 'write' ? NO_DIRECTORY : REASONS[error.code];
  const [exit, reason, hint] = known ?? ['failed', error.message, undefined];
  const advice = (error.code === 'ENOENT' && missingHint) || hint;
  return new CliError(exit, `Cannot ${verb} ${file}: ${reason}.`, advice, { cause: error });
}
