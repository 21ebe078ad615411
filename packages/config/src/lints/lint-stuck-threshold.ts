import { record } from '../content/record.ts';
import { explain } from '../explain/explain.ts';
import { finding } from '../problem/findings.ts';
import type { Problem } from '../problem/problem.ts';
import type { LintInput } from './lint-input.ts';

/**
 * Warns of a stuck threshold above the longest back-off, because the back-off then never delays anything. The defaults
 * are such a case: a document is stuck after a day, and its back-off is 40 minutes at most.
 */
export function lintStuckThreshold({ config, content }: LintInput): Problem[] {
  const own = [...content.policies.values()].find(({ id }) => id.startsWith('documents.'));
  const said = [...config.sources.keys()].some((path) => path.startsWith('sweeps.'));
  if (own === undefined && !said) return [];
  const { stuck_threshold: threshold } = record(config.sections.sweeps);
  const documents = [...config.policies.values()].filter(({ id }) => id.startsWith('documents.'));
  const longestMs = Math.max(
    0,
    ...documents.flatMap((policy) => explain(policy).delays_ms.map(({ max }) => max)),
  );
  if (typeof threshold !== 'number' || threshold * 1_000 <= longestMs) return [];
  const path = ['sweeps', 'stuck_threshold'];
  const isSaid = config.sources.has(path.join('.'));
  const place = isSaid || own === undefined ? content.placeOf(path) : own.place;
  const message = `A document counts as stuck after ${threshold} s, but the longest back-off is ${longestMs / 1_000} s, so the back-off never delays anything`;
  const advice = `to use the back-off, write sweeps.stuck_threshold: ${longestMs / 1_000} or less`;
  return [finding('stuck_threshold_hides_backoff', place, message, advice)];
}
