import type { ConfiguredPolicy } from '../config.ts';
import { finding, type Place } from '../problem/findings.ts';
import type { Problem } from '../problem/problem.ts';
import type { LintInput } from './lint-input.ts';

/** Below this share of the wait, callers that failed together retry together. */
const MIN_SPREAD = 0.25;

/** `full` or `equal` jitter that hardly spreads load. One warning for each line that says so. */
export function lintJitter({ config, content }: LintInput): Problem[] {
  const weak = new Map<string, { place: Place; ids: string[] }>();
  for (const [id, { fields, place: key }] of content.policies) {
    const policy = config.policies.get(id);
    if (policy === undefined || !isWeak(policy)) continue;
    const defaults = content.globalDefaults;
    const said = fields.get('jitterAmount') ?? fields.get('jitter');
    const place = (said ?? defaults.get('jitterAmount') ?? defaults.get('jitter'))?.place ?? key;
    const entry = weak.get(place.path) ?? { place, ids: [] };
    entry.ids.push(id);
    weak.set(place.path, entry);
  }
  return [...weak.values()].map(({ place, ids: [first = '', ...others] }) => {
    const { jitter, jitterAmount } = config.policies.get(first)?.policy ?? {};
    const who = others.length === 0 ? first : `${first} and ${others.length} more`;
    const share = Math.round(spreadOf(config.policies.get(first)) * 100);
    const message = `${who}: ${jitter} jitter of ${jitterAmount} moves a wait by ${share} % at most, so callers that failed together retry together`;
    return finding('weak_jitter', place, message, 'write jitter_amount: 1.0');
  });
}

function isWeak(configured: ConfiguredPolicy): boolean {
  const { jitter, enabled, maxAttempts, backoff } = configured.policy;
  const waits = enabled && maxAttempts > 1 && backoff !== 'immediate';
  return waits && (jitter === 'full' || jitter === 'equal') && spreadOf(configured) < MIN_SPREAD;
}

function spreadOf(configured: ConfiguredPolicy | undefined): number {
  const { jitter, jitterAmount = 0 } = configured?.policy ?? {};
  return jitter === 'equal' ? jitterAmount / 2 : jitterAmount;
}
