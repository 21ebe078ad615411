import { isRecord, type PolicyField, record, type ValueSource } from '../config.ts';
import type { Places } from '../document/places.ts';
import type { Tree } from '../document/read-tree.ts';
import { findPresetPolicy } from '../presets/presets.ts';
import { finding, type Problem } from '../problem/problem.ts';
import { SECTIONS } from '../sections/built-in.ts';
import { sectionDefaults } from '../sections/section.ts';
import { shownValue } from '../shape/expected.ts';
import { policyFileFields } from '../shape/policy-shape.ts';
import { MAX_MAPPING_DEPTH, type Shape } from '../shape/shape.ts';
import {
  CURRENT_VERSION,
  type FileContent,
  type FileMapping,
  type FilePolicy,
  type FileReference,
  type FileValue,
} from './file-content.ts';

export interface ReadInput {
  readonly value: unknown;
  readonly tree: Tree;
  readonly file: string;
  /** Problems of the shape. Their values are left out of `content`, so that no problem is reported twice. */
  readonly problems: readonly Problem[];
}

/** Takes a file's data apart, as far as it is right. */
export function readContent(input: ReadInput): { content: FileContent; problems: Problem[] } {
  const root = record(input.value);
  const { places } = input.tree;
  const isBad = badPaths(input.problems);
  const { mappings, problems } = readMappings(root.subsystem_mappings, places);
  const sections = SECTIONS.map(({ name, shape }) => [name, sectionDefaults(shape, root[name])]);
  const policies = Object.entries(record(root.policies)).map(
    ([id, value]) => [id, readPolicy(input, id, value, isBad)] as const,
  );
  const content: FileContent = {
    version: typeof root.version === 'string' ? root.version : CURRENT_VERSION,
    globalDefaults: readFields(input, ['global_defaults'], record(root.global_defaults), isBad),
    policies: new Map(policies),
    mappings,
    references: readReferences(input, root),
    sections: Object.freeze(Object.fromEntries(sections)),
    sectionSources: sectionSources(input, root),
    placeOf: (path) => places.value(path),
  };
  return { content, problems };
}

function badPaths(problems: readonly Problem[]): (path: string) => boolean {
  const bad = new Set(problems.map(({ path }) => path));
  // An entry of a list makes the whole list bad.
  const lists = new Set([...bad].map((path) => path.replace(/\.\d+$/, '')));
  return (path) => bad.has(path) || lists.has(path);
}

function readPolicy(
  input: ReadInput,
  id: string,
  policy: unknown,
  isBad: (path: string) => boolean,
): FilePolicy {
  const path = ['policies', id];
  const value = record(policy);
  // A value that is not a map has been reported already: its missing fields are not reported too.
  const isMap = value === policy;
  const { places } = input.tree;
  const parent = value.extends;
  return {
    id,
    place: places.key(path),
    ...(typeof parent === 'string' && parent !== ''
      ? { extends: { name: parent, place: places.value([...path, 'extends']) } }
      : {}),
    fields: readFields(input, path, value, isBad),
    written: new Set(isMap ? Object.keys(value) : policyFileFields().keys()),
  };
}

function readFields(
  { tree: { places }, file }: ReadInput,
  path: readonly string[],
  values: Readonly<Record<string, unknown>>,
  isBad: (path: string) => boolean,
): ReadonlyMap<PolicyField, FileValue> {
  const fields = new Map<PolicyField, FileValue>();
  for (const [name, { field, toCode }] of policyFileFields()) {
    const value = values[name];
    const place = places.value([...path, name]);
    if (value === undefined || value === null || isBad(place.path)) continue;
    const source: ValueSource = { kind: 'file', where: `${file}:${place.line}` };
    const entries = Array.isArray(value)
      ? { entries: value.map((_, index) => places.value([...path, name, String(index)])) }
      : {};
    fields.set(field, { value: toCode(value), source, place, ...entries });
  }
  return fields;
}

/** Where the values of sections came from, by path; those that are not in it are defaults. */
function sectionSources(input: ReadInput, root: Readonly<Record<string, unknown>>) {
  const sources = new Map<string, ValueSource>();
  const walk = (path: readonly string[], value: unknown) => {
    if (isRecord(value)) {
      for (const [key, part] of Object.entries(value)) walk([...path, key], part);
      return;
    }
    const { line } = input.tree.places.value(path);
    sources.set(path.join('.'), { kind: 'file', where: `${input.file}:${line}` });
  };
  for (const { name } of SECTIONS) if (root[name] !== undefined) walk([name], root[name]);
  return sources;
}

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
    } else if (shape.kind === 'map' || shape.kind === 'object') {
      for (const [key, part] of Object.entries(record(value))) {
        const inner = shape.kind === 'map' ? shape.of : shape.fields[key];
        if (inner !== undefined) walk(inner, part, [...path, key]);
      }
    }
  };
  for (const { name, shape } of SECTIONS) walk(shape, root[name], [name]);
  return references;
}

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
