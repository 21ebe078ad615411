import { type FieldRule, POLICY_FIELDS } from '@redrive/core/fields';
import type { PolicyField } from '../config.ts';
import { MAX_SECONDS } from '../sections/section.ts';

/** The target of a variable: a field of a policy or of a group of policies, or a key of a section. */
export type VariableTarget =
  | { readonly policyId: string; readonly field: PolicyField }
  | { readonly section: string; readonly key: string };

/** A variable of the environment. Its name contains its unit. */
export interface Variable {
  readonly name: string;
  /** The unit of its number. */
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
    meaning: 'The time from one sweep to the next.',
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
    meaning: 'How old the last attempt must be before a sweep sends the event again.',
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

/** A server that a file need not name: its address may come from the environment. */
export type ServerName = 'mongodb' | 'rabbitmq';

/** A part of a server's address, as the text of the variable `<SERVER>_<PART>`. Those that are secret also have `…_FILE`. */
export interface AddressPart {
  readonly part: 'HOST' | 'PORT' | 'DATABASE' | 'USERNAME' | 'PASSWORD';
  readonly pattern: RegExp;
  readonly expected: string;
  readonly isSecret?: true;
}

const HOST: AddressPart = {
  part: 'HOST',
  pattern: /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])$/iu,
  expected: 'the name or the IP address of a host, IPv6 in brackets',
};
const PORT: AddressPart = {
  part: 'PORT',
  pattern: /^(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/u,
  expected: 'a whole number from 1 up to 65535',
};
const DATABASE: AddressPart = {
  part: 'DATABASE',
  pattern: /^[^/\\. "$*<>:|?\p{Cc}]{1,63}$/u,
  expected: 'the name of a database',
};
const [USERNAME, PASSWORD] = (['USERNAME', 'PASSWORD'] as const).map(
  (part): AddressPart => ({
    part,
    pattern: /^\P{Cc}{1,1024}$/u,
    expected: 'a text of 1 to 1,024 characters without control characters',
    isSecret: true,
  }),
) as [AddressPart, AddressPart]; // One for each name.

/** Their variables are read only where the file leaves the server out: clusters set `MONGODB_PORT` for other reasons. */
export const SERVERS: Readonly<Record<ServerName, readonly AddressPart[]>> = {
  mongodb: [HOST, PORT, DATABASE, USERNAME, PASSWORD],
  rabbitmq: [HOST, PORT, USERNAME, PASSWORD],
};

/** The buses that the environment may declare, as a file would. A bus of the same name in the file beats it. */
export const ENVIRONMENT_BUSES = { rabbitmq: { url: 'amqp://' } } as const;

/** The names of a server's variables, in the table's order. */
export function serverVariables(server: ServerName): readonly string[] {
  return SERVERS[server].flatMap(({ part, isSecret }) => {
    const name = `${server.toUpperCase()}_${part}`;
    return isSecret ? [name, `${name}_FILE`] : [name];
  });
}

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
