import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { fileError } from './read-file.ts';

/**
 * Puts a new text in place of a file's old one, in one step: a reader sees the old text or the new one, never half of
 * it. A link stays a link, and the file keeps its rights.
 *
 * @throws CliError `conflict` if the file does not say any more what it said when it was read.
 */
export function replaceFile(io: Io, file: string, before: string, after: string): void {
  let temporary: string | undefined;
  try {
    const path = realpathSync(resolve(io.directory, file));
    const { mode } = statSync(path);
    temporary = `${path}.${process.pid}.new`;
    writeFileSync(temporary, after, { flag: 'wx', mode });
    if (readFileSync(path, 'utf8') !== before) {
      throw new CliError(
        'conflict',
        `${file} was changed by somebody else and was left as it is.`,
        'Look at it, and run the command again.',
      );
    }
    renameSync(temporary, path);
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    throw fileError(error, 'write', file);
  }
}
