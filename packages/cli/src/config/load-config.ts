import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config, Problem } from '@redrive/config';
import * as config from '@redrive/config';
import type { Invocation } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printable } from '../terminal/printable.ts';
import { asSubject, faultyInputs, printProblems } from './problem-lines.ts';
import { readConfigFile } from './read-file.ts';

/** A configuration as it was read, valid or not. */
export interface CheckedConfig {
  /** As it was named. Absent: the presets alone. */
  readonly file?: string;
  /** The text, for showing lines of it. */
  readonly text: string;
  readonly problems: readonly Problem[];
  /** Absent: it is not valid. */
  readonly config?: Config;
}

/** Reads and checks the configuration that the invocation means, the environment included. Problems are values here. */
export async function checkConfig(
  invocation: Invocation,
  argument?: string,
): Promise<CheckedConfig> {
  const { io } = invocation;
  const { file } = findConfig(invocation, argument);
  const { directory, env: environment } = io;
  const loaded = await config.loadConfig({ file, directory, environment });
  if (file === undefined) return { ...loaded, text: '' };
  return { ...loaded, file, text: textOf(invocation, file, loaded.problems) };
}

/**
 * The configuration that the invocation means, for commands that need a valid one. With `--verbose` its warnings are
 * shown too.
 *
 * @throws CliError with the exit code 1, after all problems were printed.
 */
export async function loadConfig(invocation: Invocation, argument?: string): Promise<Config> {
  const checked = await checkConfig(invocation, argument);
  const { io, options } = invocation;
  if (checked.config !== undefined) {
    if (options.verbose) printProblems(io, checked);
    return checked.config;
  }
  const unreadable = checked.problems.find(isUnreadable);
  if (unreadable?.file === checked.file && unreadable !== undefined) {
    throw new CliError('failed', `${unreadable.message}.`, unreadable.suggestion);
  }
  printProblems(io, checked);
  const faulty = faultyInputs(checked.problems, checked.file ?? 'the configuration');
  throw new CliError(
    'failed',
    `${asSubject(faulty)} ${faulty.length === 1 ? 'is' : 'are'} not valid, so nothing was done.`,
    'Correct what is listed above, and check it with "redrive config validate".',
  );
}

/** The configurations that an action may read here. */
export function configsOf(invocation: Invocation) {
  return {
    config: () => loadConfig(invocation),
    configIn: (file: string) => loadConfig(invocation, file),
  };
}

const isUnreadable = ({ code }: Problem) => code === 'unreadable_file';

/** Only where a line of it will be shown: it has been read once already. */
function textOf({ io }: Invocation, file: string, problems: readonly Problem[]): string {
  return problems.length === 0 || problems.some(isUnreadable) ? '' : readConfigFile(io, file);
}

/** Where the configuration is, and what said so. */
interface FoundConfig {
  /** As it was named, for messages. Absent: the presets alone. */
  readonly file?: string;
  readonly because: string;
}

export const DEFAULT_FILE = 'redrive.yaml';

/**
 * An argument or `--config`, else `REDRIVE_CONFIG`, else `./redrive.yaml`, else the presets alone. With `--verbose` it
 * says which. Only the last step looks whether a file is there: a file that was named must exist.
 */
export function findConfig({ io, options }: Invocation, argument?: string): FoundConfig {
  const found = find(io, argument ?? textOption(options, 'config'));
  if (options.verbose) {
    const what = found.file === undefined ? 'the presets alone' : printable(found.file);
    io.stderr(`configuration: ${what} (${found.because})\n`);
  }
  return found;
}

function find(io: Invocation['io'], named: string | undefined): FoundConfig {
  if (named !== undefined) return { file: named, because: 'named on the command line' };
  if (io.env.REDRIVE_CONFIG) return { file: io.env.REDRIVE_CONFIG, because: 'REDRIVE_CONFIG' };
  if (existsSync(resolve(io.directory, DEFAULT_FILE))) {
    return { file: DEFAULT_FILE, because: 'found in this directory' };
  }
  return { because: `no --config, no REDRIVE_CONFIG, no ./${DEFAULT_FILE}` };
}
