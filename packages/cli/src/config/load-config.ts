import { type Config, type Problem, parseConfig, presetConfig } from '@redrive/config';
import type { Invocation } from '../command/command-spec.ts';
import { CliError } from '../terminal/cli-error.ts';
import { findConfig } from './find-config.ts';
import { printProblems } from './problem-lines.ts';
import { readConfigFile } from './read-file.ts';

/** A configuration as it was read, valid or not. */
export interface CheckedConfig {
  /** As it was named. Absent: the presets alone. */
  readonly file?: string;
  /** The text, for showing lines of it. */
  readonly text: string;
  readonly valid: boolean;
  readonly problems: readonly Problem[];
  readonly config?: Config;
}

/** Reads and checks the configuration that the invocation means. Problems are values here. */
export function checkConfig(invocation: Invocation, argument?: string): CheckedConfig {
  const { file } = findConfig(invocation, argument);
  if (file === undefined) return { text: '', valid: true, problems: [], config: presetConfig() };
  const text = readConfigFile(invocation.io, file);
  return { ...parseConfig(text, { file }), file, text };
}

/**
 * The configuration that the invocation means, for commands that need a valid one. With `--verbose` its warnings are
 * shown too.
 *
 * @throws CliError with the exit code 1, after all problems were printed.
 */
export function loadConfig(invocation: Invocation, argument?: string): Config {
  const checked = checkConfig(invocation, argument);
  const { io, options } = invocation;
  if (!checked.valid || options.verbose) {
    printProblems(io, checked);
  }
  if (checked.config !== undefined) return checked.config;
  const file = checked.file ?? '';
  throw new CliError(
    'failed',
    `${file} is not valid, so nothing was done with it.`,
    `Correct it, and check it with "redrive config validate ${file}".`,
  );
}
