import {
  type FieldDoc,
  type FieldRule,
  POLICY_FIELD_DOCS,
  POLICY_FIELDS,
} from '@redrive/core/fields';
import type { PolicyField } from '../config.ts';
import { FIELD_NAMES } from '../resolve/build-policy.ts';
import type { FileVersion, ObjectShape, ValueShape } from './shape.ts';

/** The fields of format version 1.0.0; all others came with 1.1.0. */
const IN_1_0_0: ReadonlySet<string> = new Set([
  'id',
  'name',
  'description',
  'max_attempts',
  'backoff_type',
  'base_delay',
  'max_delay',
  'jitter_type',
  'jitter_amount',
  'enable_circuit_breaker',
  'circuit_breaker_threshold',
  'circuit_breaker_timeout',
  'retryable_exceptions',
  'enabled',
]);

/** Times are milliseconds in code and seconds in files. */
const MS_PER_SECOND = 1_000;

/** A field of a policy as files know it. */
export interface PolicyFileField {
  /** `max_attempts` */
  readonly name: string;
  /** `maxAttempts` */
  readonly field: PolicyField;
  readonly shape: ValueShape;
  /** From the file's unit to the code's. */
  toCode(value: unknown): unknown;
}

let fields: ReadonlyMap<string, PolicyFileField> | undefined;

/** The fields that a policy in a file may have, by their names there; derived from core's field table. */
export function policyFileFields(): ReadonlyMap<string, PolicyFileField> {
  fields ??= new Map(
    FIELD_NAMES.flatMap((field) => {
      const made = fileField(field);
      return made === undefined ? [] : [[made.name, made] as const];
    }),
  );
  return fields;
}

/** The name that a field has in files, for messages; code's name where it has none. */
export function fileNameOf(field: PolicyField): string {
  return POLICY_FIELD_DOCS[field].file ?? field;
}

function fileField(field: PolicyField): PolicyFileField | undefined {
  const doc = POLICY_FIELD_DOCS[field];
  const [fallback, rule]: readonly [unknown, FieldRule?] = POLICY_FIELDS[field];
  if (doc.file === undefined || rule === undefined) return undefined;
  const since: FileVersion = IN_1_0_0.has(doc.file) ? '1.0.0' : '1.1.0';
  const shape: ValueShape = {
    kind: 'value',
    rule: inFileUnit(rule, doc),
    meaning: doc.meaning,
    since,
    ...(doc.unit === undefined ? {} : { unit: 'seconds' }),
    ...(doc.fileRequired ? { required: 'unless_inherited' } : {}),
    ...defaultOf(fallback, doc),
  };
  const toCode = (value: unknown): unknown => {
    if (doc.unit === undefined) return value;
    if (Array.isArray(value)) return value.map(toCode);
    return typeof value === 'number' ? toMs(value) : value;
  };
  return { name: doc.file, field, shape, toCode };
}

/** To the nanosecond, so that 0.29 s is 290 ms and not 290.00000000000006. */
function toMs(seconds: number): number {
  return Number((seconds * MS_PER_SECOND).toFixed(6));
}

function inFileUnit(rule: FieldRule, doc: FieldDoc): FieldRule {
  // Files hold no functions.
  if (rule.kind === 'list')
    return rule.of.includes('number') ? rule : { kind: 'list', of: ['string'] };
  if (doc.unit === undefined || (rule.kind !== 'integer' && rule.kind !== 'number')) return rule;
  const min = rule.min === Number.MIN_VALUE ? rule.min : rule.min / MS_PER_SECOND;
  return { kind: rule.kind, min, max: rule.max / MS_PER_SECOND };
}

function defaultOf(fallback: unknown, doc: FieldDoc): Partial<ValueShape> {
  if (doc.fileRequired) return {};
  if (doc.fileDerived !== undefined) return { fallbackText: doc.fileDerived };
  if (doc.fileDefault !== undefined) return { fallback: doc.fileDefault };
  if (fallback === Infinity) return { fallbackText: 'no limit' };
  if (doc.unit !== undefined) return { fallback: Number(fallback) / MS_PER_SECOND };
  return { fallback };
}

/** Whether a field describes one policy: it is not inherited, and has no default for all. Files and code call these alike. */
export function isOwn(name: string): boolean {
  return ['id', 'name', 'description'].includes(name);
}

const EXTENDS: ValueShape = {
  kind: 'value',
  rule: { kind: 'string' },
  meaning:
    'A policy of a preset or of this file, such as `events.default` or `RETRY_KV_GET`. Its values apply where this policy sets none.',
  fallbackText: 'none',
  names: 'policy',
};

export function policyShape(): ObjectShape {
  const own = [...policyFileFields()].map(([name, { shape }]) => [name, shape]);
  return {
    kind: 'object',
    meaning: 'How an operation is retried.',
    fields: { ...Object.fromEntries(own), extends: EXTENDS },
    since: '1.0.0',
  };
}

export function globalDefaultsShape(): ObjectShape {
  const shared = [...policyFileFields()].filter(([name]) => !isOwn(name));
  // A default is never required: it is there for those who leave the field out.
  const shapes = shared.map(([name, field]) => {
    const { required: _, ...shape } = field.shape;
    return [name, shape];
  });
  return {
    kind: 'object',
    meaning: 'Values for every policy, presets included, that does not set them itself.',
    fields: Object.fromEntries(shapes),
    since: '1.0.0',
  };
}
