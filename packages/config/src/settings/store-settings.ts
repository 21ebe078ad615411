import { dirname, resolve } from 'node:path';
import type { Config, ValueSource } from '../config.ts';
import { DEFAULT_STORE } from '../sections/store-section.ts';

/** Where the configuration wants jobs to be kept. */
export interface StoreSettings {
  readonly url: string;
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
  // The validator has seen to it that it is a text.
  const { url = DEFAULT_STORE } = (config.sections.store ?? {}) as { readonly url?: string };
  const source = config.sources.get('store.url');
  if (source === undefined || config.file === undefined) return { url, source: source ?? BUILT_IN };
  return { url: absoluteStore(url, config.file, directory), source };
}

/** The URL of a store as the configuration in `file` means it: a relative SQLite file begins where `file` is. */
export function absoluteStore(url: string, file: string, directory: string): string {
  const [, relative] = SQLITE.exec(url) ?? [];
  return relative === undefined ? url : `sqlite:${resolve(directory, dirname(file), relative)}`;
}
