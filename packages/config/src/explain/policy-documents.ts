import type { Config, ConfiguredPolicy } from '../config.ts';
import type { LookUp } from '../look-up/look-up.ts';
import { type ExplainedDelay, explain } from './explain.ts';
import { type FieldValue, fieldValues } from './field-values.ts';

/** A policy that is a preset's own, whether or not the file or the environment changed values of it. */
export const isPreset = ({ id, preset }: ConfiguredPolicy) => id === preset;

/** Every policy: the file's first, then the presets'. */
export function listedPolicies(config: Config): readonly ConfiguredPolicy[] {
  const all = [...config.policies.values()];
  return [...all.filter((one) => !isPreset(one)), ...all.filter(isPreset)];
}

/** A policy in a list. Times are milliseconds; `ttl_ms` null: no limit. */
export interface ListedPolicy {
  readonly id: string;
  readonly name: string;
  readonly preset: string | null;
  readonly enabled: boolean;
  readonly max_attempts: number;
  readonly backoff_type: string;
  readonly base_delay_ms: number;
  readonly max_delay_ms: number;
  readonly jitter_type: string;
  readonly ttl_ms: number | null;
}

/** A policy in a list, as JSON prints it. */
export function policyJson({ id, preset, policy }: ConfiguredPolicy): ListedPolicy {
  return {
    id,
    name: policy.name,
    preset: preset ?? null,
    enabled: policy.enabled,
    max_attempts: policy.maxAttempts,
    backoff_type: policy.backoff,
    base_delay_ms: policy.baseDelayMs,
    max_delay_ms: policy.maxDelayMs,
    jitter_type: policy.jitter,
    ttl_ms: Number.isFinite(policy.ttlMs) ? policy.ttlMs : null,
  };
}

/** Every value of a policy with its source, as JSON prints it. */
export function policyDocument({ policy, matchedBy }: LookUp) {
  const { id, preset = null } = policy;
  return { id, matched_by: matchedBy, preset, values: fieldValues(policy) };
}

/** The waits of policies, as JSON prints them. */
export function plotDocument(scale: 'linear' | 'log', policies: readonly ConfiguredPolicy[]) {
  const waits = policies.map((policy) => {
    const { id, delays_ms } = explain(policy);
    return { id, delays_ms };
  });
  return { scale, policies: waits };
}

/** Beyond this ratio the smaller waits could not be seen on a linear axis. */
const LINEAR_UP_TO = 40;

/** The scale that fits: logarithmic where the largest nominal wait is over 40 times the smallest. */
export function fittingScale(delays: readonly Pick<ExplainedDelay, 'nominal'>[]): 'linear' | 'log' {
  const positive = delays.map(({ nominal }) => nominal).filter((nominal) => nominal > 0);
  return Math.max(...positive) > Math.min(...positive) * LINEAR_UP_TO ? 'log' : 'linear';
}

/** Names and descriptions change no behaviour. */
const NOT_COMPARED = ['id', 'name', 'description'];

/** The fields with other values in the second policy. */
export function differingFields(
  a: ConfiguredPolicy,
  b: ConfiguredPolicy,
): (readonly [field: string, a: FieldValue, b: FieldValue])[] {
  const others = new Map(comparable(b).map((value) => [value.field, value]));
  return comparable(a).flatMap((left) => {
    const right = others.get(left.field);
    const same = right === undefined || JSON.stringify(left.value) === JSON.stringify(right.value);
    return same ? [] : [[left.field, left, right] as const];
  });
}

/** The fields that change the behaviour. */
function comparable(configured: ConfiguredPolicy): FieldValue[] {
  return fieldValues(configured).filter(({ field }) => !NOT_COMPARED.includes(field));
}

type Span = Pick<ExplainedDelay, 'nominal' | 'min' | 'max'>;

/** A wait that differs. `null`: there is no such attempt. */
export interface DelayDifference {
  readonly attempt: number;
  readonly a: Span | null;
  readonly b: Span | null;
}

export function differingDelays(a: ConfiguredPolicy, b: ConfiguredPolicy): DelayDifference[] {
  const left = explain(a).delays_ms;
  const right = explain(b).delays_ms;
  const longer = left.length > right.length ? left : right;
  return longer
    .map(({ attempt }, index) => ({ attempt, a: spanOf(left[index]), b: spanOf(right[index]) }))
    .filter((each) => JSON.stringify(each.a) !== JSON.stringify(each.b));
}

function spanOf(delay: ExplainedDelay | undefined): Span | null {
  return delay === undefined ? null : { nominal: delay.nominal, min: delay.min, max: delay.max };
}

/** Two policies compared, as JSON prints it. `label`: an id, or file:id. */
export function diffDocument(
  a: { readonly label: string; readonly policy: ConfiguredPolicy },
  b: { readonly label: string; readonly policy: ConfiguredPolicy },
) {
  const fields = differingFields(a.policy, b.policy);
  return {
    equal: fields.length === 0,
    a: a.label,
    b: b.label,
    fields: fields.map(([field, left, right]) => ({ field, a: left.value, b: right.value })),
    delays_ms: differingDelays(a.policy, b.policy),
  };
}
