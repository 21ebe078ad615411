import type { CauseRule } from '@redrive/core/stored';
import { type Config, record } from '../config.ts';
import { causesSection } from '../sections/causes-section.ts';
import { inCode, sectionDefaults } from '../sections/section.ts';

/** The rules of causes of a configuration, in their order. */
export function causesSettings(config: Config): readonly CauseRule[] {
  return rulesOfSection(config.sections.causes);
}

/** Rules apply in their order, so a file with another order is another configuration. */
export function causeOrder({ sections }: Pick<Config, 'sections'>): readonly string[] {
  return Object.keys(record(sections.causes));
}

export function rulesOfSection(section: unknown): readonly CauseRule[] {
  const { shape } = causesSection;
  const rules = record(inCode(shape, sectionDefaults(shape, section)));
  // The validator has checked it against the same shape that names the keys.
  return Object.entries(rules).map(([name, rule]) => ({ name, ...record(rule) }) as CauseRule);
}
