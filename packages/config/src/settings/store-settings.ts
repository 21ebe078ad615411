import { dirname, resolve } from 'node:path';
import type { Config, ValueSource } from '../config.ts';
import { DEFAULT_STORE } from '../sections/store-section.ts';

/** Where the configuration wants jobs to be kept. */
export interface StoreSettings {
  /** With the schema and the number of connections of a Postgres store as its parameters. */
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
    connections,
    migrate = true,
  } = (config.sections.store ?? {}) as {
    readonly url?: string;
    readonly schema?: string;
    readonly connections?: number;
    readonly migrate?: boolean;
  };
  const source = config.sources.get('store.url');
  const place =
    source === undefined || config.file === undefined
      ? url
      : absoluteStore(url, config.file, directory);
  const whole = withParameter(withParameter(place, 'schema', schema), 'connections', connections);
  return { url: whole, migrate, source: source ?? BUILT_IN };
}

/** The URL of a store as the configuration in `file` means it: a relative SQLite file begins where `file` is. */
export function absoluteStore(url: string, file: string, directory: string): string {
  const [, relative] = SQLITE.exec(url) ?? [];
  return relative === undefined ? url : `sqlite:${resolve(directory, dirname(file), relative)}`;
}

/** One address says all: `--store` and `REDRIVE_STORE` have the parameters there, too. */
export function withParameter(
  url: string,
  name: 'schema' | 'connections',
  value: string | number | undefined,
): string {
  if (value === undefined || url.startsWith('sqlite:')) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
}
