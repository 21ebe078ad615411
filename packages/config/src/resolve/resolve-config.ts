import { canonicalJson, sha256 } from '@redrive/core/idempotency';
import { hashPolicy } from '@redrive/core/records';
import { type Config, type Override, record, type SectionOverride } from '../config.ts';
import { type FileContent, noContent } from '../content/file-content.ts';
import type { Servers } from '../environment/read-servers.ts';
import { lint } from '../lints/lint.ts';
import type { CheckedFile, ParsedConfig } from '../parse-config.ts';
import { arrange, isValid } from '../problem/problem.ts';
import { causeOrder } from '../settings/causes-settings.ts';
import { fillServers } from './fill-servers.ts';
import { type ResolvedPolicies, resolvePolicies } from './resolve-policies.ts';

/** Values from outside the file; they beat the file's. Later entries win. */
export interface OutsideValues {
  readonly overrides: readonly Override[];
  readonly sectionOverrides: readonly SectionOverride[];
  /** For collections of documents whose source or bus the file leaves out. */
  readonly servers?: Servers | undefined;
}

const NONE: OutsideValues = { overrides: [], sectionOverrides: [] };

/**
 * Puts flags, environment, file, presets and defaults together, in this order of precedence, and lints the result:
 * lints are about the values in force, wherever they came from.
 */
export function resolveConfig(checked: CheckedFile, outside = NONE): ParsedConfig {
  const { file, content } = checked;
  if (content === undefined) return { valid: false, problems: arrange(checked.problems, file) };
  const resolved = resolvePolicies(content, outside.overrides);
  const { sections, sources, problems: missing } = fillServers(content, outside.servers);
  const problems = [...checked.problems, ...resolved.problems, ...missing];
  if (!isValid(problems)) return { valid: false, problems: arrange(problems, file) };
  const sectionSources = new Map([...content.sectionSources, ...sources]);
  const whole = { ...content, sections, sectionSources };
  const config = assemble(whole, resolved, outside.sectionOverrides, file);
  const linted = [...problems, ...lint({ config, content })];
  return { valid: true, config, problems: arrange(linted, file) };
}

/** The presets alone: what holds where there is no file. */
export function presetConfig(): Config {
  const content = noContent();
  return assemble(content, resolvePolicies(content, []), []);
}

function assemble(
  content: FileContent,
  { policies, defaults }: ResolvedPolicies,
  overrides: readonly SectionOverride[],
  file?: string,
): Config {
  const sections: Record<string, unknown> = { ...content.sections };
  const sources = new Map(content.sectionSources);
  for (const { section, key, value, source } of overrides) {
    sections[section] = Object.freeze({ ...record(sections[section]), [key]: value });
    sources.set(`${section}.${key}`, source);
  }
  const mappings = new Map(content.mappings.map(({ path, policyId }) => [path, policyId]));
  return Object.freeze({
    version: content.version,
    hash: hashOf({ policies, defaults, mappings, sections }),
    ...(file === undefined ? {} : { file }),
    policies,
    defaults,
    mappings,
    sections: Object.freeze(sections),
    sources,
  });
}

/** The file's version is left out: a migrated file says the same. */
function hashOf(said: Pick<Config, 'policies' | 'defaults' | 'mappings' | 'sections'>): string {
  const hashes = [...said.policies].map(([id, { policy }]) => [id, hashPolicy(policy)]);
  return sha256(
    canonicalJson({
      policies: Object.fromEntries(hashes),
      defaults: hashPolicy(said.defaults.policy),
      mappings: Object.fromEntries(said.mappings),
      sections: said.sections,
      causes: causeOrder(said),
    }),
  );
}
