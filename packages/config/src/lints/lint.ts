import { type Config, type ConfiguredPolicy, record } from '../config.ts';
import type { FileContent } from '../content/file-content.ts';
import { explain } from '../explain/explain.ts';
import { finding, type Place, type Problem } from '../problem/problem.ts';
import { lintLoad } from './lint-load.ts';

/** The input of a lint: the configuration in force, and its places in the file. */
export interface LintInput {
  readonly config: Config;
  readonly content: FileContent;
}

/** Warns of valid values that do not do what people expect of them. Values from outside the file are not linted. */
export function lint(input: LintInput): Problem[] {
  return [lintJitter, lintTtl, lintLoad, lintHandlers, lintSchedules, lintStuckThreshold].flatMap(
    (one) => one(input),
  );
}

/** Below this share of the wait, callers that failed together retry together. */
const MIN_SPREAD = 0.25;

/** `full` or `equal` jitter that hardly spreads load. One warning for each line that says so. */
function lintJitter({ config, content }: LintInput): Problem[] {
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

/** A schedule that cannot fit its TTL: the waits alone take longer, before jitter. */
function lintTtl({ config, content }: LintInput): Problem[] {
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

/** Warns of a handler that sets neither `idempotent` nor `on_unknown`: its author may not know that it can run twice. */
function lintHandlers({ config, content }: LintInput): Problem[] {
  const { handlers } = record(config.sections.jobs);
  return Object.keys(record(handlers)).flatMap((name) => {
    const path = ['jobs', 'handlers', name];
    const says = ['idempotent', 'on_unknown'].some((key) =>
      config.sources.has([...path, key].join('.')),
    );
    if (says) return [];
    const message = `${name} sets neither idempotent nor on_unknown: after a crash or a timeout it runs again for the same job, even if its effect was applied`;
    const advice = 'write idempotent: true, or on_unknown: dead_letter';
    return [finding('silent_at_least_once', content.placeOf(path), message, advice)];
  });
}

const DAY_SECONDS = 86_400;

/** Warns of intervals that people mean as a time of day. */
function lintSchedules({ config, content }: LintInput): Problem[] {
  return Object.entries(record(config.sections.schedules)).flatMap(([name, given]) => {
    const { every } = record(given);
    if (typeof every !== 'number' || every < DAY_SECONDS) return [];
    const message = `${name} ticks every ${every} s at midnight UTC, whatever the local time is`;
    const advice = 'write cron: "0 3 * * *" and time_zone: Europe/Berlin for a time of day';
    return [
      finding('daily_interval', content.placeOf(['schedules', name, 'every']), message, advice),
    ];
  });
}

/**
 * Warns of a stuck threshold above the longest back-off, because the back-off then never delays anything. The defaults
 * are such a case: a document is stuck after a day, and its back-off is 40 minutes at most.
 */
function lintStuckThreshold({ config, content }: LintInput): Problem[] {
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
  const message = `A sweep sends a document again when its last attempt is older than ${threshold} s, but the longest back-off is ${longestMs / 1_000} s, so the back-off never delays anything${longestMs * 8 < threshold * 1_000 ? ', nor does the dynamic back-off of up to 8 times as much' : ''}`;
  const advice = `to use the back-off, write sweeps.stuck_threshold: ${longestMs / 1_000} or less`;
  return [finding('stuck_threshold_hides_backoff', place, message, advice)];
}
