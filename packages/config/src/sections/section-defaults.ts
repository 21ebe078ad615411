import { record } from '../content/record.ts';
import type { Shape } from '../shape/shape.ts';

/** A section with every default filled in that its shape knows. Frozen through and through. */
export function sectionDefaults(shape: Shape, value: unknown): unknown {
  if (shape.kind === 'value') return freezeList(value ?? shape.fallback);
  if (shape.kind === 'tree') return value;
  const given = record(value);
  const entries: [string, unknown][] =
    shape.kind === 'map'
      ? Object.entries(given).map(([key, part]) => [key, sectionDefaults(shape.of, part)])
      : Object.entries(shape.fields).map(([key, part]) => [key, sectionDefaults(part, given[key])]);
  return Object.freeze(Object.fromEntries(entries.filter(([, part]) => part !== undefined)));
}

function freezeList(value: unknown): unknown {
  return Array.isArray(value) ? Object.freeze([...value]) : value;
}
