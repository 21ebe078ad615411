import { type Config, record } from '../config.ts';
import { inCode, type Section } from '../sections/section.ts';

/** Dependencies are named by policies and handlers, so these are many more than a file can name. */
const MAX_KEYS = 10_000;

/** Guards by dependency, each made from its entry in a section, and made anew when a reload has changed what it is made of. */
export interface GuardRegistry<Options, Guard> {
  /**
   * @param wish what the caller would have it made of besides. Two policies may share a guard and wish for different
   * things: then the first one's holds, and only a wish that is new after a reload counts as a change.
   */
  for(key: string, wish: string, make: (options: Options) => Guard): Guard;
  /** The section's current values for it, in the names and units of code. */
  options(key: string): Options;
  values(): Guard[];
}

interface Known<Guard> {
  readonly guard: Guard;
  readonly entry: string;
  readonly wishes: Set<string>;
  config: Config;
}

export function guardRegistry<Options, Guard>(
  current: () => Config,
  { name, shape }: Section,
): GuardRegistry<Options, Guard> {
  const guards = new Map<string, Known<Guard>>();

  function isCurrent(known: Known<Guard>, config: Config, entry: unknown, wish: string): boolean {
    if (known.config !== config && !known.wishes.has(wish)) return false;
    return known.config === config || known.entry === JSON.stringify(entry);
  }

  const entryIn = (config: Config, key: string) => record(config.sections[name])[key] ?? {};
  const optionsOf = (config: Config, key: string) =>
    // The validator has checked the entry against the shape, whose keys are the names of the options.
    record(inCode(shape, { [key]: entryIn(config, key) }))[key] as Options;

  return {
    options: (key) => optionsOf(current(), key),
    for(key, wish, make) {
      const config = current();
      const entry = entryIn(config, key);
      const known = guards.get(key);
      if (known !== undefined && isCurrent(known, config, entry, wish)) {
        known.config = config;
        known.wishes.add(wish);
        return known.guard;
      }
      const guard = make(optionsOf(config, key));
      if (known === undefined && guards.size >= MAX_KEYS) {
        const [oldest = ''] = guards.keys();
        guards.delete(oldest);
      }
      const wishes = new Set([wish]);
      guards.set(key, { guard, entry: JSON.stringify(entry), wishes, config });
      return guard;
    },
    values: () => [...guards.values()].map(({ guard }) => guard),
  };
}
