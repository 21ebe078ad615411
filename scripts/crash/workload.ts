import type { EnqueueOptions } from '@redrive/durable';
import { seededRandom } from '@redrive/testkit';

/** What a job of the harness does. */
export interface Work {
  readonly key: string;
  /** How long its handler takes. */
  readonly workMs: number;
  /** Its first attempt throws. */
  readonly failsFirst: boolean;
}

export interface WorkloadOptions {
  readonly seed: number;
  readonly leaseMs: number;
  /** Share of the jobs that take longer than a lease. */
  readonly longShare: number;
}

/** Longest work, as a share of the lease: longer than one, so that some jobs live by their heartbeats. */
const LONGEST = 1.5;

/** The nth job of a run: mostly short, some longer than a lease, some that fail once, wait, or share a limit. */
export function nthJob(
  { seed, leaseMs, longShare }: WorkloadOptions,
  n: number,
): { readonly work: Work; readonly options: EnqueueOptions } {
  const random = seededRandom(seed * 1_000_003 + n);
  const chance = (share: number): boolean => random() < share;
  const key = `k${n}`;
  const workMs = Math.round(chance(longShare) ? leaseMs * LONGEST : 2 + random() * 30);
  return {
    work: { key, workMs, failsFirst: chance(0.1) },
    options: {
      idempotencyKey: key,
      tenant: `t${n % 3}`,
      priority: chance(0.1) ? 1 : 0,
      ...(chance(0.05) ? { delayMs: 200 } : {}),
      ...(chance(0.05) ? { limitKey: 'one at a time' } : {}),
      ...(chance(0.03) ? { uniqueKey: 'only one' } : {}),
    },
  };
}

/** For jobs that crash: attempts enough, and next to no wait. */
export const PATIENT_POLICY = {
  maxAttempts: 1_000,
  baseDelayMs: 5,
  maxDelayMs: 50,
  jitter: 'none',
} as const;
