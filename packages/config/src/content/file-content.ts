import type { PolicyField, ValueSource } from '../config.ts';
import { type Place, WHOLE_FILE } from '../problem/problem.ts';
import { SECTIONS } from '../sections/built-in.ts';
import { sectionDefaults } from '../sections/section.ts';

/** A value of a policy, in the unit of code, with its place in the file. */
export interface FileValue {
  readonly value: unknown;
  readonly source: ValueSource;
  readonly place: Place;
  /** Where each entry stands, if the value is a list. */
  readonly entries?: readonly Place[];
}

/** A policy as a file writes it. */
export interface FilePolicy {
  readonly id: string;
  readonly place: Place;
  /** The policy that it builds on: one of the file's or of a preset's. */
  readonly extends?: { readonly name: string; readonly place: Place };
  readonly fields: ReadonlyMap<PolicyField, FileValue>;
  /** The names of all fields that it has, also of those with a wrong value, which are not in `fields`. */
  readonly written: ReadonlySet<string>;
}

export interface FileMapping {
  readonly path: string;
  /** The policy's own id, also where the file names a category by its short name or old spelling. */
  readonly policyId: string;
  readonly place: Place;
}

/** A name of a policy outside mappings: in a handler, in a load. */
export interface FileReference {
  readonly name: string;
  readonly place: Place;
}

/** The values of a file, in the units of code, each with its place. */
export interface FileContent {
  readonly version: string;
  readonly globalDefaults: ReadonlyMap<PolicyField, FileValue>;
  readonly policies: ReadonlyMap<string, FilePolicy>;
  readonly mappings: readonly FileMapping[];
  /** Policies that the sections name. */
  readonly references: readonly FileReference[];
  /** Sections of the other rungs, by name, in the units of the file, with their defaults. */
  readonly sections: Readonly<Record<string, unknown>>;
  readonly sectionSources: ReadonlyMap<string, ValueSource>;
  /** Where a section or a value in it stands, by the keys that lead there. */
  placeOf(path: readonly string[]): Place;
}

/** The version of the format that this package writes. */
export const CURRENT_VERSION = '1.1.0';

/** The content where there is no file. */
export function noContent(): FileContent {
  return {
    version: CURRENT_VERSION,
    globalDefaults: new Map(),
    policies: new Map(),
    mappings: [],
    references: [],
    sections: Object.fromEntries(
      SECTIONS.map(({ name, shape }) => [name, sectionDefaults(shape, undefined)]),
    ),
    sectionSources: new Map(),
    placeOf: () => WHOLE_FILE,
  };
}
