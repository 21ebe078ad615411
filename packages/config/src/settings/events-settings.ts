import { type Config, record } from '../config.ts';
import { busesSection, eventsSection } from '../sections/events-section.ts';
import { inCode, sectionDefaults } from '../sections/section.ts';

/** The sections `buses` and `events`, in the units of code. */
export interface EventsSettings {
  /** URLs of message brokers, by name. */
  readonly buses: ReadonlyMap<string, string>;
  readonly sources: readonly SourceSettings[];
}

/** A source as the file declares it. */
export interface SourceSettings {
  readonly name: string;
  readonly bus: string;
  readonly handler: string;
  readonly stream?: string;
  readonly subject?: string;
  readonly queue?: string;
  readonly key?: readonly string[];
  readonly headers?: readonly string[];
  readonly prefetch: number;
  readonly maxWaiting: number;
  readonly direct: boolean;
  readonly publishTo?: string;
  /** Paths of the ids of documents, by the collections of `sweeps` that have their events from this source. */
  readonly documents?: Readonly<Record<string, readonly string[]>>;
}

/** Reads the sections `buses` and `events` of a configuration, defaults filled in. */
export function eventsSettings(config: Config): EventsSettings {
  // The validator has checked both against the shapes that fill in the defaults and name the keys.
  const buses = inCode(busesSection.shape, filled(busesSection, config)) as Buses;
  const { sources = {} } = inCode(eventsSection.shape, filled(eventsSection, config)) as Events;
  const documents = documentsOf(config);
  return {
    buses: new Map(Object.entries(buses).map(([name, { url }]) => [name, url])),
    sources: Object.entries(sources).map(([name, { deadLetters, ...source }]) => ({
      name,
      ...source,
      ...deadLetters,
      ...withDocuments(documents.get(name), source.key),
    })),
  };
}

interface DocumentIds {
  readonly collection: string;
  readonly ids?: readonly string[];
}

/** The collections that have their events from a source, by the source. */
function documentsOf({ sections }: Config): ReadonlyMap<string, readonly DocumentIds[]> {
  const { collections } = record(sections.sweeps);
  const named = Object.entries(record(collections)).flatMap(([collection, given]) => {
    const { source, ids } = record(record(given).event_source);
    // The validator has checked them.
    return typeof source === 'string' ? [{ collection, source, ids: ids as string[] }] : [];
  });
  return Map.groupBy(named, ({ source }) => source);
}

function withDocuments(of: readonly DocumentIds[] | undefined, key: readonly string[] = []) {
  if (of === undefined) return {};
  return { documents: Object.fromEntries(of.map((one) => [one.collection, one.ids ?? key])) };
}

type Buses = Readonly<Record<string, { readonly url: string }>>;
interface Events {
  readonly sources?: Readonly<
    Record<
      string,
      Omit<SourceSettings, 'name' | 'publishTo'> & { deadLetters?: { publishTo?: string } }
    >
  >;
}

function filled({ name, shape }: typeof eventsSection, { sections }: Config): unknown {
  return sectionDefaults(shape, sections[name]);
}
