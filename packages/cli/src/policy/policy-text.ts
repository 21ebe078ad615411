import type { ResolvedPolicy } from '@redrive/core';

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
