import type { FieldRule } from '@redrive/core/fields';
import { record } from '../config.ts';
import type { MapShape, ObjectShape, Shape, ValueShape } from '../shape/shape.ts';

/** A section of `redrive.yaml` of the other rungs. */
export interface Section {
  readonly name: string;
  readonly shape: ObjectShape | MapShape;
  /** Lines of YAML for the sample file. */
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

/** Ten years, as in policies. */
export const MAX_SECONDS = 315_360_000;
const MANY = 1_000_000_000;

export const count: FieldRule = { kind: 'integer', min: 1, max: MANY };
export const amount: FieldRule = { kind: 'number', min: 0, max: MANY };
export const share: FieldRule = { kind: 'number', min: Number.MIN_VALUE, max: 1 };
export const text: FieldRule = { kind: 'string' };
export const texts: FieldRule = { kind: 'list', of: ['string'] };
export const yesOrNo: FieldRule = { kind: 'boolean' };
export const duration: FieldRule = { kind: 'number', min: Number.MIN_VALUE, max: MAX_SECONDS };
export const durationOrNone: FieldRule = { kind: 'number', min: 0, max: MAX_SECONDS };

/** A value of a section, with its default where it has one. */
export function value(rule: FieldRule, meaning: string, fallback?: unknown): ValueShape {
  return { kind: 'value', rule, meaning, ...(fallback === undefined ? {} : { fallback }) };
}

/** A value that may be left out. `fallbackText`: its default in words. */
export function optional(rule: FieldRule, meaning: string, fallbackText: string): ValueShape {
  return { ...value(rule, meaning), fallbackText };
}

/** A value that must be given. */
export function required(rule: FieldRule, meaning: string): ValueShape {
  return { ...value(rule, meaning), required: 'always' };
}

export function seconds(meaning: string, fallback: number, rule = duration): ValueShape {
  return { kind: 'value', rule, meaning, unit: 'seconds', fallback };
}

export function policyName(meaning: string, fallbackText: string): ValueShape {
  return { kind: 'value', rule: text, meaning, fallbackText, names: 'policy' };
}

/** A section with every default filled in that its shape knows. Frozen through and through. */
export function sectionDefaults(shape: Shape, value: unknown): unknown {
  if (shape.kind === 'value') return freezeList(value ?? shape.fallback);
  if (shape.kind === 'tree' || shape.kind === 'json') return value;
  if (shape.kind === 'object' && shape.optional && value === undefined) return undefined;
  const given = record(value);
  const entries: [string, unknown][] =
    shape.kind === 'map'
      ? Object.entries(given).map(([key, part]) => [key, sectionDefaults(shape.of, part)])
      : Object.entries(shape.fields).map(([key, part]) => [key, sectionDefaults(part, given[key])]);
  return Object.freeze(Object.fromEntries(entries.filter(([, part]) => part !== undefined)));
}

function freezeList(value: unknown): unknown {
  return Array.isArray(value) ? Object.freeze([...value]) : value;
}

/**
 * A section in the names and units of code: `lease_seconds: 30` is `leaseMs: 30000`, `probe_timeout: 5` is
 * `probeTimeoutMs: 5000`, `minimum_calls` is `minimumCalls`. The names in maps are the user's own, and stay.
 */
export function inCode(
  shape: Shape,
  value: unknown,
  toMs = (seconds: number) => seconds * 1_000,
): unknown {
  if (shape.kind === 'value') return shape.unit === 'seconds' ? toMs(Number(value)) : value;
  if (shape.kind === 'json') return value;
  const entries = Object.entries(record(value)).flatMap(([key, part]): [string, unknown][] => {
    const inner = shape.kind === 'map' ? shape.of : shape.kind === 'object' && shape.fields[key];
    if (!inner) return [];
    return [[shape.kind === 'map' ? key : codeName(key, inner), inCode(inner, part, toMs)]];
  });
  return Object.fromEntries(entries);
}

function codeName(key: string, shape: Shape): string {
  const name = key
    .replace(/_seconds$/, '')
    .replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return shape.kind === 'value' && shape.unit === 'seconds' ? `${name}Ms` : name;
}
