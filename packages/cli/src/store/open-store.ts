import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { maskUrls } from '@redrive/config';
import type { FullStore } from '@redrive/durable/store';
import { CliError } from '../terminal/cli-error.ts';

export interface OpenOptions {
  /** Where relative files begin. */
  readonly directory: string;
  /** Also a store that is not there yet: looking at nothing should not leave files behind. */
  readonly create: boolean;
  /** Told what is not as it should be with the store. `redrive start` and `redrive doctor` say it; others say nothing. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * Opens the store at a URL: `sqlite:<file>` or `postgres://…`. The one place that names concrete stores; each driver is
 * loaded only when it is asked for.
 *
 * @throws CliError for a URL that is none; what the store itself says otherwise.
 */
export async function openStoreAt(url: string, options: OpenOptions): Promise<FullStore> {
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { openStore } = await import('@redrive/postgres');
    return openStore(url, { onWarning: options.onWarning });
  }
  const [, file] = /^sqlite:(.+)$/.exec(url) ?? [];
  if (file === undefined || file.startsWith('//')) {
    const hint =
      'Write sqlite:<file>, such as sqlite:./redrive.db, or postgres://user@host/database.';
    throw new CliError('usage', `This is no store: ${maskUrls(url)}`, hint);
  }
  const path = resolve(options.directory, file);
  if (!options.create && isMissing(path)) {
    const hint =
      '"redrive start" and "redrive jobs enqueue" make it. To look elsewhere, use --store, REDRIVE_STORE or the configuration.';
    throw new CliError('unreachable', `There is no store at ${file}.`, hint);
  }
  const { openStore } = await import('@redrive/sqlite');
  return openStore(path, { onWarning: options.onWarning ?? (() => undefined) });
}

/** A file that this user may not look at is not missing: the store says what is denied. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
