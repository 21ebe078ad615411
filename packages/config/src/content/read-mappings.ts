import { isRecord } from '../config.ts';
import type { Places } from '../document/places.ts';
import { findPresetPolicy } from '../presets/presets.ts';
import { finding, type Problem } from '../problem/problem.ts';
import { shownValue } from '../shape/expected.ts';
import { MAX_MAPPING_DEPTH } from '../shape/shape.ts';
import type { FileMapping } from './file-content.ts';

/** Flattens the subsystem mappings to paths. */
export function readMappings(
  tree: unknown,
  places: Places,
): { mappings: FileMapping[]; problems: Problem[] } {
  const mappings: FileMapping[] = [];
  const problems: Problem[] = [];
  const walk = (value: unknown, path: readonly string[]): void => {
    const at = ['subsystem_mappings', ...path];
    const name = path.join('.');
    if (typeof value === 'string' && value !== '') {
      const policyId = findPresetPolicy(value) ?? value;
      mappings.push({ path: name, policyId, place: places.value(at) });
    } else if (!isRecord(value)) {
      const message = `${name} must be the name of a policy, or a group of such names, not ${shownValue(value)}`;
      problems.push(finding('wrong_type', places.value(at), message));
    } else if (path.length >= MAX_MAPPING_DEPTH) {
      const message = `Groups of subsystems are nested more than ${MAX_MAPPING_DEPTH} levels deep`;
      problems.push(finding('too_deep', places.key(at), message));
    } else {
      for (const [key, part] of Object.entries(value)) walk(part, [...path, key]);
    }
  };
  if (isRecord(tree)) walk(tree, []);
  return { mappings, problems };
}
