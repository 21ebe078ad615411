import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';

interface Jitter {
  readonly jitter_type: string;
  readonly jitter_amount: number;
}

/** `none`, `full`, `±10 %` (proportional), `equal 50 %`: the amount where it is less than all. */
export function jitterText({ jitter_type: type, jitter_amount }: Jitter, unicode: boolean): string {
  const amount = `${Number((jitter_amount * 100).toFixed(2))} %`;
  if (type === 'proportional') return `${unicode ? '±' : '+-'}${amount}`;
  if (type === 'none' || type === 'decorrelated' || jitter_amount === 1) return type;
  return `${type} ${amount}`;
}

type Subject = Pick<AnswerOf<typeof ACTIONS.policies.show>, 'id' | 'name' | 'matched_by' | 'rule'>;

/** Which policy this is about: its id, its name where that says more, and how it was found where that is not plain. */
export function subjectLines({ paint }: Screen, { id, name, matched_by, rule }: Subject): string[] {
  const title = name === id ? [] : [printable(name)];
  const isPlain = matched_by === 'policy' || matched_by === 'category';
  const found = isPlain ? [] : [paint('dim', `found by ${printable(rule)}`)];
  return [[paint('bold', printable(id)), ...title].join('  '), ...found];
}

/** The name of a policy for people. One without an id is named by its hash, of which the beginning is enough. */
export function policyText(name: string): string {
  return printable(/^[0-9a-f]{64}$/.test(name) ? name.slice(0, 12) : name);
}

interface Value {
  readonly value?: unknown;
  readonly unit: 'seconds' | null;
}

/** A value as people read it: `30 s`, `none`, `TimeoutError, ConnectionError`. */
export function valueText({ value = null, unit }: Value): string {
  if (value === null) return 'no limit';
  if (Array.isArray(value)) {
    if (value.length === 0) return '(none)';
    return unit === 'seconds' ? `${value.join(', ')} s` : value.join(', ');
  }
  if (value === '') return '""';
  if (typeof value === 'object') return JSON.stringify(value);
  return unit === 'seconds' ? `${value} s` : String(value);
}
