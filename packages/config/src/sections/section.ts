import type { MapShape, ObjectShape } from '../shape/shape.ts';

/** A section of `redrive.yaml` of the other rungs. */
export interface Section {
  readonly name: string;
  readonly shape: ObjectShape | MapShape;
  /** What the sample file shows of it: lines of YAML. */
  readonly sample?: string;
}

/** Describes a section in the format of the field table: validation, JSON Schema, sample and documentation are made from it. */
export function defineSection(
  name: string,
  shape: ObjectShape | MapShape,
  sample?: string,
): Section {
  return Object.freeze({ name, shape, ...(sample === undefined ? {} : { sample }) });
}
