import type { ResolvedPolicy } from '../policy/policy.ts';
import { jitterRange, nominalDelayMs } from './delay.ts';

/** One wait. Whole milliseconds, as the runner rounds them. */
export interface PolicyDelay {
  /** The attempt that follows the wait. */
  readonly attempt: number;
  /** Before jitter. */
  readonly nominal: number;
  readonly min: number;
  readonly max: number;
}

/** Every wait of a policy with the band that jitter makes. There may be a billion of them: take some. */
export function* delaysOf(policy: ResolvedPolicy): Generator<PolicyDelay, undefined> {
  const attempts = policy.enabled ? policy.maxAttempts : 1;
  let lastMaxMs = 0;
  for (let attempt = 2; attempt <= attempts; attempt += 1) {
    const nominalMs = nominalDelayMs(policy, attempt - 1);
    const { minMs, maxMs } = jitterRange(policy, nominalMs, lastMaxMs);
    const [nominal = 0, min = 0, max = 0] = [nominalMs, minMs, maxMs].map(Math.round);
    lastMaxMs = max;
    yield { attempt, nominal, min, max };
  }
}
