import { existsSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileError } from '../config/read-file.ts';
import { CliError } from './cli-error.ts';
import { EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';

/** Where an export goes. */
export interface ExportTarget {
  /** The file's path; `-`: stdout. */
  readonly name: string;
  write(text: string): Promise<void>;
  /** All of it is on the disk, under its name. */
  finish(): Promise<void>;
  /** Takes away what was written, because it is not all. */
  abandon(): Promise<void>;
}

/**
 * A new file in a directory, which only its owner can read, or stdout for `-`. The file has its name only once it is
 * complete, and takes no other one's place.
 */
export async function exportTarget(io: Io, to: string, fileName: string): Promise<ExportTarget> {
  if (to === '-') return standardOutput(io);
  const name = join(to, fileName);
  const path = resolve(io.directory, name);
  const part = `${path}.part`;
  if (existsSync(path)) {
    throw new CliError('refused', `${name} is there already.`, 'Wait a second, and try again.');
  }
  const file = await attempt(name, () => open(part, 'wx', 0o600));
  // Ctrl-C leaves nothing half done behind.
  const release = io.takeSignals(() => {
    rmSync(part, { force: true });
    io.exit(EXIT.interrupted);
  });
  return {
    name,
    write: (text) => attempt(name, () => writeAll(file, text)),
    finish: () =>
      attempt(name, async () => {
        await file.sync();
        await file.close();
        await rename(part, path);
        release();
      }),
    async abandon() {
      release();
      await file.close();
      await rm(part, { force: true });
    },
  };
}

function standardOutput(io: Io): ExportTarget {
  return {
    name: '-',
    write: (text) => {
      io.stdout(text);
      return io.flushed();
    },
    finish: () => io.flushed(),
    abandon: async () => undefined,
  };
}

async function writeAll(file: FileHandle, text: string): Promise<void> {
  await file.appendFile(text);
}

async function attempt<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw fileError(error, 'write', name);
  }
}
