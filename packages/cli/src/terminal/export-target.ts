import { existsSync, rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Options } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { fileError } from '../config/read-file.ts';
import { CliError, EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';

/** Where an export goes. */
interface ExportTarget {
  /** The file's path; `-`: stdout. */
  readonly name: string;
  readonly write: Write;
  /** All of it is on the disk, under its name. */
  finish(): Promise<void>;
  /** Takes away what was written, because it is not all. */
  abandon(): Promise<void>;
}

type Write = (text: string) => Promise<void>;

/**
 * The file of `--output`, a new file in the directory of `--to`, or stdout for `-`. Only its owner can read the file. It
 * has its name only once it is complete; it takes another one's place only with `--force`.
 *
 * @param fileName where the command line names only a directory, or nothing.
 * @param writeAll writes all of it. Where it fails, no file is left behind.
 * @returns the file's path; `-`: stdout.
 * @throws CliError `refused` where the file exists.
 */
export async function writeExport(
  io: Io,
  options: Options,
  fileName: string,
  writeAll: (write: Write) => Promise<void>,
): Promise<string> {
  const target = await exportTarget(io, options, fileName);
  try {
    await writeAll(target.write);
    await target.finish();
  } catch (error) {
    await target.abandon();
    throw error;
  }
  return target.name;
}

export async function exportTarget(
  io: Io,
  options: Options,
  fileName: string,
): Promise<ExportTarget> {
  const output = textOption(options, 'output');
  const to = textOption(options, 'to') ?? '.';
  if (output === '-' || (output === undefined && to === '-')) return standardOutput(io);
  const name = output ?? join(to, fileName);
  const path = resolve(io.directory, name);
  const part = `${path}.part`;
  const checkNew = () => {
    if (!existsSync(path) || options.force) return;
    const hint =
      output === undefined ? 'Wait a second, and try again.' : 'Add --force to replace it.';
    throw new CliError('refused', `${name} exists already.`, hint);
  };
  checkNew();
  const file = await attempt(name, () => open(part, 'wx', 0o600));
  // Ctrl-C leaves nothing half done behind.
  const release = io.takeSignals(() => {
    rmSync(part, { force: true });
    io.exit(EXIT.interrupted);
  });
  return {
    name,
    write: (text) => attempt(name, () => file.appendFile(text)),
    async finish() {
      checkNew();
      await attempt(name, async () => {
        await file.sync();
        await file.close();
        await rename(part, path);
      });
      release();
    },
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

async function attempt<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw fileError(error, 'write', name);
  }
}
