import { type Config, maskUrls, presetConfig, storeLine, storeSettings } from '@redrive/config';
import type { Invocation } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printable } from '../terminal/printable.ts';
import { type CheckedConfig, checkConfig, loadConfig } from './load-config.ts';
import { readConfigFile } from './read-file.ts';

/** Where the store is, and what said so. */
export interface FoundStore {
  readonly url: string;
  readonly because: string;
}

/**
 * The store that the configuration names. An emergency command takes it also from a configuration that is not valid, and
 * says so, so that an operator in an emergency need not correct a policy first.
 *
 * @throws CliError for a configuration that is not valid, or whose store cannot be read.
 */
export async function configuredStore(invocation: Invocation, known?: Config): Promise<FoundStore> {
  if (known !== undefined || !invocation.emergency) {
    return storeIn(invocation, known ?? (await loadConfig(invocation).catch(orNameStore)));
  }
  const checked = await checkConfig(invocation);
  return checked.config === undefined
    ? brokenStore(invocation, checked)
    : storeIn(invocation, checked.config);
}

/** It is read only for the store, so the command does not need it where the store is named. */
function orNameStore(error: unknown): never {
  if (!(error instanceof CliError)) throw error;
  const { exit, message, hint = '' } = error;
  const way = 'With --store or REDRIVE_STORE this command works without the configuration.';
  throw new CliError(exit, message, `${hint} ${way}`.trim(), { cause: error });
}

function storeIn({ io }: Invocation, config: Config): FoundStore {
  const { url, source } = storeSettings(config, io.directory);
  return { url, because: source.where };
}

function brokenStore({ io }: Invocation, { file }: CheckedConfig): FoundStore {
  const { url: defaultUrl } = storeSettings(presetConfig());
  // Without a file the problem is in the environment.
  if (file === undefined)
    return usedStore(io, defaultUrl, 'The configuration', 'the default store');
  const { url, isNamed } = storeLine(readConfigFile(io, file), file, io.directory);
  if (url !== undefined) {
    return usedStore(io, url, file, 'the store that it names');
  }
  if (!isNamed) return usedStore(io, defaultUrl, file, 'the default store');
  throw new CliError(
    'failed',
    `${file} is not valid, and the store that it names cannot be read.`,
    'Name the store with --store or REDRIVE_STORE, or correct the file: "redrive config validate".',
  );
}

function usedStore(io: Invocation['io'], url: string, subject: string, what: string): FoundStore {
  const text = `${subject} is not valid. Using ${what}: ${maskUrls(url)}`;
  io.stderr(`${printable(text)}\nTo see what is wrong: redrive config validate\n`);
  return { url, because: `read from ${subject}, which is not valid` };
}

/**
 * `--store`, else `REDRIVE_STORE`, else the configuration, else a file in the working directory. The configuration is
 * asked for only when it matters, so that a broken one does not keep anybody from looking at the jobs.
 */
export async function findStore(
  invocation: Invocation,
  configured: () => Promise<FoundStore> = () => configuredStore(invocation),
): Promise<string> {
  const { url, because } = await find(invocation, configured);
  if (invocation.options.verbose) {
    invocation.io.stderr(`store: ${printable(maskUrls(url))} (${because})\n`);
  }
  return url;
}

async function find(
  { io, options }: Invocation,
  configured: () => Promise<FoundStore>,
): Promise<FoundStore> {
  const named = textOption(options, 'store');
  if (named !== undefined) return { url: named, because: 'named on the command line' };
  if (io.env.REDRIVE_STORE) return { url: io.env.REDRIVE_STORE, because: 'REDRIVE_STORE' };
  return configured();
}
