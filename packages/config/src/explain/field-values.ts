import { POLICY_FIELD_DOCS } from '@redrive/core/fields';
import type { ConfiguredPolicy, PolicyField, ValueSource } from '../config.ts';

/** One field of a policy, as a file would write it. */
export interface FieldValue {
  /** Its name in files. */
  readonly field: string;
  /** In the unit of the file; `null` is "no limit". */
  readonly value: unknown;
  readonly unit: 'seconds' | null;
  readonly source: ValueSource['kind'];
  readonly where: string;
  /** Of a mapping to a policy that the file lacks: the id of the policy that is used instead. */
  readonly servedBy?: string | undefined;
}

/** Every field that files have, in the order of the field table. */
export function fieldValues({ policy, sources }: ConfiguredPolicy): FieldValue[] {
  // The types of core make sure that the keys are the fields.
  const fields = Object.keys(POLICY_FIELD_DOCS) as PolicyField[];
  return fields.flatMap((field) => {
    const { file, unit } = POLICY_FIELD_DOCS[field];
    if (file === undefined) return [];
    const value = inFileUnit(policy[field], unit !== undefined);
    const { kind, where } = sources[field];
    return [{ field: file, value, unit: unit?.file ?? null, source: kind, where }];
  });
}

/** Matchers in code may be functions, which have only a name to show; in files they are names. */
function inFileUnit(value: unknown, isTime: boolean): unknown {
  if (value === undefined) return [];
  if (Array.isArray(value))
    return value.map((one) => (typeof one === 'function' ? one.name : inFileUnit(one, isTime)));
  if (typeof value !== 'number' || !isTime) return value;
  return Number.isFinite(value) ? value / 1_000 : null;
}
