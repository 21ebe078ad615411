import { canonicalJson, sha256 } from '@redrive/core/idempotency';
import { hashPolicy } from '@redrive/core/records';
import type { Config, ConfiguredPolicy, ValueSource } from '../config.ts';
import { type FileContent, noContent } from '../content/file-content.ts';
import { type ResolvedPolicies, resolvePolicies } from './resolve-policies.ts';

/** What a configuration is put together from. */
export interface ConfigParts {
  readonly content: FileContent;
  readonly file?: string | undefined;
  /** Default: what the file and the presets say. */
  readonly resolved?: ResolvedPolicies;
  readonly sections?: Readonly<Record<string, unknown>>;
  readonly sources?: ReadonlyMap<string, ValueSource>;
}

/** Puts a configuration together and gives it its hash. Everything must have been checked. */
export function assembleConfig(parts: ConfigParts): Config {
  const { content, file, resolved = resolvePolicies(content, []) } = parts;
  const { sections = content.sections, sources = content.sectionSources } = parts;
  const { policies, defaults } = resolved;
  const mappings = new Map(content.mappings.map(({ path, policyId }) => [path, policyId]));
  return Object.freeze({
    version: content.version,
    hash: hashOf(policies, defaults, mappings, sections),
    ...(file === undefined ? {} : { file }),
    policies,
    defaults,
    mappings,
    sections,
    sources,
  });
}

/** The presets alone: what holds where there is no file. */
export function presetConfig(): Config {
  return assembleConfig({ content: noContent() });
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
