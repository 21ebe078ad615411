import { type Config, eventsSettings, type SourceSettings } from '@redrive/config';
import type { Bus } from '@redrive/durable/events';
import { CliError } from '../terminal/cli-error.ts';
import type { Io } from '../terminal/io.ts';

/** The sources of a configuration, with their buses open. */
export interface OpenSources {
  readonly sources: readonly OpenSource[];
  close(): Promise<void>;
}

export interface OpenSource {
  readonly source: SourceSettings;
  readonly bus: Bus;
}

/** Opens the bus of each source, once per bus. @param only sources with these names; none: all. */
export async function openSources(
  io: Io,
  config: Config,
  only: readonly string[] = [],
): Promise<OpenSources> {
  const settings = eventsSettings(config);
  const unknown = only.find((name) => !settings.sources.some((source) => source.name === name));
  if (unknown !== undefined) {
    const known = settings.sources.map(({ name }) => name).join(', ') || 'none';
    throw new CliError(
      'no_match',
      `No source of events is called ${unknown}.`,
      `Known are: ${known}.`,
    );
  }
  const buses = new Map<string, Bus>();
  const sources: OpenSource[] = [];
  for (const source of settings.sources) {
    if (only.length > 0 && !only.includes(source.name)) continue;
    // The validator has checked that the bus is declared.
    const bus = buses.get(source.bus) ?? (await io.openBus(settings.buses.get(source.bus) ?? ''));
    buses.set(source.bus, bus);
    sources.push({ source, bus });
  }
  return {
    sources,
    async close() {
      await Promise.all([...buses.values()].map((bus) => bus.close()));
    },
  };
}
