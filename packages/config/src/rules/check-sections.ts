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

/** A source names a bus and a handler that exist, and what its broker needs. */
export function checkEvents(content: FileContent): Problem[] {
  const buses = record(content.sections.buses);
  const handlers = record(record(content.sections.jobs).handlers);
  const { sources } = record(content.sections.events);
  const wrong = (path: readonly string[], message: string): Problem =>
    finding('invalid_source', content.placeOf([...path]), message);
  const addresses = Object.entries(buses).flatMap(([name, given]) => {
    const { url } = record(given);
    if (typeof url !== 'string' || /^(?:nats|tls):\/\//.test(url)) return [];
    return [
      wrong(
        ['buses', name, 'url'],
        `${name}: no adapter knows this address; write nats://host:4222`,
      ),
    ];
  });
  const named = Object.entries(record(sources)).flatMap(([name, given]) => {
    const { bus, handler, stream } = record(given);
    const path = (key: string) => ['events', 'sources', name, key];
    const problems: Problem[] = [];
    if (typeof bus === 'string' && !Object.hasOwn(buses, bus))
      problems.push(wrong(path('bus'), `${name} names the bus ${bus}, which is not under buses`));
    if (typeof handler === 'string' && !Object.hasOwn(handlers, handler)) {
      const message = `${name} names the handler ${handler}, which is not under jobs.handlers`;
      problems.push(wrong(path('handler'), message));
    }
    if (typeof bus === 'string' && stream === undefined)
      problems.push(wrong(path('bus'), `${name} has no stream`));
    return problems;
  });
  return [...addresses, ...named];
}
