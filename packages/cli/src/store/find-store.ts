import { type Config, maskUrls, storeSettings } from '@redrive/config';
import type { Invocation } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { printable } from '../terminal/printable.ts';

/** Where the store is, and what said so. */
interface FoundStore {
  readonly url: string;
  readonly because: string;
}

/**
 * `--store`, else `REDRIVE_STORE`, else the configuration, else a file in the working directory. The configuration is
 * asked for only when it matters, so that a broken one does not keep anybody from looking at the jobs.
 */
export async function findStore(
  invocation: Invocation,
  config: () => Promise<Config>,
): Promise<string> {
  const { url, because } = await find(invocation, config);
  if (invocation.options.verbose) {
    invocation.io.stderr(`store: ${printable(maskUrls(url))} (${because})\n`);
  }
  return url;
}

async function find(
  { io, options }: Invocation,
  config: () => Promise<Config>,
): Promise<FoundStore> {
  const named = textOption(options, 'store');
  if (named !== undefined) return { url: named, because: 'named on the command line' };
  if (io.env.REDRIVE_STORE) return { url: io.env.REDRIVE_STORE, because: 'REDRIVE_STORE' };
  const { url, source } = storeSettings(await config(), io.directory);
  return { url, because: source.where };
}
