import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configJsonSchema, sampleConfig } from '@redrive/config';
import { commandText } from '@redrive/core/fields';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { textOf } from '../action/renderer.ts';
import type { RunCommand } from '../command/command-spec.ts';
import { valueText } from '../policy/policy-words.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { note, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { columns, tableLines } from '../terminal/table.ts';
import { DEFAULT_FILE } from './load-config.ts';
import { fileError } from './read-file.ts';

const COLUMNS = columns(':cyan | :shrinks | :dim');

type Shown = AnswerOf<typeof ACTIONS.config.show>;
type Value = Shown['values'][number];

export const CONFIG_SHOW = textOf<Shown>(({ io, answer }) => {
  const { screen } = io;
  const { file, version, hash, values } = answer;
  const subject = file === null ? 'no file: the presets alone' : printable(file);
  const title = `${screen.paint('bold', subject)}  ${screen.paint('dim', `version ${version}, hash ${hash.slice(0, 12)}`)}`;
  const none = ['', 'Nothing was set; --effective shows the presets and defaults.'];
  const groups = Map.groupBy(values, ({ group }) => group);
  printLines(io, [
    title,
    ...(values.length === 0 ? none : []),
    ...[...groups].flatMap(([group, of]) => {
      const rows = of.map((value) => [fieldOf(value), cellOf(value), value.where]);
      // One table for each group, and its titles only once would not line up: the path stands in their place.
      const lines = tableLines({ ...screen, columns: screen.columns - 2 }, COLUMNS, rows);
      return ['', screen.paint('bold', printable(group)), ...lines.map((line) => `  ${line}`)];
    }),
  ]);
});

const fieldOf = ({ path, group }: Value) => path.slice(group.length + 1);

function cellOf(value: Value): string {
  const text = valueText(value);
  return value.served_by === null
    ? text
    : `${text}: not a policy, ${printable(value.served_by)} is used`;
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
