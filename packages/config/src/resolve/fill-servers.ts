import { record, type ValueSource } from '../config.ts';
import type { FileContent } from '../content/file-content.ts';
import type { Servers } from '../environment/read-servers.ts';
import type { ServerName } from '../environment/variables.ts';
import type { ProblemCode } from '../problem/codes.ts';
import { finding, type Problem } from '../problem/problem.ts';

type Sections = FileContent['sections'];

/** The name of the bus that the environment declares. */
const BUS = 'rabbitmq';

/** The servers that the file needs and does not declare. */
export function missingServers({ sections }: Pick<FileContent, 'sections'>): ServerName[] {
  const all = Object.values(collectionsOf(sections)).map(record);
  const needsBus = all.some(({ bus }) => bus === undefined) || namesBus(sections).length > 0;
  return [
    ...(all.some(({ source }) => source === undefined) ? (['mongodb'] as const) : []),
    ...(needsBus ? (['rabbitmq'] as const) : []),
  ];
}

/** Gives collections without a source or a bus that of the environment, declares its bus, and reports what is missing. */
export function fillServers(
  { sections, placeOf }: Pick<FileContent, 'sections' | 'placeOf'>,
  { mongodb, rabbitmq }: Servers = {},
): {
  readonly sections: Sections;
  readonly sources: ReadonlyMap<string, ValueSource>;
  readonly problems: readonly Problem[];
} {
  if (missingServers({ sections }).length === 0)
    return { sections, sources: new Map(), problems: [] };
  const sources = new Map<string, ValueSource>();
  const problems: Problem[] = [];
  const filled = Object.entries(collectionsOf(sections)).map(([name, given]) => {
    const { source, bus } = record(given);
    const path = ['sweeps', 'collections', name];
    const fill = (
      key: string,
      from: { readonly source: ValueSource } | undefined,
      what: string,
    ) => {
      if (from !== undefined) sources.set([...path, key].join('.'), from.source);
      else problems.push(finding('invalid_sweep', placeOf(path), `${name} has no ${key}`, what));
    };
    if (source === undefined) fill('source', mongodb, 'name a database, or set MONGODB_HOST');
    if (bus === undefined) fill('bus', rabbitmq, 'name one of buses, or set RABBITMQ_HOST');
    const all = { ...record(given), source: source ?? mongodb?.url, bus: bus ?? BUS };
    return [name, Object.freeze(all)] as const;
  });
  const collections = Object.freeze(Object.fromEntries(filled));
  const sweeps = Object.freeze({ ...record(sections.sweeps), collections });
  const whole = filled.length === 0 ? sections : { ...sections, sweeps };
  if (rabbitmq === undefined) {
    for (const { name, path, code } of namesBus(sections)) {
      const message = `${name} names the bus ${BUS}, which is not under buses, and RABBITMQ_HOST is not set`;
      problems.push(finding(code, placeOf(path), message));
    }
  }
  if (rabbitmq === undefined || isDeclared(sections)) return { sections: whole, sources, problems };
  sources.set(`buses.${BUS}.url`, rabbitmq.source);
  const own = { [BUS]: Object.freeze({ url: rabbitmq.url }) };
  const buses = Object.freeze({ ...record(sections.buses), ...own });
  return { sections: { ...whole, buses }, sources, problems };
}

interface BusUser {
  readonly name: string;
  readonly path: readonly string[];
  readonly code: ProblemCode;
}

/** The sources of events and collections that name the bus of the environment. None if the file declares a bus of this name. */
function namesBus(sections: Sections): BusUser[] {
  if (isDeclared(sections)) return [];
  const users = (
    all: Readonly<Record<string, unknown>>,
    section: readonly string[],
    code: ProblemCode,
  ): BusUser[] =>
    Object.entries(all)
      .filter(([, given]) => record(given).bus === BUS)
      .map(([name]) => ({ name, path: [...section, name, 'bus'], code }));
  return [
    ...users(record(record(sections.events).sources), ['events', 'sources'], 'invalid_source'),
    ...users(collectionsOf(sections), ['sweeps', 'collections'], 'invalid_sweep'),
  ];
}

function isDeclared(sections: Sections): boolean {
  return Object.hasOwn(record(sections.buses), BUS);
}

function collectionsOf(sections: Sections): Readonly<Record<string, unknown>> {
  return record(record(sections.sweeps).collections);
}
