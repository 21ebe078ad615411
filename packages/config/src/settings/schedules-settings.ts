import type { Config } from '../config.ts';
import { schedulesSection } from '../sections/schedules-section.ts';
import { inCode, sectionDefaults } from '../sections/section.ts';

/** A schedule as the file declares it, in the options of `jobs.schedule`. */
export interface ScheduleSettings {
  readonly handler: string;
  readonly everyMs?: number;
  readonly cron?: string;
  readonly timeZone?: string;
  /** The value of the JSON text. */
  readonly payload?: unknown;
  readonly overlap: 'skip' | 'queue';
  readonly missed: 'none' | 'last';
  readonly queue: string;
  readonly tenant?: string;
  readonly priority: number;
}

/** Reads the section `schedules` of a configuration, defaults filled in. */
export function schedulesSettings(config: Config): ReadonlyMap<string, ScheduleSettings> {
  const { shape } = schedulesSection;
  const section = sectionDefaults(shape, config.sections.schedules);
  // The validator has checked it against the same shape that fills in the defaults and names the keys.
  const declared = inCode(shape, section, wholeMs) as Readonly<Record<string, FileSchedule>>;
  return new Map(
    Object.entries(declared).map(([name, { payload, ...rest }]) => {
      const given = payload === undefined ? {} : { payload: JSON.parse(payload) };
      return [name, { ...rest, ...given }];
    }),
  );
}

type FileSchedule = Omit<ScheduleSettings, 'payload'> & { readonly payload?: string };

const wholeMs = (seconds: number) => Math.round(seconds * 1_000);
