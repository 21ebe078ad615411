import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configJsonSchema, sampleConfig } from '@redrive/config';
import type { RunCommand } from '../command/command-spec.ts';
import { CliError } from '../terminal/cli-error.ts';
import { note, printJson } from '../terminal/io.ts';
import { DEFAULT_FILE } from './find-config.ts';
import { fileError } from './read-file.ts';

/** `redrive config init`: the sample, into a new file. With `--dry-run` it goes to stdout. */
export const runInit: RunCommand = ({ io, args, options }) => {
  const [file = DEFAULT_FILE] = args;
  const sample = sampleConfig();
  const written = !options.dryRun;
  if (written) write(resolve(io.directory, file), file, sample, options.yes === true);
  if (options.json) printJson(io, { file, written });
  else if (!written) io.stdout(sample);
  if (written) note(io, `Wrote ${file}. Check it with "redrive config validate ${file}".`);
  else note(io, `Would write this to ${file}.`);
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
