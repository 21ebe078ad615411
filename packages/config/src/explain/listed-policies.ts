import type { Config, ConfiguredPolicy } from '../config.ts';

/** A policy that is a preset's own, whether or not the file or the environment changed values of it. */
export const isPreset = ({ id, preset }: ConfiguredPolicy) => id === preset;

/** Every policy: the file's first, then the presets'. */
export function listedPolicies(config: Config): readonly ConfiguredPolicy[] {
  const all = [...config.policies.values()];
  return [...all.filter((one) => !isPreset(one)), ...all.filter(isPreset)];
}
