import { explain } from '../explain/explain.ts';
import { finding } from '../problem/findings.ts';
import type { Problem } from '../problem/problem.ts';
import type { LintInput } from './lint-input.ts';

/** A schedule that cannot fit its TTL: the waits alone take longer, before jitter. */
export function lintTtl({ config, content }: LintInput): Problem[] {
  return [...content.policies.values()].flatMap(({ id, place, fields }) => {
    const configured = config.policies.get(id);
    if (configured === undefined || !configured.policy.enabled) return [];
    const { max_attempts, attempts_within_ttl, total_nominal_ms, ttl_ms } = explain(configured);
    if (ttl_ms === null || attempts_within_ttl >= max_attempts) return [];
    const at = fields.get('ttlMs')?.place ?? content.globalDefaults.get('ttlMs')?.place ?? place;
    const message = `${id}: a ttl of ${ttl_ms / 1_000} s ends before attempt ${attempts_within_ttl + 1} of ${max_attempts}: the waits alone take ${total_nominal_ms / 1_000} s`;
    const advice = `raise ttl above ${total_nominal_ms / 1_000}, or write max_attempts: ${attempts_within_ttl}`;
    return [finding('ttl_too_short', at, message, advice)];
  });
}
