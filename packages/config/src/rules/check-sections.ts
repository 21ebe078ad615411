import { nearest } from '@redrive/core/fields';
import { record } from '../config.ts';
import type { FileContent } from '../content/file-content.ts';
import { ENVIRONMENT_BUSES } from '../environment/variables.ts';
import { finding, type Problem } from '../problem/problem.ts';
import { isRange, type TargetProblem, textsOf, urlProblem } from './web-target.ts';

/** The kinds of handlers in a file: each has at most one. An application registers a handler that has none. */
const KINDS = ['command', 'module', 'http'] as const;

export function checkHandlers(content: FileContent): Problem[] {
  const { handlers, http, queue_rates } = record(content.sections.jobs);
  const targets = record(http);
  const ranges = textsOf(targets.allow_private)
    .filter((range) => !isRange(range))
    .map((range) => {
      const place = content.placeOf(['jobs', 'http', 'allow_private']);
      const message = `${range} is neither an address nor a range`;
      return finding('invalid_handler', place, message, 'write 10.1.0.0/16, or one address');
    });
  const ofHandlers = Object.entries(record(handlers)).flatMap(([name, given]) => {
    const handler = record(given);
    const { command, module, http: request } = handler;
    const path = (...keys: string[]) => ['jobs', 'handlers', name, ...keys];
    const problem = (keys: readonly string[], message: string, advice: string) => [
      finding('invalid_handler', content.placeOf(path(...keys)), message, advice),
    ];
    const { dead_handler: hook } = handler;
    if (typeof hook === 'string') {
      const other = record(handlers)[hook];
      if (other === undefined) {
        const advice = nearOr(hook, record(handlers), 'declare it under jobs.handlers');
        return problem(['dead_handler'], `${name} names ${hook}, which is no handler`, advice);
      }
      if (record(other).dead_handler !== undefined) {
        const message = `${name} names ${hook}, which has a dead_handler itself`;
        return problem(['dead_handler'], message, 'name a handler without one');
      }
    }
    const twins = twinRates(content, path('rates'), handler.rates);
    if (twins.length > 0) return twins;
    const [first, second] = KINDS.filter((kind) => handler[kind] !== undefined);
    if (first !== undefined && second !== undefined)
      return problem([second], `${name} has both a ${first} and a ${second}`, 'keep one of them');
    if (Array.isArray(command) && command.length === 0) {
      const advice = 'write command: ["./program", "argument"]';
      return problem(['command'], `${name} has an empty command`, advice);
    }
    if (request !== undefined) {
      const wrong = requestProblems(record(request), targets);
      if (wrong.length > 0)
        return wrong.flatMap(({ key, why, advice }) =>
          problem(['http', key], `${name} ${why}`, advice),
        );
    }
    // `export` has a default, so only its source shows whether somebody wrote it.
    const hasExport = content.sectionSources.has(path('export').join('.'));
    return hasExport && module === undefined
      ? problem(['export'], `${name} has an export, but no module`, 'add module: ./file.mjs')
      : [];
  });
  const ofQueues = Object.entries(record(queue_rates)).flatMap(([queue, rates]) =>
    twinRates(content, ['jobs', 'queue_rates', queue], rates),
  );
  return [...ranges, ...ofHandlers, ...ofQueues];
}

/** The store counts by what is counted and by the time: two rates that are alike in both would be one. */
function twinRates(content: FileContent, path: readonly string[], rates: unknown): Problem[] {
  const names = new Map<string, string>();
  return Object.entries(record(rates)).flatMap(([name, given]) => {
    const { by, per_seconds } = record(given);
    const kind = `${by} ${per_seconds}`;
    const twin = names.get(kind);
    names.set(kind, name);
    if (twin === undefined) return [];
    const message = `the rates ${twin} and ${name} have the same by and per_seconds`;
    const place = content.placeOf([...path, name]);
    return [finding('invalid_handler', place, message, 'keep the lower one')];
  });
}

/** A value under such a name would be in the file for everybody who can read it. */
const SECRET_HEADER = /authorization|cookie|token|secret|password|api-?key/i;

interface RequestProblem extends TargetProblem {
  readonly key: string;
}

function requestProblems(
  { url, headers, headers_env }: Readonly<Record<string, unknown>>,
  { targets, allow_http }: Readonly<Record<string, unknown>>,
): RequestProblem[] {
  const named = Object.keys(record(headers));
  const ofHeaders = named
    .filter((header) => SECRET_HEADER.test(header))
    .map((header) => ({
      key: 'headers',
      why: `has ${header} in headers, where everybody who reads the file sees it`,
      advice: 'name an environment variable in headers_env',
    }));
  const twice = Object.keys(record(headers_env))
    .filter((header) => named.includes(header))
    .map((header) => ({
      key: 'headers_env',
      why: `has ${header} in headers and in headers_env`,
      advice: 'keep one of them',
    }));
  if (typeof url !== 'string') return [...ofHeaders, ...twice];
  const wrong = urlProblem(url, textsOf(allow_http), 'jobs.http.allow_http');
  const { host = '' } = URL.parse(url) ?? {};
  const isTarget = textsOf(targets).some((target) => target.toLowerCase() === host);
  const why = `asks ${host}, which is not in jobs.http.targets`;
  return [
    ...ofHeaders,
    ...twice,
    ...(wrong === undefined ? [] : [{ key: 'url', ...wrong }]),
    ...(isTarget || host === ''
      ? []
      : [{ key: 'url', why, advice: 'add it to jobs.http.targets' }]),
  ];
}

const POSTGRES_ONLY = ['schema', 'connections'] as const;

/** A SQLite file has neither a schema nor several connections: either would be ignored, and the address is likely wrong. */
export function checkStore(content: FileContent): Problem[] {
  const store = record(content.sections.store);
  // `url` has a default, so only its source shows whether somebody wrote it.
  const hasUrl = content.sectionSources.has('store.url');
  if (hasUrl && /^postgres(?:ql)?:/.test(String(store.url))) return [];
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
  const wrong = (path: readonly string[], message: string, advice?: string): Problem =>
    finding('invalid_source', content.placeOf([...path]), message, advice);
  const addresses = Object.entries(declared).flatMap(([name, bus]) => {
    if (typeof record(bus).url !== 'string' || sourceNameOf(bus) !== undefined) return [];
    const message = `${name} has an address that no adapter knows`;
    const advice = 'write store:, nats://host:4222 or amqp://host:5672';
    return [wrong(['buses', name, 'url'], message, advice)];
  });
  const named = Object.entries(record(sources)).flatMap(([name, given]) => {
    const source = record(given);
    const { bus, handler } = source;
    const path = (key: string) => ['events', 'sources', name, key];
    const problems: Problem[] = [];
    if (typeof bus === 'string' && !Object.hasOwn(buses, bus)) {
      const message = `${name} names the bus ${bus}, which is not under buses`;
      problems.push(wrong(path('bus'), message, nearOr(bus, buses, 'declare it under buses')));
    }
    if (typeof handler === 'string' && !Object.hasOwn(handlers, handler)) {
      const message = `${name} names the handler ${handler}, which is not under jobs.handlers`;
      const advice = nearOr(handler, handlers, 'declare it under jobs.handlers');
      problems.push(wrong(path('handler'), message, advice));
    }
    const needed = typeof bus === 'string' ? sourceNameOf(buses[bus]) : undefined;
    if (needed !== undefined && needed !== 'none' && source[needed] === undefined)
      problems.push(
        wrong(
          path('bus'),
          `${name} has no ${needed}`,
          `add ${needed}: with its name at the broker`,
        ),
      );
    const misdirected = destinationProblem(name, record(sources), needed);
    if (misdirected !== undefined)
      problems.push(wrong(path('dead_letters'), misdirected, 'name another destination'));
    const why = source.direct === true && notDirect(needed, record(handlers[String(handler)]));
    if (why)
      problems.push(wrong(path('direct'), `${name} cannot be direct: ${why}`, 'remove direct'));
    return problems;
  });
  return [...addresses, ...named];
}

function nearOr(name: string, known: Readonly<Record<string, unknown>>, otherwise: string): string {
  const close = nearest(name, Object.keys(known));
  return close === undefined ? otherwise : `did you mean ${close}?`;
}
