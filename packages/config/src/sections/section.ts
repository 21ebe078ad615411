import type { MapShape, ObjectShape } from '../shape/shape.ts';

/** A section of `redrive.yaml` that another package reads. */
export interface Section {
  readonly name: string;
  readonly shape: ObjectShape | MapShape;
  /** What the sample file shows of it: lines of YAML. */
  readonly sample?: string;
}

/**
 * Describes a section in the format of the field table, so that validation, JSON Schema, sample and documentation know
 * it. Give it to `parseConfig` and the others as `sections: [...BUILT_IN_SECTIONS, mySection]`.
 */
export function defineSection(
  name: string,
  shape: ObjectShape | MapShape,
  sample?: string,
): Section {
  return Object.freeze({ name, shape, ...(sample === undefined ? {} : { sample }) });
}
