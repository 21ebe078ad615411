import type { Config } from '../config.ts';
import { escalationSection } from '../sections/escalation-section.ts';
import { inCode, sectionDefaults } from '../sections/section.ts';

/** The section `escalation`, in the units of code. */
export interface EscalationSettings {
  /** By name. Empty: nobody is notified, and no worker looks. */
  readonly channels: Readonly<Record<string, EscalationChannelSettings>>;
  readonly allowHttp: readonly string[];
  readonly allowPrivate: readonly string[];
  readonly lookEveryMs: number;
  readonly resolveAfterMs: number;
  readonly maxNotificationsPerLook: number;
  readonly hours: {
    readonly timeZone: string;
    readonly opensMinute: number;
    readonly closesMinute: number;
    /** 0 is Sunday. */
    readonly days: readonly number[];
    readonly holidays: readonly string[];
  };
  /** Tiers 2 to 4. */
  readonly tiers: readonly EscalationTierSettings[];
}

export interface EscalationChannelSettings {
  /** Either this or `command`. */
  readonly url?: string | undefined;
  readonly authorizationEnv?: string | undefined;
  readonly command?: readonly string[] | undefined;
  readonly timeoutMs: number;
}

export interface EscalationTierSettings {
  readonly tier: number;
  readonly name: string;
  readonly afterMs?: number | undefined;
  readonly stuckAbove?: number | undefined;
  readonly stuckForMs: number;
  readonly failedAbove?: number | undefined;
  readonly owner: string;
  readonly respondWithinMs: number;
  readonly inBusinessHours: boolean;
  readonly resolveWithinMs?: number | undefined;
  readonly notify?: readonly string[] | undefined;
}

export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const TIERS = { warning: 2, critical: 3, engineeringLead: 4 } as const;
const NAMES = { warning: 'warning', critical: 'critical', engineeringLead: 'engineering_lead' };

/** Reads the section `escalation` of a configuration, defaults filled in. */
export function escalationSettings(config: Config): EscalationSettings {
  const { shape } = escalationSection;
  const section = sectionDefaults(shape, config.sections.escalation);
  // The validator has checked it against the same shape that fills in the defaults and names the keys.
  const file = inCode(shape, section, (s) => Math.round(s * 1_000)) as FileEscalation;
  const { channels = {}, allowHttp, allowPrivate, lookEveryMs, timeZone, holidays } = file;
  const { resolveAfterMs, maxNotificationsPerLook } = file;
  const keys = Object.keys(TIERS) as (keyof typeof TIERS)[];
  return {
    ...{ channels, allowHttp, allowPrivate, lookEveryMs, resolveAfterMs, maxNotificationsPerLook },
    hours: {
      ...{ timeZone, holidays },
      ...{ opensMinute: minuteOf(file.opens), closesMinute: minuteOf(file.closes) },
      days: file.days.map((day) => DAYS.indexOf(day)),
    },
    tiers: keys.map((key) => {
      const { businessHours, ...rest } = file.tiers[key];
      return { tier: TIERS[key], name: NAMES[key], ...rest, inBusinessHours: businessHours };
    }),
  };
}

/** Minutes since midnight of `09:30`. `NaN`: it is not a time of day. */
export function minuteOf(time: string): number {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  const minutes = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && minutes <= 1_440 ? minutes : Number.NaN;
}

type FileTier = Omit<EscalationTierSettings, 'tier' | 'name' | 'inBusinessHours'> & {
  readonly businessHours: boolean;
};

interface FileEscalation
  extends Omit<EscalationSettings, 'hours' | 'tiers'>,
    Pick<EscalationSettings['hours'], 'timeZone' | 'holidays'> {
  readonly opens: string;
  readonly closes: string;
  readonly days: readonly string[];
  readonly tiers: Readonly<Record<keyof typeof TIERS, FileTier>>;
}
