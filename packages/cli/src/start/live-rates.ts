import { type Config, jobsSettings } from '@redrive/config';
import type { Rate, Rates } from '@redrive/durable';
import type { LoadedHandlers } from './load-handlers.ts';

/** The rates of the file that is in force: a worker asks for them before every claim. */
export function liveRates(current: () => Config) {
  let known: { readonly config: Config; readonly settings: ReturnType<typeof jobsSettings> };
  function settings(): ReturnType<typeof jobsSettings> {
    const config = current();
    if (known?.config !== config) known = { config, settings: jobsSettings(config) };
    return known.settings;
  }

  return {
    /** The handlers, with the rates of the file instead of those in code. */
    of(handlers: LoadedHandlers): LoadedHandlers {
      const rated = Object.entries(handlers).map(([name, definition]) => {
        const rate = (): readonly Rate[] | undefined => {
          const given = Object.values(settings().handlers.get(name)?.rates ?? {});
          return given.length > 0 ? given : ownRates(definition.rate);
        };
        return [name, { ...definition, rate }] as const;
      });
      return Object.fromEntries(rated);
    },

    queues: (): Readonly<Record<string, readonly Rate[]>> =>
      Object.fromEntries(
        Object.entries(settings().queueRates).map(([queue, rates]) => [
          queue,
          Object.values(rates),
        ]),
      ),
  };
}

function ownRates(own: Rates | undefined): readonly Rate[] | undefined {
  const found = typeof own === 'function' ? own() : own;
  return found && [found].flat();
}
