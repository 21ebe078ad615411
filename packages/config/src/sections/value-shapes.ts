import type { FieldRule } from '@redrive/core/fields';
import type { ValueShape } from '../shape/shape.ts';

/** Ten years, as in policies. */
const MAX_SECONDS = 315_360_000;
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

export function seconds(meaning: string, fallback: number, rule = duration): ValueShape {
  return { kind: 'value', rule, meaning, unit: 'seconds', fallback };
}

export function policyName(meaning: string, fallbackText: string): ValueShape {
  return { kind: 'value', rule: text, meaning, fallbackText, names: 'policy' };
}
