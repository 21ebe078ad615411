import { isRedriveError } from '@redrive/core';
import type { ConfiguredPolicy, Override } from '../config.ts';
import type { FileContent } from '../content/file-content.ts';
import { PRESETS } from '../presets/presets.ts';
import { finding, type Place, type Problem, WHOLE_FILE } from '../problem/problem.ts';
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

/** Each variable alone has been checked: here it contradicts another value of a policy. */
function outsideProblem(id: string, outside: readonly Override[], reason: string): Problem {
  const message = reason.replace(/^Invalid policy: /, '');
  const named = outside.filter(({ field }) => message.includes(field));
  const guilty = named.length > 0 ? named : outside;
  const names = [...new Set(guilty.map(nameOf))];
  const verb = names.length === 1 ? 'contradicts' : 'contradict';
  const text = names.join(' and ') || 'The configuration';
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)} ${verb} the rest of ${id}: ${message}`;
  const advice = 'change one of the two values';
  return finding('invalid_override', placeOf(guilty[0], id), sentence, advice);
}

function nameOf({ variable, source }: Override): string {
  if (variable === undefined) return source.where;
  const { name, file } = variable;
  return file === undefined
    ? `the environment variable ${name}`
    : `${name} (${file.name}:${file.line})`;
}

function placeOf(override: Override | undefined, id: string): Place {
  if (override === undefined) return { ...WHOLE_FILE, path: `policies.${id}` };
  const { variable, source } = override;
  const name = variable?.name ?? source.where;
  const { name: file = name, line = 1 } = variable?.file ?? {};
  return { path: name, line, column: 1, file };
}
