import { canonicalJson, sha256 } from '@redrive/core/idempotency';
import { hashPolicy } from '@redrive/core/records';
import type { Config, ConfiguredPolicy, Override } from '../config.ts';
import type { ParsedConfig } from '../parse-config.ts';
import { isValid, type Problem } from '../problem/problem.ts';
import { NO_CONTENT } from './file-content.ts';
import { resolvePolicies } from './resolve-policies.ts';

export interface ResolveOptions {
  /** The file. Default: none, the presets alone. */
  readonly parsed?: ParsedConfig | undefined;
  /** What the environment says, weaker than flags and stronger than the file. Later entries win. Default: nothing. */
  readonly overrides?: readonly Override[];
  /** What the command line says: the strongest. Later entries win. Default: nothing. */
  readonly flags?: readonly Override[];
}

export interface ResolvedConfig {
  /** Whether there is no error; warnings do not count. */
  readonly valid: boolean;
  /** Absent where there is an error. */
  readonly config?: Config;
  /** Those of the file, then those that the values from outside it make. */
  readonly problems: readonly Problem[];
}

/** Puts flags, environment, file, presets and defaults together, in this order of precedence. */
export function resolveConfig(options: ResolveOptions = {}): ResolvedConfig {
  const { parsed, overrides = [], flags = [] } = options;
  const fromFile = parsed?.problems ?? [];
  if (parsed !== undefined && (!parsed.valid || parsed.content === undefined)) {
    return { valid: false, problems: fromFile };
  }
  const content = parsed?.content ?? NO_CONTENT;
  const resolved = resolvePolicies(content, [...overrides, ...flags]);
  const problems = [...fromFile, ...resolved.problems];
  if (!isValid(problems)) return { valid: false, problems };
  const { policies, defaults } = resolved;
  const mappings = new Map(content.mappings.map(({ path, policyId }) => [path, policyId]));
  const { version, sections, sectionSources: sources } = content;
  const config: Config = Object.freeze({
    version,
    hash: hashOf(policies, defaults, mappings, sections),
    ...(parsed?.file === undefined ? {} : { file: parsed.file }),
    policies,
    defaults,
    mappings,
    sections,
    sources,
  });
  return { valid: true, config, problems };
}

/** The presets alone: what holds where there is no file. */
export function presetConfig(): Config {
  const { config } = resolveConfig();
  if (config === undefined) throw new Error('The presets are valid');
  return config;
}

/** The file's version is left out: a migrated file says the same. */
function hashOf(
  policies: ReadonlyMap<string, ConfiguredPolicy>,
  defaults: ConfiguredPolicy,
  mappings: ReadonlyMap<string, string>,
  sections: Readonly<Record<string, unknown>>,
): string {
  const hashes = [...policies].map(([id, { policy }]) => [id, hashPolicy(policy)]);
  return sha256(
    canonicalJson({
      policies: Object.fromEntries(hashes),
      defaults: hashPolicy(defaults.policy),
      mappings: Object.fromEntries(mappings),
      sections,
    }),
  );
}
