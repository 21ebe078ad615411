import { withParameter } from './store-settings.ts';

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
 * storeLine('polices: }\nstore:\n  url: sqlite:./jobs.db').url; // sqlite:./jobs.db
 * ```
 */
export function storeLine(text: string): StoreLine {
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
  return {
    url: /[?&]schema=/.test(url) ? url : withParameter(url, 'schema', schema),
    isNamed: true,
  };
}
