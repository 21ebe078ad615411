import { isRedriveError } from '@redrive/core';
import type { ConfiguredPolicy, Override } from '../config.ts';
import { findPresetPolicy, PRESETS, presetOf } from '../presets/presets.ts';
import type { Problem } from '../problem/problem.ts';
import { buildPolicy, type Layer, presetLayer } from './build-policy.ts';
import type { FileContent } from './file-content.ts';

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
    const { layers, preset } = layersOf(content, id);
    try {
      policies.set(id, buildPolicy(id, [overrideLayer(outside), ...layers], preset));
    } catch (error) {
      if (!isRedriveError(error, 'invalid_policy')) throw error;
      problems.push(outsideProblem(id, outside, error.message));
    }
  }
  const defaults = buildPolicy(GLOBAL_DEFAULTS, [content.globalDefaults]);
  return { policies, defaults, problems };
}

/** Whether an override is for this policy: by its id, or by its group `events.*`. */
function isMeant(wanted: string, id: string): boolean {
  return wanted.endsWith('.*') ? id.startsWith(wanted.slice(0, -1)) : wanted === id;
}

/** The later one wins, as in a map. */
function overrideLayer(overrides: readonly Override[]): Layer {
  return new Map(overrides.map(({ field, value, source }) => [field, { value, source }]));
}

/** What says something about a policy, the strongest first: itself, what it extends, the file's defaults. */
function layersOf(content: FileContent, id: string): { layers: Layer[]; preset?: string } {
  const layers: Layer[] = [];
  const seen = new Set<string>();
  let name: string | undefined = id;
  while (name !== undefined && !seen.has(name)) {
    seen.add(name);
    const policy = content.policies.get(name);
    if (policy === undefined) break;
    layers.push(name === id ? policy.fields : inherited(policy.fields));
    const parent: string | undefined = policy.extends?.name;
    name = parent !== undefined && content.policies.has(parent) ? parent : undefined;
    // A policy of the file may extend the preset's policy that has its own name.
    const presetId = parent === undefined ? undefined : findPresetPolicy(parent);
    if (presetId !== undefined && (name === undefined || seen.has(name))) {
      return withPreset(layers, content, id, presetId);
    }
  }
  if (layers.length === 0) return withPreset(layers, content, id, id);
  return { layers: [...layers, content.globalDefaults] };
}

function withPreset(layers: Layer[], content: FileContent, id: string, presetId: string) {
  const preset = presetOf(presetId);
  const policy = preset?.policies[presetId];
  if (preset === undefined || policy === undefined) {
    return { layers: [...layers, content.globalDefaults] };
  }
  const layer = presetLayer(presetId, preset.name, policy);
  const last = presetId === id ? layer : inherited(layer);
  return { layers: [...layers, last, content.globalDefaults], preset: presetId };
}

/** What describes one policy does not describe those that extend it. */
function inherited(layer: Layer): Layer {
  const own = new Set(['id', 'name', 'description']);
  return new Map([...layer].filter(([field]) => !own.has(field)));
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
