import { isRedriveError } from '@redrive/core';
import type { ConfiguredPolicy, Override } from '../config.ts';
import type { FileContent } from '../content/file-content.ts';
import { PRESETS } from '../presets/presets.ts';
import type { Problem } from '../problem/problem.ts';
import { buildPolicy, type Layer } from './build-policy.ts';
import { layersOf } from './layers.ts';

/** The id of what applies where nothing else does. */
export const GLOBAL_DEFAULTS = 'global_defaults';

export interface ResolvedPolicies {
  readonly policies: ReadonlyMap<string, ConfiguredPolicy>;
  readonly defaults: ConfiguredPolicy;
  readonly problems: readonly Problem[];
}

/** Every policy of the presets and of the file, with what was said elsewhere on top. */
export function resolvePolicies(
  content: FileContent,
  overrides: readonly Override[],
): ResolvedPolicies {
  const problems: Problem[] = [];
  const policies = new Map<string, ConfiguredPolicy>();
  const ids = [
    ...Object.values(PRESETS).flatMap((preset) => Object.keys(preset.policies)),
    ...content.policies.keys(),
  ];
  for (const id of new Set(ids)) {
    const outside = overrides.filter(({ policyId }) => isMeant(policyId, id));
    try {
      policies.set(id, resolvePolicy(content, id, outside));
    } catch (error) {
      if (!isRedriveError(error, 'invalid_policy')) throw error;
      problems.push(outsideProblem(id, outside, error.message));
    }
  }
  const defaults = buildPolicy(GLOBAL_DEFAULTS, [content.globalDefaults]);
  return { policies, defaults, problems };
}

const untouched = new Map<string, ConfiguredPolicy>();

/**
 * A preset's policy that nobody says anything about is made once: there are many of them, and making and hashing them
 * would be most of the cost of a reload.
 */
function resolvePolicy(
  content: FileContent,
  id: string,
  outside: readonly Override[],
): ConfiguredPolicy {
  const isOwn = content.policies.has(id) || content.globalDefaults.size > 0 || outside.length > 0;
  const known = isOwn ? undefined : untouched.get(id);
  if (known !== undefined) return known;
  const { layers, preset } = layersOf(content, id);
  const made = buildPolicy(id, [overrideLayer(outside), ...layers], preset);
  if (!isOwn) untouched.set(id, made);
  return made;
}

/** Whether an override is for this policy: by its id, or by its group `events.*`. */
function isMeant(wanted: string, id: string): boolean {
  return wanted.endsWith('.*') ? id.startsWith(wanted.slice(0, -1)) : wanted === id;
}

/** The later one wins, as in a map. */
function overrideLayer(overrides: readonly Override[]): Layer {
  return new Map(overrides.map(({ field, value, source }) => [field, { value, source }]));
}

function outsideProblem(id: string, outside: readonly Override[], message: string): Problem {
  const from = [...new Set(outside.map(({ source }) => source.where))].join(', ');
  return {
    severity: 'error',
    code: 'invalid_override',
    path: `policies.${id}`,
    line: 1,
    column: 1,
    message: `With ${from || 'all that was given'}: ${message}`,
    ...(from === '' ? {} : { file: from }),
  };
}
