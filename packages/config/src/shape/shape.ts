import type { FieldRule } from '@redrive/core/fields';

export type FileVersion = '1.0.0' | '1.1.0';

/** A value: what it may be, in the unit of files, and what it means. */
export interface ValueShape {
  readonly kind: 'value';
  readonly rule: FieldRule;
  /** One sentence. */
  readonly meaning: string;
  /** The unit of its number. */
  readonly unit?: 'seconds';
  /** In the unit of files. Absent: none, or see `fallbackText`. */
  readonly fallback?: unknown;
  /** The default in words, where it follows from something else. */
  readonly fallbackText?: string;
  /** `unless_inherited`: what a policy extends, or the global defaults, may have it instead. Default: optional. */
  readonly required?: 'always' | 'unless_inherited';
  /** It names a policy, a category or a subsystem path. */
  readonly names?: 'policy';
  /** The version of the format that brought it. Default `1.1.0`. */
  readonly since?: FileVersion;
}

/** A map with known keys. */
export interface ObjectShape {
  readonly kind: 'object';
  readonly meaning: string;
  readonly fields: Readonly<Record<string, Shape>>;
  /** The defaults of its fields apply only if the file has it. Default: always. */
  readonly optional?: true;
  readonly since?: FileVersion;
}

/** A map with keys that the user chooses, all of one shape. */
export interface MapShape {
  readonly kind: 'map';
  readonly meaning: string;
  /** The kind of thing that a key names: `handler`. */
  readonly key: string;
  readonly of: Shape;
  readonly since?: FileVersion;
}

/** Maps in maps with names of policies at their ends: the subsystem mappings. */
export interface TreeShape {
  readonly kind: 'tree';
  readonly meaning: string;
  readonly since?: FileVersion;
}

/** A map of any JSON. */
export interface JsonShape {
  readonly kind: 'json';
  readonly meaning: string;
  readonly fallbackText?: string;
  readonly since?: FileVersion;
}

/**
 * A part of `redrive.yaml`, described as data. Validation, JSON Schema, sample and documentation are made from it; other
 * packages describe their sections in it.
 */
export type Shape = ValueShape | ObjectShape | MapShape | TreeShape | JsonShape;

/** Groups of subsystems within each other. */
export const MAX_MAPPING_DEPTH = 8;
