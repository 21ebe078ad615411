import { dirname, resolve } from 'node:path';
import type { Config, ValueSource } from '../config.ts';
import { DEFAULT_STORE } from '../sections/store-section.ts';

/** Where the configuration wants jobs to be kept. */
export interface StoreSettings {
  /** With the schema of a Postgres store as its parameter `schema`. */
  readonly url: string;
  /** Whether a worker makes the tables and brings them up to date. */
  readonly migrate: boolean;
  readonly source: ValueSource;
}

const BUILT_IN: ValueSource = { kind: 'default', where: 'built in' };
const SQLITE = /^sqlite:(?!\/)(.+)$/;

/**
 * The store that a configuration names, with a relative file made absolute: it begins where the configuration file is, so
 * that the same file means the same in every working directory. The default begins in the working directory.
 *
 * @param directory where the file's own name begins. Default: the working directory.
 */
export function storeSettings(config: Config, directory = process.cwd()): StoreSettings {
  // The validator has checked the types.
  const {
    url = DEFAULT_STORE,
    schema,
    migrate = true,
  } = (config.sections.store ?? {}) as {
    readonly url?: string;
    readonly schema?: string;
    readonly migrate?: boolean;
  };
  const source = config.sources.get('store.url');
  const place =
    source === undefined || config.file === undefined
      ? url
      : absoluteStore(url, config.file, directory);
  return { url: withSchema(place, schema), migrate, source: source ?? BUILT_IN };
}

/** The URL of a store as the configuration in `file` means it: a relative SQLite file begins where `file` is. */
export function absoluteStore(url: string, file: string, directory: string): string {
  const [, relative] = SQLITE.exec(url) ?? [];
  return relative === undefined ? url : `sqlite:${resolve(directory, dirname(file), relative)}`;
}

/** One address says all: `--store` and `REDRIVE_STORE` have the schema there, too. */
export function withSchema(url: string, schema: string | undefined): string {
  if (schema === undefined || url.startsWith('sqlite:')) return url;
  return `${url}${url.includes('?') ? '&' : '?'}schema=${encodeURIComponent(schema)}`;
}
