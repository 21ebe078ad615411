import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Invocation } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { printable } from '../terminal/printable.ts';

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
