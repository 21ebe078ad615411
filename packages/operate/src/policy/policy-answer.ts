import {
  type Config,
  type ConfiguredPolicy,
  explain,
  type LookUp,
  worstCasesOf,
} from '@redrive/config';
import { fieldValues, listedPolicies } from '@redrive/config/documents';
import { nominalDelayMs } from '@redrive/core';
import type * as z from 'zod';
import type { Side } from './find-policy.ts';
import type {
  EXPLANATION,
  PLOT,
  POLICY_DIFF,
  POLICY_LIST,
  POLICY_VALUES,
} from './policy-schema.ts';

export function policyList(config: Config): z.input<typeof POLICY_LIST> {
  return { policies: listedPolicies(config).map(row), file: config.file ?? null, next: null };
}

function row(configured: ConfiguredPolicy) {
  const { id, preset = null, policy } = configured;
  return {
    ...{ id, name: policy.name, preset },
    ...shape(configured),
    backoff_type: policy.backoff,
    base_delay_ms: policy.baseDelayMs,
    first_wait_ms: nominalDelayMs(policy, 1),
    max_delay_ms: policy.maxDelayMs,
    ttl_ms: Number.isFinite(policy.ttlMs) ? policy.ttlMs : null,
  };
}

function shape({ policy }: ConfiguredPolicy) {
  return {
    enabled: policy.enabled,
    max_attempts: policy.maxAttempts,
    jitter_type: policy.jitter,
    jitter_amount: policy.jitterAmount,
  };
}

export function policyValues(found: LookUp): z.input<typeof POLICY_VALUES> {
  const { policy, matchedBy, rule } = found;
  const { id, preset = null } = policy;
  const { name } = policy.policy;
  return { id, name, matched_by: matchedBy, rule, preset, values: fieldValues(policy) };
}

export function explanation(config: Config, found: LookUp): z.input<typeof EXPLANATION> {
  const { policy } = found.policy;
  return {
    ...explain(found.policy, found),
    delays_ms: [...explain(found.policy).delays_ms],
    backoff_multiplier: policy.multiplier,
    schedule_length: policy.backoff === 'schedule' ? (policy.delaysMs?.length ?? 0) : 0,
    immediate_first_retry: policy.immediateFirstRetry,
    worst_cases: worstCasesOf(config, found.policy).map((each) => ({
      ...each,
      layers: [...each.layers],
    })),
  };
}

export function plot(
  policies: readonly ConfiguredPolicy[],
  wanted: 'auto' | 'linear' | 'log',
): z.input<typeof PLOT> {
  const drawn = policies.map((policy) => {
    const { id, delays_ms, total_nominal_ms } = explain(policy);
    return { id, ...shape(policy), delays_ms: [...delays_ms], total_nominal_ms };
  });
  const scale = wanted === 'auto' ? fittingScale(drawn.flatMap((each) => each.delays_ms)) : wanted;
  return { scale, policies: drawn };
}

/** Beyond this ratio the smaller waits could not be seen on a linear axis. */
const LINEAR_UP_TO = 40;

/** Logarithmic where the largest nominal wait is over 40 times the smallest. */
function fittingScale(delays: readonly { readonly nominal: number }[]): 'linear' | 'log' {
  const positive = delays.map(({ nominal }) => nominal).filter((nominal) => nominal > 0);
  return Math.max(...positive) > Math.min(...positive) * LINEAR_UP_TO ? 'log' : 'linear';
}

export function policyDiff(a: Side, b: Side): z.input<typeof POLICY_DIFF> {
  const fields = differingFields(a.policy, b.policy);
  return {
    equal: fields.length === 0,
    ...{ a: a.label, b: b.label },
    ...{ fields, delays_ms: differingDelays(a.policy, b.policy) },
  };
}

/** Names and descriptions change no behaviour. */
const NOT_COMPARED = ['id', 'name', 'description'];

function differingFields(a: ConfiguredPolicy, b: ConfiguredPolicy) {
  const others = new Map(fieldValues(b).map(({ field, value }) => [field, value]));
  return fieldValues(a).flatMap(({ field, value, unit }) => {
    const other = others.get(field);
    const isEqual = JSON.stringify(value) === JSON.stringify(other);
    return isEqual || NOT_COMPARED.includes(field) ? [] : [{ field, a: value, b: other, unit }];
  });
}

function differingDelays(a: ConfiguredPolicy, b: ConfiguredPolicy) {
  const [left, right] = [explain(a).delays_ms, explain(b).delays_ms];
  const longer = left.length > right.length ? left : right;
  return longer
    .map(({ attempt }, at) => ({ attempt, a: span(left[at]), b: span(right[at]) }))
    .filter((each) => JSON.stringify(each.a) !== JSON.stringify(each.b));
}

function span(delay: ReturnType<typeof explain>['delays_ms'][number] | undefined) {
  return delay === undefined ? null : { nominal: delay.nominal, min: delay.min, max: delay.max };
}
