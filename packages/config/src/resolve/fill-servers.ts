import { record, type ValueSource } from '../config.ts';
import type { FileContent } from '../content/file-content.ts';
import type { Servers } from '../environment/read-servers.ts';
import type { ServerName } from '../environment/variables.ts';
import { finding, type Problem } from '../problem/problem.ts';

type Sections = FileContent['sections'];

/** The name of the bus that the environment declares. */
const BUS = 'rabbitmq';

/** The servers that collections of documents need and the file does not name. */
export function missingServers({ sections }: Pick<FileContent, 'sections'>): ServerName[] {
  const all = Object.values(collectionsOf(sections)).map(record);
  return [
    ...(all.some(({ source }) => source === undefined) ? (['mongodb'] as const) : []),
    ...(all.some(({ bus }) => bus === undefined) ? (['rabbitmq'] as const) : []),
  ];
}

/** Gives collections of documents without a source or a bus that of the environment, and reports those that have none. */
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
  const isDeclared = Object.hasOwn(record(sections.buses), BUS);
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
  if (rabbitmq === undefined || isDeclared)
    return { sections: { ...sections, sweeps }, sources, problems };
  sources.set(`buses.${BUS}.url`, rabbitmq.source);
  const own = { [BUS]: Object.freeze({ url: rabbitmq.url }) };
  const buses = Object.freeze({ ...record(sections.buses), ...own });
  return { sections: { ...sections, sweeps, buses }, sources, problems };
}

function collectionsOf(sections: Sections): Readonly<Record<string, unknown>> {
  return record(record(sections.sweeps).collections);
}
