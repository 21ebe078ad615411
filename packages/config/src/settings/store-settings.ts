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
/** A relative file, with or without `sqlite:` before it. One letter and a colon begin a path of Windows. */
const POSTGRES = /^postgres(?:ql)?:\/\//;
const SQLITE = /^(?:sqlite:)?(?!\/|[a-z]:|[a-z][a-z\d+.-]+:)(.+)$/i;

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
function absoluteStore(url: string, file: string, directory: string): string {
  const [, relative] = SQLITE.exec(url) ?? [];
  return relative === undefined ? url : `sqlite:${resolve(directory, dirname(file), relative)}`;
}

/** One address says all: `--store` and `REDRIVE_STORE` have the parameters there, too. */
function withParameter(
  url: string,
  name: 'schema' | 'connections',
  value: string | number | undefined,
): string {
  if (value === undefined || !POSTGRES.test(url)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
}

/** The store that the text of a configuration names, as far as it can be read. */
export interface StoreLine {
  /** Absent: no line names a store. */
  readonly url?: string | undefined;
  /** Whether the text speaks about a store at all, also where no URL can be read. */
  readonly isNamed: boolean;
}

const URL_VALUE =
  /(?:^|[\s{,])["']?url["']?\s*:\s*["']?((?:sqlite:|postgres(?:ql)?:\/\/)[^\s"'},#]+)/m;
const SCHEMA_VALUE = /(?:^|[\s{,])["']?schema["']?\s*:\s*["']?([A-Za-z_]\w{0,62})/m;
const COMMENTS = /^\s*#.*$|\s#.*$/gm;

/**
 * Finds the store in the text of a configuration that cannot be parsed or is not valid: the first `url` of `sqlite:` or
 * `postgres:` behind the key `store`. For emergency commands alone: nothing else of such a file is used.
 *
 * ```ts
 * storeLine('polices: }\nstore:\n  url: sqlite:./jobs.db', 'redrive.yaml', '/app').url; // sqlite:/app/jobs.db
 * ```
 *
 * @param file the file that the text is of: a relative SQLite file begins in its directory.
 * @param directory where `file` begins.
 */
export function storeLine(text: string, file: string, directory: string): StoreLine {
  const bare = text.replace(COMMENTS, '');
  const key = /(?:^|[{,])\s*["']?store["']?\s*:/m.exec(bare);
  if (key === null) return { isNamed: false };
  const section = bare.slice(key.index + key[0].length);
  // Up to the next key of the first level: another section may have a `url` as well.
  const end = section.search(/\n["']?\w+["']?\s*:/);
  const own = end < 0 ? section : section.slice(0, end);
  const [, url] = URL_VALUE.exec(own) ?? [];
  const [, schema] = SCHEMA_VALUE.exec(own) ?? [];
  if (url === undefined) return { isNamed: true };
  const whole = /[?&]schema=/.test(url) ? url : withParameter(url, 'schema', schema);
  return { url: absoluteStore(whole, file, directory), isNamed: true };
}

/** `postgres://user:password@host`, and `?password=…` behind it. */
const USER = /(\/\/)[^/?#\s"']*@/g;
const PARAMETER = /([?&][\w-]*(?:pass|pwd|secret|token|key)[\w-]*=)[^&\s"']*/gi;

/** `https://hooks.example/services/T0/B0/x`: everything behind the host, because the path of a webhook is a secret. */
const WEB_PATH = /(https?:\/\/[^/?#\s"']+)[/?#][^\s"']+/gi;

/**
 * The text without the user and password of URLs, without parameters that are secrets, and without paths of http and
 * https URLs: fit to be shown.
 */
export function maskUrls(text: string): string {
  return text
    .replaceAll(USER, '$1***@')
    .replaceAll(PARAMETER, '$1***')
    .replaceAll(WEB_PATH, '$1/***');
}
