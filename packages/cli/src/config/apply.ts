import { writeFileSync } from 'node:fs';
import { type Config, diffConfig, localActor, parseConfig, renderDiff } from '@redrive/config';
import { type AppliedNote, appliedNoteFile, textDigest } from '@redrive/config/documents';
import { commandText } from '@redrive/core/fields';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { findConfig } from './load-config.ts';
import { replaceFile } from './migrate.ts';
import { printProblems } from './problem-lines.ts';
import { readConfigFile } from './read-file.ts';

/** `redrive config apply`: puts a new text in place, and a note of the user beside it, which workers read. */
export const runApply: RunCommand = (invocation) => {
  const { io, args, options } = invocation;
  const [source = ''] = args;
  const file = fileOf(invocation);
  const before = readConfigFile(io, file);
  const after = readConfigFile(io, source);
  const config = validConfig(invocation, source, after);
  // The present file may be broken: then nothing can be compared.
  const present = parseConfig(before, { file }).config;
  const changes = present === undefined ? [] : renderDiff(diffConfig(present, config));
  const by = `cli:${localActor()}`;
  const written = options.dryRun !== true && before !== after;
  if (written) {
    replaceFile(io, file, before, after, (path, mtimeMs) => {
      const applied: AppliedNote = { by, sha256: textDigest(after), mtime_ms: mtimeMs };
      writeFileSync(appliedNoteFile(path), `${JSON.stringify(applied)}\n`, { mode: 0o644 });
    });
  }
  if (options.json) printJson(io, { file, by, changes, written });
  else printLines(io, changes.map(printable));
  if (written) note(io, `Wrote ${file}: ${counted(changes.length)}.`);
  else if (before === after) note(io, `${file} is the same already: nothing was written.`);
  else note(io, `${file}: ${counted(changes.length)}. Nothing was written.`);
};

function counted(changes: number): string {
  return `${changes} change${changes === 1 ? '' : 's'} of values`;
}

function fileOf(invocation: Invocation): string {
  const { file } = findConfig(invocation, invocation.args[1]);
  if (file !== undefined) return file;
  throw new CliError(
    'failed',
    'There is no file to replace.',
    'Name one: redrive config apply NEW FILE. "redrive config init" makes a first one.',
  );
}

function validConfig({ io }: Invocation, file: string, text: string): Config {
  const { config, problems } = parseConfig(text, { file });
  if (config !== undefined) return config;
  printProblems(io, { problems, text, file });
  throw new CliError(
    'failed',
    `${file} is not valid, so nothing was written.`,
    `Correct it, and check it with "${commandText`redrive config validate ${file}`}".`,
  );
}
