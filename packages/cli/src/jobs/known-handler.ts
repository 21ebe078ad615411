import { type Config, jobsSettings } from '@redrive/config';
import { isRedriveError } from '@redrive/core';
import { nearest } from '@redrive/core/fields';
import type { Store } from '@redrive/durable';
import { CliError } from '../terminal/cli-error.ts';

/**
 * Refuses a handler that neither the configuration nor any job of the store knows: its jobs would wait for ever, and most
 * often it is a slip. Applications register handlers that no file names; their jobs are in the store.
 *
 * @throws CliError with the exit code 3 and the nearest name.
 */
export async function checkHandler(store: Store, config: Config, name: string): Promise<void> {
  const declared = [...jobsSettings(config).handlers.keys()];
  if (declared.includes(name)) return;
  // A file that the first job makes has no jobs yet.
  const { groups } = await store.counts().catch((error: unknown) => {
    if (isRedriveError(error, 'store_not_found')) return { groups: [] };
    throw error;
  });
  const known = [...new Set([...declared, ...groups.map(({ handler }) => handler)])];
  if (known.includes(name)) return;
  const close = nearest(name, known);
  throw new CliError(
    'no_match',
    `There is no handler "${name}".`,
    close === undefined
      ? 'Declare it under jobs.handlers of redrive.yaml; if an application registers it, add --new-handler.'
      : `Did you mean "${close}"? If an application registers "${name}", add --new-handler.`,
  );
}
