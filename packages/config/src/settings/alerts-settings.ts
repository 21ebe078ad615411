import type { Config } from '../config.ts';
import { alertsSection } from '../sections/alerts-section.ts';
import { inCode, sectionDefaults } from '../sections/section.ts';

/** The section `alerts`, in the units of code. */
export interface AlertsSettings {
  readonly retriesPerMinute: number;
  /** Thresholds of single categories, by code. */
  readonly categories: Readonly<Record<string, number>>;
}

/** Reads the section `alerts` of a configuration, defaults filled in. */
export function alertsSettings(config: Config): AlertsSettings {
  const { shape } = alertsSection;
  // The validator has checked it against the same shape that fills in the defaults and names the keys.
  const file = inCode(
    shape,
    sectionDefaults(shape, config.sections.alerts),
  ) as Partial<AlertsSettings> & Pick<AlertsSettings, 'retriesPerMinute'>;
  return { categories: {}, ...file };
}
