import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { migrateConfig, parseConfig } from '@redrive/config';
import { commandText } from '@redrive/core/fields';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { type Io, note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { findConfig } from './load-config.ts';
import { printProblems } from './problem-lines.ts';
import { fileError, readConfigFile } from './read-file.ts';

/** `redrive config migrate`: to stdout, or with `--write` into the file itself. */
export const runMigrate: RunCommand = (invocation) => {
  const { io, options } = invocation;
  const file = fileOf(invocation);
  const before = readConfigFile(io, file);
  const from = versionOf(invocation, file, before);
  const { text, changes } = migrateConfig(before);
  const to = versionOf(invocation, file, text);
  const written = options.write === true && changes.length > 0;
  if (written) replaceFile(io, file, before, text);
  if (options.json) printJson(io, { file, from, to, changes, written, text });
  else if (options.dryRun) printLines(io, changes.map(printable));
  else if (!options.write) io.stdout(text);
  note(io, summary(file, from, to, changes.length, written));
};

function fileOf(invocation: Invocation): string {
  const { file } = findConfig(invocation, invocation.args[0]);
  if (file !== undefined) return file;
  throw new CliError(
    'failed',
    'There is no file to migrate.',
    'Name one: redrive config migrate FILE',
  );
}

/** Also makes sure that the file is valid: what is not understood is not rewritten. */
function versionOf({ io }: Invocation, file: string, text: string): string {
  const { config, problems } = parseConfig(text, { file });
  if (config !== undefined) return config.version;
  printProblems(io, { problems, text, file });
  throw new CliError(
    'failed',
    `${file} is not valid, so it was not migrated.`,
    `Correct it, and check it with "${commandText`redrive config validate ${file}`}".`,
  );
}

function summary(
  file: string,
  from: string,
  to: string,
  changes: number,
  written: boolean,
): string {
  if (changes === 0) return `${file} is up to date: version ${to}.`;
  const what = `${changes} change${changes === 1 ? '' : 's'}, version ${from} to ${to}`;
  return written
    ? `Wrote ${file}: ${what}.`
    : `${file}: ${what}. Nothing was written; add --write to write the file.`;
}

/**
 * Puts a new text in place of a file's old one, in one step: a reader sees the old text or the new one, never half of
 * it. A link stays a link, and the file keeps its rights.
 *
 * @param onWritten called before the new text has its name, with the time of its writing.
 *
 * @throws CliError `conflict` if the file does not say any more what it said when it was read.
 */
export function replaceFile(
  io: Io,
  file: string,
  before: string,
  after: string,
  onWritten: (path: string, mtimeMs: number) => void = () => {},
): void {
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
    onWritten(path, statSync(temporary).mtimeMs);
    renameSync(temporary, path);
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    throw fileError(error, 'write', file);
  }
}
