import type { Policy, ResolvedPolicy } from '@redrive/core';

/** The fields of a policy, as code calls them: `maxAttempts`, `baseDelayMs`. */
export type PolicyField = keyof Policy;

/** Where a value came from. The kinds are in the order of precedence, the strongest first. */
export interface ValueSource {
  readonly kind: 'flag' | 'environment' | 'file' | 'preset' | 'default';
  /** For people: `redrive.yaml:12`, `RETRY_MAX_ATTEMPTS`, `preset events`, `built in`. */
  readonly where: string;
}

/** A policy with all its values and where each came from. */
export interface ConfiguredPolicy {
  readonly id: string;
  readonly policy: ResolvedPolicy;
  /** The preset's policy that it is, or that it extends: `events.default`. */
  readonly preset?: string;
  readonly sources: Readonly<Record<PolicyField, ValueSource>>;
}

/** A configuration in force: complete, checked, frozen. */
export interface Config {
  /** The version of the file's format: `1.1.0`. */
  readonly version: string;
  /** SHA-256 of what the configuration says, in hex. Comments, order and spelling of the file do not change it. */
  readonly hash: string;
  /** The file it was read from, as it was named. Absent: the presets alone. */
  readonly file?: string;
  /** The presets' policies and the file's, by id. */
  readonly policies: ReadonlyMap<string, ConfiguredPolicy>;
  /** The policy for everything without one: the built-in defaults under the file's `global_defaults`. */
  readonly defaults: ConfiguredPolicy;
  /** Subsystem path (`browser.state_operations.timeout`) to policy id. */
  readonly mappings: ReadonlyMap<string, string>;
  /** The sections of the other rungs, by name, in the units of the file, defaults filled in. */
  readonly sections: Readonly<Record<string, unknown>>;
  /** Where the values outside policies came from, by path: `budgets.images.ratio`. */
  readonly sources: ReadonlyMap<string, ValueSource>;
}

/** A value from outside the file, for a field of one policy or of a group of them. */
export interface Override {
  /** A policy's id, or a group: `events.*` is every policy whose id begins with `events.`. */
  readonly policyId: string;
  readonly field: PolicyField;
  /** In the unit of code: milliseconds. */
  readonly value: unknown;
  readonly source: ValueSource;
  /** The variable that it came from, for problems. Absent: a flag. */
  readonly variable?: VariablePlace;
}

/** Where a variable was set. */
export interface VariablePlace {
  readonly name: string;
  /** The environment file and the line in it. Absent: the process's own environment. */
  readonly file?: { readonly name: string; readonly line: number };
}

/** A value from outside the file, for a key of a section that is a map of known keys. */
export interface SectionOverride {
  readonly section: string;
  readonly key: string;
  /** In the unit of files: seconds. */
  readonly value: unknown;
  readonly source: ValueSource;
}

/** The value, if it is a map; a wrong value has been reported already. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** Data of files are made from YAML maps, whose keys are texts. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
