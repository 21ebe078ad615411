import type { PolicyField, ValueSource } from '../config.ts';
import type { SourcedValue } from './build-policy.ts';

/** Where something stands in a file. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** A policy as a file writes it. */
export interface FilePolicy {
  readonly id: string;
  readonly place: Place;
  /** The policy that it builds on: one of the file's or of a preset's. */
  readonly extends?: { readonly name: string; readonly place: Place };
  readonly fields: ReadonlyMap<PolicyField, SourcedValue & { readonly place: Place }>;
}

export interface FileMapping {
  readonly path: string;
  readonly policyId: string;
  readonly place: Place;
}

/** What a file says, in the units of code, each value with its place. */
export interface FileContent {
  readonly version: string;
  readonly globalDefaults: FilePolicy['fields'];
  readonly policies: ReadonlyMap<string, FilePolicy>;
  readonly mappings: readonly FileMapping[];
  /** Sections of the other rungs, by name, in the units of the file. */
  readonly sections: Readonly<Record<string, unknown>>;
  readonly sectionSources: ReadonlyMap<string, ValueSource>;
}

/** The version of the format that this package writes. */
export const CURRENT_VERSION = '1.1.0';

/** What no file at all says. */
export const NO_CONTENT: FileContent = {
  version: CURRENT_VERSION,
  globalDefaults: new Map(),
  policies: new Map(),
  mappings: [],
  sections: {},
  sectionSources: new Map(),
};
