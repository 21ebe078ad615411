import type { Classifier, ClassifyRules, ResolvedPolicy } from '@redrive/core';
import { hashPolicy } from '@redrive/core/records';
import type { DecisionPolicy } from '@redrive/core/stored';
import { retryableErrors } from '../handler/retryable-error.ts';
import { httpFailures } from '../http/http-error.ts';
import type { StoredPolicy } from '../store/store.ts';

/** One version of a policy, with what follows from it for every attempt. */
export interface PolicyVersion {
  readonly policy: ResolvedPolicy;
  readonly hash: string;
  /** Attempts that count: one where the policy is switched off. */
  readonly maxAttempts: number;
  readonly rules: ClassifyRules;
}

const versions = /* @__PURE__ */ new WeakMap<ResolvedPolicy, PolicyVersion>();

/** The version that this policy is. */
export function versionOf(policy: ResolvedPolicy): PolicyVersion {
  const known = versions.get(policy);
  if (known !== undefined) return known;
  const hash = hashPolicy(policy);
  const { retryableExceptions, nonRetryableExceptions, classify, unclassified } = policy;
  const version: PolicyVersion = {
    policy,
    hash,
    maxAttempts: policy.enabled ? policy.maxAttempts : 1,
    rules: {
      retryableExceptions,
      nonRetryableExceptions,
      classify: [...classifiersOf(classify), retryableErrors, httpFailures],
      unclassified,
      retryInnerFailures: policy.retryInnerFailures,
      strayAborts: 'classified',
    },
  };
  versions.set(policy, version);
  return version;
}

function classifiersOf(given: ClassifyRules['classify'] = []): readonly Classifier[] {
  return typeof given === 'function' ? [given] : given;
}

/** The part that the store keeps: the fields that decide. */
export function storedPolicy({ hash, policy }: PolicyVersion): StoredPolicy {
  const decisive: DecisionPolicy = {
    enabled: policy.enabled,
    maxAttempts: policy.maxAttempts,
    backoff: policy.backoff,
    baseDelayMs: policy.baseDelayMs,
    maxDelayMs: policy.maxDelayMs,
    multiplier: policy.multiplier,
    immediateFirstRetry: policy.immediateFirstRetry,
    jitter: policy.jitter,
    jitterAmount: policy.jitterAmount,
    maxFreeWaits: policy.maxFreeWaits,
    maxFreeWaitMs: policy.maxFreeWaitMs,
    ...(policy.delaysMs === undefined ? {} : { delaysMs: policy.delaysMs }),
  };
  return { hash, id: policy.id, policy: decisive };
}
