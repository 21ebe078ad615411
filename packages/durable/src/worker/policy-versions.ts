import {
  type Classifier,
  type ClassifyRules,
  definePolicy,
  type ResolvedPolicy,
} from '@redrive/core';
import { hashPolicy } from '@redrive/core/records';
import type { DecisionPolicy } from '@redrive/core/stored';
import { httpFailures } from '../handler/handler-errors.ts';
import { DEFAULT_POLICY_ID, type ResolvedHandler } from '../handler/resolve-handlers.ts';
import { EVENTS_DEFAULT, RUNS_DEFAULT } from '../handler/runs-default.ts';
import type { Job } from '../job/job.ts';
import { resolveJobPolicy } from '../job/job-policy.ts';
import type { Store, StoredPolicy } from '../store/store.ts';
import type { ConfiguredPolicies } from './configured-policies.ts';
import type { Notice } from './notice.ts';

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
      classify: [...classifiersOf(classify), httpFailures],
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

/** Older ones are forgotten, and made known again when they are used again. */
const MAX_VERSIONS = 1_000;

/**
 * The policies in force. Those with a name are looked up anew for every claim, so that a reload reaches what waits; each
 * version is made known to the store before the first attempt that goes by it is written there.
 */
export class PolicyVersions {
  readonly #store: Store;
  readonly #configured: ConfiguredPolicies;
  readonly #notify: (notice: Notice) => void;
  readonly #byHash = new Map<string, PolicyVersion>();
  /** The last one that was found under a name, for when it is taken away. */
  readonly #lastKnown = new Map<string, ResolvedPolicy>();
  readonly #missing = new Set<string>();
  /** Policies with another number of attempts, by version and number. */
  readonly #limited = new Map<string, ResolvedPolicy>();
  #unregistered: PolicyVersion[] = [];

  constructor(store: Store, configured: ConfiguredPolicies, notify: (notice: Notice) => void) {
    this.#store = store;
    this.#configured = configured;
    this.#notify = notify;
  }

  /** The policy version of a claim for this handler now. */
  ofHandler({ name, policy }: ResolvedHandler): PolicyVersion {
    return this.#know(typeof policy === 'string' ? this.#named(policy, name) : policy);
  }

  /** The policy version of an attempt: the job's own policy or the one that it names, else the version of its claim. */
  ofJob(job: Job, handler: ResolvedHandler): PolicyVersion {
    const own = this.#ownOf(job);
    return own ?? this.#limitedBy(this.#namedOf(job, handler), job);
  }

  /** The same for a handler that is not known here, from the policy of its claim, as the store has it. */
  ofUnknownHandler(job: Job, { id, policy }: StoredPolicy): PolicyVersion {
    return this.#ownOf(job) ?? this.#limitedBy(versionOf(definePolicy({ ...policy, id })), job);
  }

  /** The version with the job's own number of attempts, if it has one. */
  #limitedBy(version: PolicyVersion, { maxAttempts }: Pick<Job, 'maxAttempts'>): PolicyVersion {
    if (maxAttempts === undefined || maxAttempts === version.policy.maxAttempts) return version;
    const key = `${version.hash} ${maxAttempts}`;
    const known = this.#limited.get(key);
    if (known !== undefined) return this.#know(known);
    const policy = definePolicy({ ...version.policy, maxAttempts });
    if (this.#limited.size >= MAX_VERSIONS) this.#limited.clear();
    this.#limited.set(key, policy);
    return this.#know(policy);
  }

  #ownOf({ id, ownPolicy }: Job): PolicyVersion | undefined {
    if (ownPolicy === undefined) return undefined;
    try {
      return this.#know(resolveJobPolicy(ownPolicy));
    } catch (error) {
      // Another version of Redrive may know fields that this one does not.
      this.#notify({ kind: 'invalid_policy', policy: `of job ${id}`, error });
      return undefined;
    }
  }

  #namedOf({ policyId, lease, origin }: Job, handler: ResolvedHandler): PolicyVersion {
    const claimed = this.#byHash.get(lease?.policyHash ?? '') ?? this.ofHandler(handler);
    if (policyId === undefined) {
      if (origin?.rung !== 'event' || handler.policy !== DEFAULT_POLICY_ID) return claimed;
      return this.ofEvent(handler);
    }
    const named = this.#configured.get(policyId);
    if (named !== undefined) return this.#know(named);
    this.#notifyMissing(policyId, handler.name);
    return claimed;
  }

  /** The policy of events, unless the handler names another one. */
  ofEvent(handler: ResolvedHandler): PolicyVersion {
    if (handler.policy !== DEFAULT_POLICY_ID) return this.ofHandler(handler);
    return this.#know(this.#configured.get(EVENTS_DEFAULT.id) ?? EVENTS_DEFAULT);
  }

  /** Whether the store knows every version. */
  get isRegistered(): boolean {
    return this.#unregistered.length === 0;
  }

  /** Makes the new versions known to the store. */
  async register(): Promise<void> {
    const added = this.#unregistered;
    await this.#store.registerPolicies(added.map(storedPolicy));
    this.#unregistered = this.#unregistered.filter((version) => !added.includes(version));
  }

  #named(id: string, handler: string): ResolvedPolicy {
    const found = this.#configured.get(id);
    if (found !== undefined) {
      this.#lastKnown.set(id, found);
      return found;
    }
    if (id !== DEFAULT_POLICY_ID) this.#notifyMissing(id, handler);
    return this.#lastKnown.get(id) ?? RUNS_DEFAULT;
  }

  #know(policy: ResolvedPolicy): PolicyVersion {
    const version = versionOf(policy);
    if (!this.#byHash.has(version.hash)) {
      if (this.#byHash.size >= MAX_VERSIONS) this.#byHash.clear();
      this.#unregistered.push(version);
    }
    this.#byHash.set(version.hash, version);
    return version;
  }

  /** Once: it would be said for every job otherwise. */
  #notifyMissing(policy: string, handler: string): void {
    // It is there, but it is wrong: that has been said.
    if (this.#configured.problemOf(policy) !== undefined) return;
    const key = JSON.stringify([policy, handler]);
    if (this.#missing.has(key)) return;
    if (this.#missing.size >= MAX_VERSIONS) this.#missing.clear();
    this.#missing.add(key);
    this.#notify({ kind: 'unknown_policy', policy, handler });
  }
}
