import { maskUrls } from '@redrive/config';
import type { Invocation } from '../command/command-spec.ts';
import { textOption } from '../command/option-values.ts';
import { configuredStore, type FoundStore } from '../config/configured-store.ts';
import { printable } from '../terminal/printable.ts';

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
