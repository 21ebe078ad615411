import { nearest } from '@redrive/core/fields';
import { findCategory } from '@redrive/core/manager';
import type { FileContent, FilePolicy } from '../content/file-content.ts';
import { findPresetPolicy, presetOf } from '../presets/presets.ts';
import { finding, type Problem } from '../problem/problem.ts';
import { GLOBAL_DEFAULTS } from '../resolve/resolve-policies.ts';
import { suggestion } from './check-extends.ts';

/** Finds names of policies that do not exist, ambiguous names, and unused policies. */
export function checkNames(content: FileContent): Problem[] {
  return [...danglingNames(content), ...collisions(content), ...unusedPolicies(content)];
}

function danglingNames({ version, mappings, policies, references }: FileContent): Problem[] {
  const isKnown = (name: string) => policies.has(name) || findPresetPolicy(name) !== undefined;
  const paths = new Set(mappings.map(({ path }) => path));
  return [
    ...mappings
      .filter(({ policyId }) => !isKnown(policyId))
      .map(({ path, policyId, place }) => {
        const message = `${path} is mapped to ${policyId}, which is not a policy`;
        // The sample file of version 1.0.0 has such mappings.
        if (!version.startsWith('1.0.')) {
          return finding('unknown_policy', place, message, suggestion(policyId, policies.keys()));
        }
        const advice = `define the policy ${policyId}, or remove the mapping`;
        return finding(
          'undefined_mapping',
          place,
          `${message}: the default policy is used`,
          advice,
        );
      }),
    ...references
      .filter(({ name }) => !isKnown(name) && !paths.has(name))
      .map(({ name, place }) => {
        const message = `${name} is not a policy`;
        return finding('unknown_policy', place, message, suggestion(name, policies.keys()));
      }),
  ];
}

function collisions({ policies, mappings }: FileContent): Problem[] {
  const paths = new Set(mappings.map(({ path }) => path));
  const plain = new Map<string, string>();
  return [...policies.values()].flatMap((policy) => {
    const other = otherMeaning(policy, paths, plain);
    plain.set(policy.id.toLowerCase().replaceAll('-', '_'), policy.id);
    if (other === undefined) return [];
    const message = `The name ${policy.id} is ambiguous: it means this policy and ${other.what}`;
    return [finding('name_collision', policy.place, message, other.advice)];
  });
}

function otherMeaning(
  { id, extends: parent }: FilePolicy,
  paths: ReadonlySet<string>,
  before: ReadonlyMap<string, string>,
): { readonly what: string; readonly advice: string } | undefined {
  const preset = presetOf(id);
  if (preset !== undefined) {
    if (parent?.name === id) return undefined;
    const advice = `add extends: ${id} to change the built-in policy, or choose another name`;
    return { what: `the policy of the preset ${preset.name}`, advice };
  }
  const advice = 'choose another name';
  const category = findCategory(id);
  if (category !== undefined) return { what: `the category ${category}`, advice };
  if (findPresetPolicy(id) !== undefined) return { what: `the preset ${id}`, advice };
  if (id === GLOBAL_DEFAULTS) return { what: 'the global defaults', advice };
  if (paths.has(id)) return { what: 'the subsystem path of the same name', advice };
  const twin = before.get(id.toLowerCase().replaceAll('-', '_'));
  return twin === undefined
    ? undefined
    : { what: `the policy ${twin}, nearly the same name`, advice };
}

/** Groups whose policies their rung finds by name. */
const BY_RUNG = /^(documents|runs|events)\./;

function unusedPolicies({ policies, mappings, references }: FileContent): Problem[] {
  const names = [
    ...mappings.map(({ policyId }) => policyId),
    ...references.map(({ name }) => name),
    ...[...policies.values()].flatMap(({ id, extends: parent }) =>
      parent === undefined || parent.name === id ? [] : [parent.name],
    ),
  ];
  // A misspelt name is one mistake, not an unknown policy and an unused one.
  const used = new Set(
    names.map((name) => (policies.has(name) ? name : (nearest(name, policies.keys()) ?? name))),
  );
  return [...policies.values()]
    .filter(({ id }) => !used.has(id) && findPresetPolicy(id) === undefined && !BY_RUNG.test(id))
    .map(({ id, place }) => {
      const advice = 'map it under subsystem_mappings, or remove it';
      return finding('unused_policy', place, `No mapping, handler or policy names ${id}`, advice);
    });
}
