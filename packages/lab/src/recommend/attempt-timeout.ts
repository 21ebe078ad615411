import type { ResolvedPolicy } from '@redrive/core';
import type { Attempts } from '../recording/attempts.ts';

/** A time limit of one attempt. */
export interface AttemptTimeout {
  /** `undefined`: it is not recommended, for this reason. */
  readonly timeoutMs: number | undefined;
  readonly reason: string;
  /** Successes whose start is known, and attempts that took too long. */
  readonly successes: number;
  readonly timedOut: number;
}

/** Successes above the limit that it rests on. */
const MIN_ABOVE = 10;
const TIMEOUT = /time_?d?_?out/i;

/** The time that a share of successful attempts of a policy takes longer than: with this limit they would fail. */
export function attemptTimeoutOf(
  attempts: Attempts,
  policy: ResolvedPolicy,
  share: number,
): AttemptTimeout {
  const tookMs = new Float64Array(attempts.size);
  let successes = 0;
  let timedOut = 0;
  for (let at = 0; at < attempts.size; at += 1) {
    if (attempts.groupOf(at).policy !== policy.id) continue;
    const { startMs = Number.NaN, endMs, outcome, errorType = '' } = attempts.at(at);
    const ms = endMs - startMs;
    if (outcome === 'succeeded' && ms >= 0) {
      tookMs[successes] = ms;
      successes += 1;
    } else if (outcome === 'failed' && (ms >= policy.attemptTimeoutMs || TIMEOUT.test(errorType))) {
      timedOut += 1;
    }
  }
  const needed = Math.ceil(MIN_ABOVE / share);
  const declined = (reason: string) => ({ timeoutMs: undefined, reason, successes, timedOut });
  if (successes < needed)
    return declined(`${successes} successes have a known start, and it needs ${needed}`);
  if (timedOut > share * (successes + timedOut))
    return declined(`${timedOut} of ${successes + timedOut} attempts timed out already`);
  const sorted = tookMs.subarray(0, successes).sort();
  const timeoutMs = Math.max(1, Math.ceil(sorted[Math.ceil(successes * (1 - share)) - 1] ?? 0));
  const percent = Number((share * 100).toPrecision(6));
  const reason = `at most ${percent} % of ${successes} successes took longer`;
  return { timeoutMs, reason, successes, timedOut };
}
