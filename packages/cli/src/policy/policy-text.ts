import type { LookUp } from '@redrive/config';
import type { ResolvedPolicy } from '@redrive/core';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';

/** `exponential x2`, `fixed`; and that the first retry is immediate, where it is. */
export function backoffText(policy: ResolvedPolicy): string {
  const kind =
    policy.backoff === 'exponential' ? `exponential x${policy.multiplier}` : policy.backoff;
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
