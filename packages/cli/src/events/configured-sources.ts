import { type Config, eventsSettings, type SourceSettings } from '@redrive/config';
import type { FullStore } from '@redrive/durable';
import { type Bus, storeBus } from '@redrive/durable/events';
import type { Invocation } from '../command/command-spec.ts';
import { configuredStore } from '../config/configured-store.ts';
import { loadConfig } from '../config/load-config.ts';
import { findStore } from '../store/find-store.ts';
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

/** Opens all buses of a configuration, by name: for the handler `events.publish`. They connect at their first call. */
export async function openBuses(
  io: Io,
  config: Config,
  store: FullStore,
): Promise<Readonly<Record<string, Bus>>> {
  const { buses, sources } = eventsSettings(config);
  const open: Record<string, Bus> = {};
  for (const [name, url] of buses) {
    const onBus = sources.filter(({ bus }) => bus === name);
    open[name] = url === 'store:' ? storeBus(store, onBus) : await io.openBus(url);
  }
  return open;
}

/** The sources that a command names; none: all. It opens a store only where a bus is `store:`. */
export async function sourcesOf(
  invocation: Invocation,
  only: readonly string[],
): Promise<OpenSources> {
  const { io } = invocation;
  const config = await loadConfig(invocation);
  let store: FullStore | undefined;
  const openStore = async () => {
    const url = await findStore(invocation, () => configuredStore(invocation, config));
    store ??= await io.openStore(url, true);
    return store;
  };
  const closeStore = async () => store?.close();
  const open = await openSources(io, config, openStore, only).catch(async (error: unknown) => {
    await closeStore();
    throw error;
  });
  const close = async () => {
    await open.close();
    await closeStore();
  };
  return { sources: open.sources, close };
}

/** Opens the bus of each source, once per bus. @param only sources with these names; none: all. */
export async function openSources(
  io: Io,
  config: Config,
  openStore: () => Promise<FullStore>,
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
    const url = settings.buses.get(source.bus) ?? '';
    const onBus = settings.sources.filter((other) => other.bus === source.bus);
    const bus =
      buses.get(source.bus) ??
      (url === 'store:'
        ? storeBus(await openStore(), onBus, io.clock && { clock: io.clock })
        : await io.openBus(url));
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
