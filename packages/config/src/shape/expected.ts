import { type FieldRule, nearest } from '@redrive/core/fields';
import type { ValueShape } from './shape.ts';

/** The expected value in words: `a whole number from 1 to 1000000000`. */
export function expectedText({ rule, unit }: ValueShape): string {
  switch (rule.kind) {
    case 'choice':
      return `one of ${rule.values.join(', ')}`;
    case 'list':
      return rule.of.includes('number') ? 'a list of 1 to 32 numbers' : 'a list of texts';
    case 'integer':
    case 'number': {
      const type = rule.kind === 'integer' ? 'a whole number' : 'a number';
      const of = unit === undefined ? '' : ` of ${unit}`;
      const from = rule.min === Number.MIN_VALUE ? ' above 0' : ` from ${rule.min}`;
      const to =
        rule.max === Infinity
          ? ''
          : `${rule.min === Number.MIN_VALUE ? ', up' : ''} to ${rule.max}`;
      return `${type}${of}${from}${to}`;
    }
    case 'string':
      return rule.empty ? 'a text' : 'a text that is not empty';
    case 'boolean':
      return 'true or false';
    default:
      return `a ${rule.kind}`;
  }
}

const MAX_SHOWN = 40;

/** A value as a message shows it: short, on one line. */
export function shownValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null || value === undefined) return 'empty';
  if (typeof value === 'object') return 'a map';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** The value to write instead, if the intended one can be guessed. */
export function suggestedValue(
  name: string,
  shape: ValueShape,
  value: unknown,
): string | undefined {
  const better = betterValue(shape.rule, value);
  return better === undefined ? undefined : `write ${name}: ${better}`;
}

function betterValue(rule: FieldRule, value: unknown): string | undefined {
  switch (rule.kind) {
    case 'choice':
      return typeof value === 'string' ? nearest(value, rule.values) : undefined;
    case 'boolean':
      return booleanOf(value);
    case 'list':
      return typeof value === 'string' || typeof value === 'number' ? `[${value}]` : undefined;
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? `"${value}"` : undefined;
    case 'integer':
    case 'number':
      return numberOf(rule, value);
    default:
      return undefined;
  }
}

function booleanOf(value: unknown): string | undefined {
  const text = String(value).toLowerCase();
  if (['yes', 'y', 'on', '1', 'true', 'enabled'].includes(text)) return 'true';
  return ['no', 'n', 'off', '0', 'false', 'disabled'].includes(text) ? 'false' : undefined;
}

function numberOf(rule: FieldRule & { kind: 'integer' | 'number' }, value: unknown) {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof read !== 'number' || Number.isNaN(read)) return undefined;
  const whole = rule.kind === 'integer' ? Math.round(read) : read;
  if (whole >= rule.min && whole <= rule.max) return String(whole);
  if (whole > rule.max) return String(rule.max);
  return rule.min === Number.MIN_VALUE ? undefined : String(rule.min);
}
