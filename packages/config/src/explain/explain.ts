import type { ResolvedPolicy } from '@redrive/core';
import { delaysOf, type PolicyDelay } from '@redrive/core/fields';
import type { ConfiguredPolicy, PolicyField, ValueSource } from '../config.ts';
import type { LookUp } from '../look-up/look-up.ts';

/** One wait, in whole milliseconds, as the runner rounds them. */
export type ExplainedDelay = PolicyDelay;

/** The output of `redrive policies explain --json`. */
export interface Explanation {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly matched_by: LookUp['matchedBy'];
  readonly rule: string;
  readonly preset: string | null;
  readonly enabled: boolean;
  readonly max_attempts: number;
  readonly backoff_type: string;
  readonly jitter_type: string;
  readonly jitter_amount: number;
  /** One per wait; the first 1,000 of them. */
  readonly delays_ms: readonly ExplainedDelay[];
  /** Whether there are more waits than `delays_ms` has. */
  readonly delays_truncated: boolean;
  /** All waits before jitter, also those that are left out of `delays_ms`; see `MAX_ADDED`. */
  readonly total_nominal_ms: number;
  readonly total_min_ms: number;
  readonly total_max_ms: number;
  /** `null`: no limit. */
  readonly ttl_ms: number | null;
  readonly attempt_timeout_ms: number | null;
  readonly horizon_ms: number | null;
  readonly unclassified_errors: 'retryable' | 'final';
  /** Attempts that start in time if every attempt fails at once and no wait is shortened by jitter. */
  readonly attempts_within_ttl: number;
  /** When it gives up, in a sentence. */
  readonly gives_up: string;
  readonly sources: Readonly<Record<PolicyField, ValueSource>>;
}

/** Waits that are listed one by one. */
const MAX_LISTED = 1_000;
/** Waits that are added up one by one; further ones are as long as the last of these. */
const MAX_ADDED = 10_000;

/** Says what a policy does: its waits, with the band that jitter makes, and when it gives up. */
export function explain(
  configured: ConfiguredPolicy,
  found: Pick<LookUp, 'matchedBy' | 'rule'> = {
    matchedBy: 'policy',
    rule: `policy ${configured.id}`,
  },
): Explanation {
  const { policy } = configured;
  const attempts = policy.enabled ? policy.maxAttempts : 1;
  const { delays, totals, inTime } = scheduleOf(policy, attempts);
  return {
    id: configured.id,
    name: policy.name,
    description: policy.description,
    matched_by: found.matchedBy,
    rule: found.rule,
    preset: configured.preset ?? null,
    enabled: policy.enabled,
    max_attempts: policy.maxAttempts,
    backoff_type: policy.backoff,
    jitter_type: policy.jitter,
    jitter_amount: policy.jitterAmount,
    delays_ms: delays,
    delays_truncated: attempts - 1 > delays.length,
    total_nominal_ms: totals.nominal,
    total_min_ms: totals.min,
    total_max_ms: totals.max,
    ttl_ms: finite(policy.ttlMs),
    attempt_timeout_ms: finite(policy.attemptTimeoutMs),
    horizon_ms: finite(policy.horizonMs),
    unclassified_errors: policy.unclassified,
    attempts_within_ttl: inTime,
    gives_up: givesUp(policy, attempts, totals.nominal, inTime),
    sources: configured.sources,
  };
}

const finite = (ms: number) => (Number.isFinite(ms) ? ms : null);

function scheduleOf(policy: ResolvedPolicy, attempts: number) {
  const delays: ExplainedDelay[] = [];
  const totals = { nominal: 0, min: 0, max: 0 };
  let inTime = 1;
  for (const delay of delaysOf(policy)) {
    const failed = delay.attempt - 1;
    const alike = failed === MAX_ADDED ? attempts - failed : 1;
    inTime += startInTime(policy.ttlMs - totals.nominal, delay.nominal, alike);
    totals.nominal += delay.nominal * alike;
    totals.min += delay.min * alike;
    totals.max += delay.max * alike;
    if (failed <= MAX_LISTED) delays.push(delay);
    if (alike > 1) break;
  }
  return { delays, totals, inTime };
}

/** How many of some waits, all alike, end before the time is up. */
function startInTime(leftMs: number, delayMs: number, waits: number): number {
  if (leftMs <= 0) return 0;
  return delayMs === 0 ? waits : Math.min(waits, Math.ceil(leftMs / delayMs) - 1);
}

function givesUp(policy: ResolvedPolicy, attempts: number, totalMs: number, inTime: number) {
  if (!policy.enabled)
    return 'The policy is disabled: it makes one attempt and gives up when it fails.';
  if (attempts === 1) return 'It makes one attempt and gives up when it fails.';
  if (inTime < attempts) {
    return `It gives up after its TTL of ${durationText(policy.ttlMs)}: attempt ${inTime + 1} of ${attempts} would start too late.`;
  }
  const ttl =
    policy.ttlMs === Infinity
      ? ''
      : `, and at the latest ${durationText(policy.ttlMs)} after the start of the first attempt`;
  return `It gives up when attempt ${attempts} fails, after about ${durationText(totalMs)} of waiting${ttl}.`;
}

const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** `1 h 3 min`, `31.75 s`, `250 ms`. */
export function durationText(ms: number): string {
  const at = UNITS.findIndex(([, size]) => ms >= size);
  const [unit, size] = UNITS[at] ?? ['ms', 1];
  const next = UNITS[at + 1];
  if (at === -1 || next === undefined) return `${Number((ms / size).toFixed(2))} ${unit}`;
  const whole = Math.floor(ms / size);
  const rest = Math.floor((ms % size) / next[1]);
  return rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${next[0]}`;
}
