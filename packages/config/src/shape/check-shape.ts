import { nearest } from '@redrive/core/fields';
import type * as z from 'zod';
import { isRecord } from '../config.ts';
import type { Places } from '../document/places.ts';
import { finding, type Problem } from '../problem/problem.ts';
import { expectedText, shownValue, suggestedValue } from './expected.ts';
import type { Shape } from './shape.ts';

type Issue = z.core.$ZodIssue;

/** Says what is wrong with a value, each problem at its place. The validator finds it; the words are ours. */
export function checkShape(
  type: z.ZodType,
  shape: Shape,
  value: unknown,
  places: Places,
): Problem[] {
  const result = type.safeParse(value, { reportInput: true });
  if (result.success) return [];
  return result.error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    // `readMappings` reports problems inside a tree better than a choice of two types can.
    if (shapeAt(shape, path.slice(0, 1))?.kind === 'tree' && path.length > 1) return [];
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => unknownKey(shape, [...path, key], places))
      : [wrongValue(issue, shape, path, places)];
  });
}

function unknownKey(root: Shape, path: readonly string[], places: Places): Problem {
  const key = path.at(-1) ?? '';
  const around = shapeAt(root, path.slice(0, -1));
  const known = around?.kind === 'object' ? Object.keys(around.fields) : [];
  const where = path.length === 1 ? 'the file' : path.slice(0, -1).join('.');
  const close = nearest(key, known);
  const advice =
    key === '<<'
      ? 'YAML 1.2 has no merge key: use extends'
      : close === undefined
        ? `known here are ${known.join(', ')}`
        : `did you mean ${close}?`;
  return finding('unknown_key', places.key(path), `${key} is not a known key of ${where}`, advice);
}

function wrongValue(issue: Issue, root: Shape, path: readonly string[], places: Places): Problem {
  const shape = shapeAt(root, path);
  const name = nameOf(root, path);
  const { input } = issue;
  if (input === undefined && shape?.kind === 'value') {
    return finding(
      'missing_field',
      places.value(path),
      `${name} is missing`,
      suggestedNew(name, shape.fallback),
    );
  }
  const isType = issue.code === 'invalid_type';
  const code = isType ? 'wrong_type' : 'out_of_range';
  if (shape?.kind !== 'value') {
    const expected = shape === undefined ? 'a text that is not empty' : 'a map of keys and values';
    return finding(
      code,
      places.value(path),
      `${name} must be ${expected}, not ${shownValue(input)}`,
    );
  }
  const message = `${name} must be ${expectedText(shape)}, not ${shownValue(input)}`;
  return finding(code, places.value(path), message, suggestedValue(name, shape, input));
}

/** The name of a value in messages: its key; in a list, its number and the list's key. */
function nameOf(root: Shape, path: readonly string[]): string {
  const key = path.at(-1) ?? 'the file';
  const list = path.slice(0, -1);
  return shapeAt(root, list)?.kind === 'value' ? `Entry ${Number(key) + 1} of ${list.at(-1)}` : key;
}

function suggestedNew(name: string, fallback: unknown): string {
  return fallback === undefined ? `add ${name}` : `add ${name}: ${JSON.stringify(fallback)}`;
}

/** The shape of what stands at a path. `undefined`: an entry of a list, or nothing. */
export function shapeAt(root: Shape, path: readonly string[]): Shape | undefined {
  let shape: Shape | undefined = root;
  for (const key of path) {
    if (shape?.kind === 'object')
      shape = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
    else if (shape?.kind === 'map') shape = shape.of;
    else return undefined;
  }
  return shape;
}

/** An empty map is often written as nothing at all, when all in it is a comment: `policies:`. */
export function fillEmpty(shape: Shape, value: unknown): unknown {
  if (shape.kind === 'value') return value;
  if (value === null) return {};
  if (!isRecord(value) || shape.kind === 'tree' || shape.kind === 'json') return value;
  const entries = Object.entries(value).map(([key, part]) => {
    const inner = shapeAt(shape, [key]);
    return [key, inner === undefined ? part : fillEmpty(inner, part)];
  });
  return Object.fromEntries(entries);
}
