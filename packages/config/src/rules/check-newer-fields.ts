import { CURRENT_VERSION } from '../content/file-content.ts';
import { record } from '../content/record.ts';
import type { Tree } from '../document/read-tree.ts';
import { finding } from '../problem/findings.ts';
import type { Problem } from '../problem/problem.ts';
import type { ObjectShape, Shape } from '../shape/shape.ts';

/** Warns of what version 1.1.0 has added, in a file that says it is 1.0.0: older programs would stumble over it. */
export function checkNewerFields(value: unknown, shape: ObjectShape, { places }: Tree): Problem[] {
  const root = record(value);
  if (root.version !== '1.0.0') return [];
  const problems: Problem[] = [];
  const walk = (part: unknown, partShape: Shape, path: readonly string[]): void => {
    if (path.length > 0 && (partShape.since ?? '1.1.0') !== '1.0.0') {
      const message = `${path.at(-1)} belongs to version 1.1.0, but the file has version: "1.0.0"`;
      const advice = `write version: "${CURRENT_VERSION}"`;
      problems.push(finding('newer_field', places.key(path), message, advice));
      return;
    }
    for (const [key, inner] of Object.entries(record(part))) {
      const innerShape = childOf(partShape, key);
      if (innerShape !== undefined) walk(inner, innerShape, [...path, key]);
    }
  };
  walk(root, shape, []);
  return problems;
}

function childOf(shape: Shape, key: string): Shape | undefined {
  if (shape.kind === 'map') return shape.of;
  return shape.kind === 'object' && Object.hasOwn(shape.fields, key)
    ? shape.fields[key]
    : undefined;
}
