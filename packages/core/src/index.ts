export type { DelayRange, Jitter } from './backoff/jitter.ts';
export { drawDelayMs, jitterRange } from './backoff/jitter.ts';
export type { Backoff } from './backoff/nominal-delay.ts';
export { nominalDelayMs } from './backoff/nominal-delay.ts';
export type { Clock, Timer } from './clock/clock.ts';
export { systemClock } from './clock/system-clock.ts';
export { definePolicy } from './policy/define-policy.ts';
export type { Policy, ResolvedPolicy } from './policy/policy.ts';
export { retry } from './run/retry.ts';
