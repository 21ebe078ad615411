import { nearest } from '@redrive/core/fields';
import type { FileContent, FilePolicy } from '../content/file-content.ts';
import { findPresetPolicy, PRESETS } from '../presets/presets.ts';
import { finding, type Problem } from '../problem/problem.ts';

/** Checks that the policy named by `extends` exists, and that policies do not extend each other in a circle. */
export function checkExtends(policy: FilePolicy, { policies }: FileContent): Problem[] {
  const parent = policy.extends;
  if (parent === undefined) return [];
  const preset = findPresetPolicy(parent.name);
  if (!policies.has(parent.name) && preset === undefined) {
    const message = `${policy.id} extends ${parent.name}, which does not exist`;
    return [
      finding('unknown_policy', parent.place, message, suggestion(parent.name, policies.keys())),
    ];
  }
  const circle = circleFrom(policy, policies);
  if (circle === undefined) return [];
  return [finding('extends_cycle', parent.place, `${circle.join(' extends ')} again`)];
}

/** The names on the way from a policy back to itself. */
function circleFrom(policy: FilePolicy, policies: FileContent['policies']): string[] | undefined {
  const names = [policy.id];
  let at: FilePolicy | undefined = policy;
  while (at?.extends !== undefined) {
    const { name } = at.extends;
    // A policy that has a preset's name and extends that name means the preset's.
    if (name === at.id && findPresetPolicy(name) !== undefined) return undefined;
    if (name === policy.id) return [...names, name];
    if (names.includes(name)) return undefined;
    names.push(name);
    at = policies.get(name);
  }
  return undefined;
}

/** Suggests the policy with the nearest name. */
export function suggestion(name: string, own: Iterable<string>): string | undefined {
  const builtIn = Object.values(PRESETS).flatMap(({ policies }) => Object.keys(policies));
  const close = nearest(name, [...own, ...builtIn]);
  return close === undefined ? `define ${name} under policies` : `did you mean ${close}?`;
}
