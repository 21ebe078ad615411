import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, configJsonSchema, sampleConfig } from '@redrive/config';
import {
  type ConfigGroup,
  configDocument,
  configGroups,
  type FieldValue,
} from '@redrive/config/documents';
import { commandText } from '@redrive/core/fields';
import type { RunCommand } from '../command/command-spec.ts';
import { valueText } from '../policy/find-policy.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { columns, tableLines } from '../terminal/table.ts';
import { DEFAULT_FILE, loadConfig } from './load-config.ts';
import { fileError } from './read-file.ts';

const COLUMNS = columns(':cyan | :shrinks | :dim');

/** `redrive config show`: what was set; with `--effective`, everything. */
export const runShowConfig: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const config = await loadConfig(invocation);
  const wish = { effective: options.effective === true };
  if (options.json) printJson(io, configDocument(config, wish));
  else printLines(io, showLines(io.screen, config, configGroups(config, wish)));
};

function showLines(
  screen: Screen,
  { file, version, hash }: Config,
  groups: readonly ConfigGroup[],
): string[] {
  const subject = file === undefined ? 'no file: the presets alone' : printable(file);
  const title = `${screen.paint('bold', subject)}  ${screen.paint('dim', `version ${version}, hash ${hash.slice(0, 12)}`)}`;
  if (groups.length === 0)
    return [title, '', 'Nothing was set; --effective shows the presets and defaults.'];
  return [
    title,
    ...groups.flatMap(({ path, values }) => {
      const rows = values.map((value) => [value.field, cellOf(value), value.where]);
      // One table for each group, and its titles only once would not line up: the path stands in their place.
      const lines = tableLines({ ...screen, columns: screen.columns - 2 }, COLUMNS, rows);
      return ['', screen.paint('bold', printable(path)), ...lines.map((line) => `  ${line}`)];
    }),
  ];
}

function cellOf(value: FieldValue): string {
  const text = valueText(value);
  return value.servedBy === undefined
    ? text
    : `${text}: not a policy, ${printable(value.servedBy)} is used`;
}

/** `redrive config init`: the sample, into a new file. With `--dry-run` it goes to stdout. */
export const runInit: RunCommand = ({ io, args, options }) => {
  const [file = DEFAULT_FILE] = args;
  const sample = sampleConfig();
  const written = !options.dryRun;
  if (written) write(resolve(io.directory, file), file, sample, options.yes === true);
  if (options.json) printJson(io, { file, written });
  else if (!written) io.stdout(sample);
  if (written)
    note(
      io,
      `Wrote ${printable(file)}. Check it with "${commandText`redrive config validate ${file}`}".`,
    );
  else note(io, `Would write this to ${printable(file)}.`);
};

function write(path: string, file: string, text: string, overwrite: boolean): void {
  try {
    // "wx" fails where the file exists, in one step: nobody can put one there in between.
    writeFileSync(path, text, { flag: overwrite ? 'w' : 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new CliError(
        'refused',
        `${file} exists and was left as it is.`,
        'Overwrite it with --yes, or name another file.',
        { cause: error },
      );
    }
    throw fileError(error, 'write', file);
  }
}

export const runSchema: RunCommand = ({ io }) => {
  printJson(io, configJsonSchema());
};
