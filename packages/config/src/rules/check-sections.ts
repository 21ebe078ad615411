import { record } from '../config.ts';
import type { FileContent } from '../content/file-content.ts';
import { finding, type Problem } from '../problem/problem.ts';

/** A handler has a command or a module, not both. An application registers a handler that has neither. */
export function checkHandlers(content: FileContent): Problem[] {
  const { handlers } = record(content.sections.jobs);
  return Object.entries(record(handlers)).flatMap(([name, given]) => {
    const { command, module } = record(given);
    const path = (key: string) => ['jobs', 'handlers', name, key];
    const problem = (key: string, message: string) => [
      finding('invalid_handler', content.placeOf(path(key)), message),
    ];
    if (command !== undefined && module !== undefined)
      return problem('module', `${name} has both a command and a module`);
    if (Array.isArray(command) && command.length === 0)
      return problem('command', `${name} has an empty command`);
    // `export` has a default, so only its source tells whether somebody wrote it.
    const hasExport = content.sectionSources.has(path('export').join('.'));
    return hasExport && module === undefined
      ? problem('export', `${name} has an export, but no module`)
      : [];
  });
}

const POSTGRES_ONLY = ['schema', 'connections'] as const;

/** A SQLite file has neither a schema nor several connections: either would be ignored, and the address is likely wrong. */
export function checkStore(content: FileContent): Problem[] {
  const store = record(content.sections.store);
  // `url` has a default, so only its source tells whether somebody wrote it.
  const hasUrl = content.sectionSources.has('store.url');
  if (hasUrl && !String(store.url).startsWith('sqlite:')) return [];
  const url = hasUrl
    ? `store.url (line ${content.placeOf(['store', 'url']).line}) is a SQLite file`
    : 'store.url is not given (an address in REDRIVE_STORE or --store has its own ?schema= and ?connections=)';
  return POSTGRES_ONLY.filter((key) => store[key] !== undefined).map((key) => {
    const place = content.placeOf(['store', key]);
    const message = `store.${key} (line ${place.line}) is for Postgres, and ${url}`;
    return finding('postgres_only', place, message);
  });
}

/** The name that a source must have, by the address of its broker. */
const SOURCE_NAMES: readonly (readonly [address: RegExp, name: 'stream' | 'queue' | 'none'])[] = [
  [/^(?:nats|tls):\/\//, 'stream'],
  [/^amqps?:\/\//, 'queue'],
  [/^store:$/, 'none'],
];

function sourceNameOf(bus: unknown): (typeof SOURCE_NAMES)[number][1] | undefined {
  const { url } = record(bus);
  return SOURCE_NAMES.find(([address]) => address.test(String(url)))?.[1];
}

/** A source names a bus and a handler that exist, and what its broker needs. */
export function checkEvents(content: FileContent): Problem[] {
  const buses = record(content.sections.buses);
  const handlers = record(record(content.sections.jobs).handlers);
  const { sources } = record(content.sections.events);
  const wrong = (path: readonly string[], message: string): Problem =>
    finding('invalid_source', content.placeOf([...path]), message);
  const addresses = Object.entries(buses).flatMap(([name, bus]) => {
    if (typeof record(bus).url !== 'string' || sourceNameOf(bus) !== undefined) return [];
    const message = `${name}: no adapter knows this address; write store:, nats://host:4222 or amqp://host:5672`;
    return [wrong(['buses', name, 'url'], message)];
  });
  const named = Object.entries(record(sources)).flatMap(([name, given]) => {
    const source = record(given);
    const { bus, handler } = source;
    const path = (key: string) => ['events', 'sources', name, key];
    const problems: Problem[] = [];
    if (typeof bus === 'string' && !Object.hasOwn(buses, bus))
      problems.push(wrong(path('bus'), `${name} names the bus ${bus}, which is not under buses`));
    if (typeof handler === 'string' && !Object.hasOwn(handlers, handler)) {
      const message = `${name} names the handler ${handler}, which is not under jobs.handlers`;
      problems.push(wrong(path('handler'), message));
    }
    const needed = typeof bus === 'string' ? sourceNameOf(buses[bus]) : undefined;
    if (needed !== undefined && needed !== 'none' && source[needed] === undefined)
      problems.push(wrong(path('bus'), `${name} has no ${needed}`));
    return problems;
  });
  return [...addresses, ...named];
}
