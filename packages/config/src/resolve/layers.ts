import type { PolicyField } from '../config.ts';
import type { FileContent, FilePolicy } from '../content/file-content.ts';
import { findPresetPolicy, presetOf } from '../presets/presets.ts';
import { isOwn } from '../shape/policy-shape.ts';
import { type Layer, presetLayer } from './build-policy.ts';

/** The sources of a policy's values, the strongest first: itself, the policy it extends, the file's defaults. */
export interface Layers {
  readonly layers: readonly Layer[];
  /** The preset's policy that stands at the end of what it extends. */
  readonly preset?: string;
}

/** The layers of a policy of the file or of a preset. A circle of `extends` ends where it closes. */
export function layersOf(content: FileContent, id: string): Layers {
  const layers: Layer[] = [];
  const seen = new Set<string>();
  let name: string | undefined = id;
  while (name !== undefined) {
    const policy: FilePolicy | undefined = seen.has(name) ? undefined : content.policies.get(name);
    seen.add(name);
    if (policy === undefined) return withPreset(layers, content, id, findPresetPolicy(name));
    layers.push(name === id ? policy.fields : inherited(policy.fields));
    const parent: string | undefined = policy.extends?.name;
    // A policy that has a preset's name and extends it means the preset's.
    if (parent === name) return withPreset(layers, content, id, findPresetPolicy(name));
    name = parent;
  }
  return { layers: [...layers, content.globalDefaults] };
}

function withPreset(
  layers: readonly Layer[],
  content: FileContent,
  id: string,
  presetId: string | undefined,
): Layers {
  const preset = presetId === undefined ? undefined : presetOf(presetId);
  const policy = presetId === undefined ? undefined : preset?.policies[presetId];
  if (presetId === undefined || preset === undefined || policy === undefined) {
    return { layers: [...layers, content.globalDefaults] };
  }
  const layer = presetLayer(presetId, preset.name, policy);
  const last = presetId === id ? layer : inherited(layer);
  return { layers: [...layers, last, content.globalDefaults], preset: presetId };
}

/** The value that holds among layers. */
export function valueIn(layers: readonly Layer[], field: PolicyField): unknown {
  return layers.find((layer) => layer.has(field))?.get(field)?.value;
}

/** Fields that describe one policy (its name, for instance) are not inherited by policies that extend it. */
function inherited(layer: Layer): Layer {
  return new Map([...layer].filter(([field]) => !isOwn(field)));
}
