import { type Config, eventsSettings, type SourceSettings } from '@redrive/config';
import type { FullStore } from '@redrive/durable';
import { type Bus, storeBus } from '@redrive/durable/events';
import type { Invocation } from '../command/command-spec.ts';
import { configuredStore, findStore } from '../config/configured-store.ts';
import { loadConfig } from '../config/load-config.ts';
import { CliError } from '../terminal/exit-codes.ts';
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

/**
 * Opens the buses of a configuration, by name, each once: all that `redrive start` needs. They connect at their first call.
 *
 * @param only buses with these names; none: all.
 */
export async function openBuses(
  io: Io,
  config: Config,
  openStore: () => Promise<FullStore>,
  only?: ReadonlySet<string>,
): Promise<Readonly<Record<string, Bus>>> {
  const { buses, sources } = eventsSettings(config);
  const open: Record<string, Bus> = {};
  try {
    for (const [name, url] of buses) {
      if (only?.has(name) === false) continue;
      const onBus = sources.filter(({ bus }) => bus === name);
      open[name] =
        url === 'store:'
          ? storeBus(await openStore(), onBus, io.clock && { clock: io.clock })
          : await io.openBus(url);
    }
    return open;
  } catch (error) {
    await closeBuses(open);
    throw error;
  }
}

export async function closeBuses(buses: Readonly<Record<string, Bus>>): Promise<void> {
  await Promise.all(Object.values(buses).map((bus) => bus.close()));
}

/** The sources of a configuration whose bus is open. The validator has checked that each one has a bus. */
export function sourcesOn(
  buses: Readonly<Record<string, Bus>>,
  sources: readonly SourceSettings[],
): readonly OpenSource[] {
  return sources.flatMap((source) => {
    const bus = buses[source.bus];
    return bus === undefined ? [] : [{ source, bus }];
  });
}

/** The sources that a command names; none: all. It opens a store only where a bus is `store:`. */
export async function sourcesOf(
  invocation: Invocation,
  only: readonly string[],
): Promise<OpenSources> {
  const { io } = invocation;
  const config = await loadConfig(invocation);
  const named = namedSources(eventsSettings(config).sources, only);
  let store: FullStore | undefined;
  const openStore = async () => {
    const url = await findStore(invocation, () => configuredStore(invocation, config));
    store ??= await io.openStore(url, true);
    return store;
  };
  const closeStore = async () => store?.close();
  const needed = new Set(named.map(({ bus }) => bus));
  const buses = await openBuses(io, config, openStore, needed).catch(async (error: unknown) => {
    await closeStore();
    throw error;
  });
  const close = async () => {
    await closeBuses(buses);
    await closeStore();
  };
  return { sources: sourcesOn(buses, named), close };
}

/** @throws CliError `no_match`. */
function namedSources(
  sources: readonly SourceSettings[],
  only: readonly string[],
): readonly SourceSettings[] {
  const unknown = only.find((name) => !sources.some((source) => source.name === name));
  if (unknown === undefined)
    return only.length === 0 ? sources : sources.filter(({ name }) => only.includes(name));
  const known = sources.map(({ name }) => name).join(', ') || 'none';
  const text = `No source of events is called ${unknown}.`;
  throw new CliError('no_match', text, `Known are: ${known}.`);
}
