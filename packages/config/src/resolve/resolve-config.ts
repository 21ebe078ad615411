import type { Config, Override, SectionOverride, ValueSource } from '../config.ts';
import { noContent } from '../content/file-content.ts';
import { record } from '../content/record.ts';
import { lint } from '../lints/lint.ts';
import type { ParsedConfig } from '../parse-config.ts';
import { arrange, isLint } from '../problem/findings.ts';
import { isValid, type Problem } from '../problem/problem.ts';
import { assembleConfig } from './assemble-config.ts';
import { resolvePolicies } from './resolve-policies.ts';

export interface ResolveOptions {
  /** The file. Default: none, the presets alone. */
  readonly parsed?: ParsedConfig | undefined;
  /** What the environment says, weaker than flags and stronger than the file. Later entries win. Default: nothing. */
  readonly overrides?: readonly Override[];
  /** What the environment says about sections. Default: nothing. */
  readonly sectionOverrides?: readonly SectionOverride[];
  /** What the command line says: the strongest. Later entries win. Default: nothing. */
  readonly flags?: readonly Override[];
}

export interface ResolvedConfig {
  /** Whether there is no error; warnings do not count. */
  readonly valid: boolean;
  /** Absent where there is an error. */
  readonly config?: Config;
  /** Those of the file and those that the values from outside it make, lints included. */
  readonly problems: readonly Problem[];
}

/** Puts flags, environment, file, presets and defaults together, in this order of precedence. */
export function resolveConfig(options: ResolveOptions = {}): ResolvedConfig {
  const { parsed, overrides = [], sectionOverrides = [], flags = [] } = options;
  if (parsed !== undefined && parsed.content === undefined) {
    return { valid: false, problems: parsed.problems };
  }
  const content = parsed?.content ?? noContent();
  const resolved = resolvePolicies(content, [...overrides, ...flags]);
  // Lints are about what is in force, so those of the file alone no longer count.
  const problems = (parsed?.problems ?? []).filter((problem) => !isLint(problem));
  problems.push(...resolved.problems);
  if (!isValid(problems)) return { valid: false, problems: arrange(problems, parsed?.file) };
  const config = assembleConfig({
    content,
    file: parsed?.file,
    resolved,
    ...withSections(content.sections, content.sectionSources, sectionOverrides),
  });
  const all = [...problems, ...lint({ config, content })];
  return { valid: true, config, problems: arrange(all, parsed?.file) };
}

function withSections(
  sections: Readonly<Record<string, unknown>>,
  sources: ReadonlyMap<string, ValueSource>,
  overrides: readonly SectionOverride[],
) {
  const changed: Record<string, unknown> = { ...sections };
  const from = new Map(sources);
  for (const { section, key, value, source } of overrides) {
    changed[section] = Object.freeze({ ...record(changed[section]), [key]: value });
    from.set(`${section}.${key}`, source);
  }
  return { sections: Object.freeze(changed), sources: from };
}
