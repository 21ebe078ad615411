import type { Config } from '../config.ts';
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
}

/** Reads the sections `buses` and `events` of a configuration, defaults filled in. */
export function eventsSettings(config: Config): EventsSettings {
  // The validator has checked both against the shapes that fill in the defaults and name the keys.
  const buses = inCode(busesSection.shape, filled(busesSection, config)) as Buses;
  const { sources = {} } = inCode(eventsSection.shape, filled(eventsSection, config)) as Events;
  return {
    buses: new Map(Object.entries(buses).map(([name, { url }]) => [name, url])),
    sources: Object.entries(sources).map(([name, { deadLetters, ...source }]) => ({
      name,
      ...source,
      ...deadLetters,
    })),
  };
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
