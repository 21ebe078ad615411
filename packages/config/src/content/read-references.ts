import { SECTIONS } from '../sections/built-in.ts';
import type { Shape } from '../shape/shape.ts';
import type { FileReference } from './file-content.ts';
import type { ReadInput } from './read-input.ts';
import { record } from './record.ts';

/** Finds every policy that a section names, by what its shape says. */
export function readReferences(
  { tree: { places } }: Pick<ReadInput, 'tree'>,
  root: Readonly<Record<string, unknown>>,
): FileReference[] {
  const references: FileReference[] = [];
  const walk = (shape: Shape, value: unknown, path: readonly string[]): void => {
    if (shape.kind === 'value') {
      if (shape.names !== 'policy') return;
      for (const [index, name] of [value].flat().entries()) {
        const at = Array.isArray(value) ? [...path, String(index)] : path;
        if (typeof name === 'string' && name !== '')
          references.push({ name, place: places.value(at) });
      }
    } else if (shape.kind !== 'tree') {
      for (const [key, part] of Object.entries(record(value))) {
        const inner = shape.kind === 'map' ? shape.of : shape.fields[key];
        if (inner !== undefined) walk(inner, part, [...path, key]);
      }
    }
  };
  for (const { name, shape } of SECTIONS) walk(shape, root[name], [name]);
  return references;
}
