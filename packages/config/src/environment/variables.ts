import { type FieldRule, POLICY_FIELDS } from '@redrive/core/fields';
import type { PolicyField } from '../config.ts';
import { MAX_SECONDS } from '../sections/section.ts';

/** The target of a variable: a field of a policy or of a group of policies, or a key of a section. */
export type VariableTarget =
  | { readonly policyId: string; readonly field: PolicyField }
  | { readonly section: string; readonly key: string };

/** A variable of the environment, whose unit its name tells. */
export interface Variable {
  readonly name: string;
  /** What its number counts. */
  readonly unit: 'attempts' | 'factor' | 'milliseconds' | 'seconds' | 'minutes' | 'hours';
  readonly target: VariableTarget;
  readonly meaning: string;
}

const UNIT_MS = { milliseconds: 1, seconds: 1_000, minutes: 60_000, hours: 3_600_000 } as const;

const events = (field: PolicyField) => ({ policyId: 'events.*', field });
const documents = (field: PolicyField, collection = '*') => ({
  policyId: `documents.${collection}`,
  field,
});
const sweeps = (key: string) => ({ section: 'sweeps', key });

/** Every variable there is: `RETRY_…` for events, `RETRY_JOB_…` for documents. Unset ones change nothing. */
export const VARIABLES: readonly Variable[] = [
  {
    name: 'RETRY_MAX_ATTEMPTS',
    unit: 'attempts',
    target: events('maxAttempts'),
    meaning: 'The largest number of attempts for one event, the first included.',
  },
  {
    name: 'RETRY_BASE_DELAY_MS',
    unit: 'milliseconds',
    target: events('baseDelayMs'),
    meaning: 'The wait after the first failure.',
  },
  {
    name: 'RETRY_BACKOFF_FACTOR',
    unit: 'factor',
    target: events('multiplier'),
    meaning: 'The factor by which waits grow.',
  },
  {
    name: 'RETRY_MAX_DELAY_SECONDS',
    unit: 'seconds',
    target: events('maxDelayMs'),
    meaning: 'The cap of every wait.',
  },
  {
    name: 'RETRY_TTL_MINUTES',
    unit: 'minutes',
    target: events('ttlMs'),
    meaning: 'The time limit of all attempts and waits together.',
  },
  {
    name: 'RETRY_JOB_INTERVAL_SECONDS',
    unit: 'seconds',
    target: sweeps('interval'),
    meaning: 'The time from one sweep to the next. This version has no sweeper yet.',
  },
  {
    name: 'RETRY_JOB_BASE_DELAY_SECONDS',
    unit: 'seconds',
    target: documents('baseDelayMs'),
    meaning: 'The base of the back-off.',
  },
  {
    name: 'RETRY_JOB_MAX_DELAY_SECONDS',
    unit: 'seconds',
    target: documents('maxDelayMs'),
    meaning: 'The cap of every wait.',
  },
  {
    name: 'RETRY_JOB_STUCK_THRESHOLD_HOURS',
    unit: 'hours',
    target: sweeps('stuck_threshold'),
    meaning: 'The age at which a document counts as stuck. This version has no sweeper yet.',
  },
  ...['archives', 'messages', 'chunks', 'threads'].map(
    (collection): Variable => ({
      name: `RETRY_JOB_MAX_ATTEMPTS_${collection.toUpperCase()}`,
      unit: 'attempts',
      target: documents('maxAttempts', collection),
      meaning: `The largest number of attempts for one of the ${collection}, the first included.`,
    }),
  ),
];

/** Reads a variable's text, into the unit of its target: milliseconds for policies, seconds for sections. */
export function readVariable(
  { unit, target }: Variable,
  text: string,
): { readonly value: number } | { readonly expected: string } {
  const [min, max, whole] = boundsOf(target);
  const perUnit = 'field' in target ? 1 : 1_000;
  const scale = unit === 'attempts' || unit === 'factor' ? 1 : UNIT_MS[unit] / perUnit;
  // Plain decimals only: Number() would also take "", "0x10" and "1e3".
  const value = /^\d{1,30}(?:\.\d{1,30})?$/.test(text.trim()) ? Number(text) * scale : Number.NaN;
  if (value >= min && value <= max && (!whole || Number.isInteger(value))) return { value };
  const kind = whole ? 'a whole number' : 'a number';
  const of = unit === 'attempts' || unit === 'factor' ? '' : ` of ${unit}`;
  const from = min === Number.MIN_VALUE ? 'above 0' : `from ${min / scale}`;
  const to = max === Infinity ? '' : ` up to ${max / scale}`;
  return { expected: `${kind}${of} ${from}${to}` };
}

function boundsOf(target: VariableTarget): readonly [min: number, max: number, whole: boolean] {
  if (!('field' in target)) return [Number.MIN_VALUE, MAX_SECONDS, false];
  const rule: FieldRule | undefined = POLICY_FIELDS[target.field][1];
  if (rule?.kind !== 'integer' && rule?.kind !== 'number')
    throw new TypeError(`${target.field} is no number`);
  return [rule.min, rule.max, rule.kind === 'integer'];
}
