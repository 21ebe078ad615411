import { record } from '../config.ts';
import type { FileContent } from '../content/file-content.ts';
import { ENVIRONMENT_BUSES } from '../environment/variables.ts';
import { finding, type Problem } from '../problem/problem.ts';
import { isRange, textsOf, urlProblem } from './web-target.ts';

/** The kinds of handlers in a file: each has at most one. An application registers a handler that has none. */
const KINDS = ['command', 'module', 'http'] as const;

export function checkHandlers(content: FileContent): Problem[] {
  const { handlers, http } = record(content.sections.jobs);
  const targets = record(http);
  const ranges = textsOf(targets.allow_private)
    .filter((range) => !isRange(range))
    .map((range) => {
      const place = content.placeOf(['jobs', 'http', 'allow_private']);
      return finding('invalid_handler', place, `${range} is neither an address nor a range`);
    });
  const ofHandlers = Object.entries(record(handlers)).flatMap(([name, given]) => {
    const handler = record(given);
    const { command, module, http: request } = handler;
    const path = (...keys: string[]) => ['jobs', 'handlers', name, ...keys];
    const problem = (keys: readonly string[], message: string) => [
      finding('invalid_handler', content.placeOf(path(...keys)), message),
    ];
    const [first, second] = KINDS.filter((kind) => handler[kind] !== undefined);
    if (first !== undefined && second !== undefined)
      return problem([second], `${name} has both a ${first} and a ${second}`);
    if (Array.isArray(command) && command.length === 0)
      return problem(['command'], `${name} has an empty command`);
    if (request !== undefined) {
      const wrong = requestProblem(record(request), targets);
      if (wrong !== undefined) return problem(['http', wrong.key], `${name} ${wrong.why}`);
    }
    // `export` has a default, so only its source shows whether somebody wrote it.
    const hasExport = content.sectionSources.has(path('export').join('.'));
    return hasExport && module === undefined
      ? problem(['export'], `${name} has an export, but no module`)
      : [];
  });
  return [...ranges, ...ofHandlers];
}

/** A value under such a name would be in the file for everybody who can read it. */
const SECRET_HEADER = /authorization|cookie|token|secret|password|api-?key/i;

function requestProblem(
  { url, headers, headers_env }: Readonly<Record<string, unknown>>,
  { targets, allow_http }: Readonly<Record<string, unknown>>,
): { readonly key: string; readonly why: string } | undefined {
  const secret = Object.keys(record(headers)).find((header) => SECRET_HEADER.test(header));
  if (secret !== undefined)
    return {
      key: 'headers',
      why: `has ${secret} in headers: name an environment variable in headers_env`,
    };
  const both = Object.keys(record(headers_env)).find((header) =>
    Object.hasOwn(record(headers), header),
  );
  if (both !== undefined)
    return { key: 'headers_env', why: `has ${both} in headers and in headers_env` };
  if (typeof url !== 'string') return undefined;
  const wrong = urlProblem(url, textsOf(allow_http));
  if (wrong !== undefined) return { key: 'url', why: wrong };
  const { host = '' } = URL.parse(url) ?? {};
  return textsOf(targets).some((target) => target.toLowerCase() === host)
    ? undefined
    : { key: 'url', why: `asks ${host}, which is not in jobs.http.targets` };
}

const POSTGRES_ONLY = ['schema', 'connections'] as const;

/** A SQLite file has neither a schema nor several connections: either would be ignored, and the address is likely wrong. */
export function checkStore(content: FileContent): Problem[] {
  const store = record(content.sections.store);
  // `url` has a default, so only its source shows whether somebody wrote it.
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

/** Dead letters must not be published to their own source. The store has no destinations but its sources. */
function destinationProblem(
  name: string,
  sources: Readonly<Record<string, unknown>>,
  needed: ReturnType<typeof sourceNameOf>,
): string | undefined {
  const { bus, queue, subject = name, dead_letters } = record(sources[name]);
  const { publish_to: to } = record(dead_letters);
  if (typeof to !== 'string' || needed === undefined) return undefined;
  const own = needed === 'queue' ? queue === to : covers(String(subject), to);
  if (own) return `${name} takes ${to} itself: its dead letters would be its events`;
  const takers = Object.entries(sources).filter(([other, given]) => {
    const source = record(given);
    return source.bus === bus && (source.subject ?? other) === to;
  });
  return needed === 'none' && takers.length === 0
    ? `no source on the bus ${String(bus)} has the subject ${to}, so its dead letters could not be published`
    : undefined;
}

/** Whether a subject with wildcards of JetStream has another one. */
function covers(pattern: string, subject: string): boolean {
  const tokens = subject.split('.');
  const parts = pattern.split('.');
  if (parts.at(-1) === '>') return parts.slice(0, -1).every((part, n) => isToken(part, tokens[n]));
  return parts.length === tokens.length && parts.every((part, n) => isToken(part, tokens[n]));
}

function isToken(part: string, token: string | undefined): boolean {
  return token !== undefined && (part === '*' || part === token);
}

/** Why a source cannot run events before it stores them. */
function notDirect(needed: string | undefined, handler: Readonly<Record<string, unknown>>) {
  if (needed === 'none') return 'on store: a message is stored when it is published';
  if (handler.on_unknown !== 'dead_letter' || handler.idempotent === true) return undefined;
  return 'after a crash an event would run again, and its handler has on_unknown: dead_letter';
}

/** A source names a bus and a handler that exist, and what its broker needs. */
export function checkEvents(content: FileContent): Problem[] {
  const declared = record(content.sections.buses);
  const buses: Readonly<Record<string, unknown>> = { ...ENVIRONMENT_BUSES, ...declared };
  const handlers = record(record(content.sections.jobs).handlers);
  const { sources } = record(content.sections.events);
  const wrong = (path: readonly string[], message: string): Problem =>
    finding('invalid_source', content.placeOf([...path]), message);
  const addresses = Object.entries(declared).flatMap(([name, bus]) => {
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
    const misdirected = destinationProblem(name, record(sources), needed);
    if (misdirected !== undefined) problems.push(wrong(path('dead_letters'), misdirected));
    const why = source.direct === true && notDirect(needed, record(handlers[String(handler)]));
    if (why) problems.push(wrong(path('direct'), `${name} cannot be direct: ${why}`));
    return problems;
  });
  return [...addresses, ...named];
}
