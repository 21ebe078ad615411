import { type Config, type LookUp, lookUp } from '@redrive/config';
import type { FieldValue } from '@redrive/config/documents';
import type { ResolvedPolicy } from '@redrive/core';
import { nearest } from '@redrive/core/fields';
import { RetryCategory } from '@redrive/core/manager';
import { CliError } from '../terminal/exit-codes.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';

/**
 * The policy that a name means in this configuration: by id, category or subsystem path.
 *
 * @throws CliError with the exit code 3 and the nearest known name.
 */
export function findPolicy(config: Config, name: string): LookUp {
  const found = lookUp(config, name);
  if (found.policy !== undefined) return found;
  throw new CliError('no_match', found.message, found.suggestion ?? hintFor(name));
}

/**
 * A path falls back to a default where no policy is mapped to it: the mapping names a policy that does not exist, which
 * files of version 1.0.0 may do, or it is missing. If a path with nearly that name is mapped, that may be a slip.
 */
export function slipOf(config: Config, name: string, { matchedBy }: LookUp): string | undefined {
  if (matchedBy !== 'group_default' && matchedBy !== 'global_defaults') return undefined;
  const mapped = config.mappings.get(name);
  if (mapped !== undefined)
    return `"${name}" is mapped to "${mapped}", which is not a policy: a default is used.`;
  const close = nearest(name, [...config.mappings.keys()]);
  return close && `Nothing is mapped to "${name}". Did you mean "${close}"?`;
}

/** Categories are found by their short names too, which are not ids of policies. */
function hintFor(name: string): string {
  const close = nearest(name, Object.keys(RetryCategory));
  return close === undefined
    ? '"redrive policies list" lists all policies.'
    : `Did you mean "${close}"?`;
}

/** `exponential x2`, `fixed`, `schedule of 5`; and that the first retry is immediate, where it is. */
export function backoffText(policy: ResolvedPolicy): string {
  const { backoff, delaysMs = [] } = policy;
  const kind =
    backoff === 'exponential'
      ? `exponential x${policy.multiplier}`
      : backoff === 'schedule'
        ? `schedule of ${delaysMs.length}`
        : backoff;
  return policy.immediateFirstRetry ? `${kind}, first retry at once` : kind;
}

/** `none`, `full`, `±10 %` (proportional), `equal 50 %`: the amount where it is less than all. */
export function jitterText({ jitter, jitterAmount }: ResolvedPolicy, unicode: boolean): string {
  const amount = `${Number((jitterAmount * 100).toFixed(2))} %`;
  if (jitter === 'proportional') return `${unicode ? '±' : '+-'}${amount}`;
  if (jitter === 'none' || jitter === 'decorrelated' || jitterAmount === 1) return jitter;
  return `${jitter} ${amount}`;
}

/** Which policy this is about: its id, its name where that says more, and how it was found where that is not plain. */
export function subjectLines({ paint }: Screen, { policy, matchedBy, rule }: LookUp): string[] {
  const { id } = policy;
  const { name } = policy.policy;
  const title = name === id ? [] : [printable(name)];
  const isPlain = matchedBy === 'policy' || matchedBy === 'category';
  const found = isPlain ? [] : [paint('dim', `found by ${printable(rule)}`)];
  return [[paint('bold', printable(id)), ...title].join('  '), ...found];
}

/** The name of a policy for people. One without an id is named by its hash, of which the beginning is enough. */
export function policyText(name: string): string {
  return printable(/^[0-9a-f]{64}$/.test(name) ? name.slice(0, 12) : name);
}

/** A value as people read it: `30 s`, `none`, `TimeoutError, ConnectionError`. */
export function valueText({ value, unit }: Pick<FieldValue, 'value' | 'unit'>): string {
  if (value === null) return 'no limit';
  if (Array.isArray(value)) {
    if (value.length === 0) return '(none)';
    return unit === 'seconds' ? `${value.join(', ')} s` : value.join(', ');
  }
  if (value === '') return '""';
  if (typeof value === 'object') return JSON.stringify(value);
  return unit === 'seconds' ? `${value} s` : String(value);
}
