import type { Breaker } from '../breaker/breaker.ts';
import type { Clock } from '../clock/clock.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import { IdempotencyManager } from '../ledger/idempotency-manager.ts';
import { memoryLedger } from '../ledger/memory-ledger.ts';
import type { OnceLedger } from '../ledger/with-once.ts';
import { definePolicy } from '../policy/define-policy.ts';
import type { Policy, ResolvedPolicy } from '../policy/policy.ts';
import type { EventSink } from '../records/record.ts';
import type { Operation } from '../run/attempt.ts';
import { pipeline } from '../run/pipeline.ts';
import { CATEGORY_POLICIES, findCategory, RetryCategory } from './categories.ts';

export interface RetryManagerOptions {
  /** Policies that replace the built-in ones of their category. */
  readonly policies?: Readonly<Partial<Record<RetryCategory, Policy>>>;
  /** Where results are kept by idempotency key. Default: in memory, which is for tests: it forgets at a restart. */
  readonly ledger?: OnceLedger;
  /** Where audit records go. */
  readonly events?: EventSink;
  readonly clock?: Clock;
}

/** What belongs to one call of `executeWithRetry`. */
export interface ExecuteOptions {
  /** Instead of the category's policy. */
  readonly policy?: Policy;
  readonly idempotencyKey?: string;
  readonly tenantId?: string;
  readonly correlationId?: string;
  readonly traceId?: string;
  readonly additionalContext?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  readonly breaker?: Breaker;
}

/**
 * Retries by category. Each call names a category, whose policy it gets, and an operation; with an idempotency key its
 * effect happens once.
 *
 * ```ts
 * const manager = new RetryManager();
 * const status = await manager.executeWithRetry('RETRY_KV_GET', 'Get kill switch status', () => kv.get('kill'));
 * ```
 */
export class RetryManager {
  readonly idempotencyManager: IdempotencyManager;
  readonly #policies = new Map<string, ResolvedPolicy>();
  readonly #options: RetryManagerOptions;
  readonly #ledger: OnceLedger;

  /** @throws RedriveError `invalid_policy` when one of the given policies is wrong, `unknown_category` when it is for none. */
  constructor(options: RetryManagerOptions = {}) {
    const { clock, events, ledger = memoryLedger(clock && { clock }) } = options;
    this.#options = options;
    this.#ledger = ledger;
    this.idempotencyManager = new IdempotencyManager({
      ledger,
      ...(events && { events }),
      ...(clock && { clock }),
    });
    for (const [name, category] of Object.entries(RetryCategory)) {
      const policy = {
        ...CATEGORY_POLICIES[category],
        name,
        ...options.policies?.[category],
        id: category,
      };
      this.#policies.set(category, definePolicy(policy));
    }
    for (const category in options.policies) this.getPolicy(category);
  }

  /** The policy of a category, by its code or short name. @throws RedriveError `unknown_category`. */
  getPolicy(category: RetryCategory | string): ResolvedPolicy {
    const policy = this.#policies.get(findCategory(category) ?? '');
    if (policy !== undefined) return policy;
    const known = Object.values(RetryCategory);
    throw new RedriveError(
      'unknown_category',
      `No category ${category}; there are ${known.join(', ')}`,
      {
        category,
        known,
      },
    );
  }

  /** Runs `run` under the category's policy. `operation` names it in records and errors. */
  async executeWithRetry<T>(
    category: RetryCategory | string,
    operation: string,
    run: Operation<T>,
    options: ExecuteOptions = {},
  ): Promise<T> {
    const byCategory = this.getPolicy(category);
    const { policy = byCategory, additionalContext: context, breaker, ...rest } = options;
    const { events, clock } = this.#options;
    return pipeline({ policy, ...(breaker && { breaker }) }).run(run, {
      ...rest,
      category: byCategory.id,
      operation,
      context,
      events,
      clock,
      ledger: this.#ledger,
    });
  }
}
