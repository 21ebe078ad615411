import type { Breaker } from '../breaker/breaker.ts';
import type { Clock } from '../clock/clock.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import { type OptionTable, problem, resolveOptions, shownValue } from '../fields/check-fields.ts';
import { aClock, aKillSwitch, aOnceLedger, aSink } from '../fields/rules.ts';
import { IdempotencyManager } from '../ledger/idempotency-manager.ts';
import type { OnceLedger } from '../ledger/ledger.ts';
import { memoryLedger } from '../ledger/memory-ledger.ts';
import { pipeline } from '../pipeline/pipeline.ts';
import { definePolicy } from '../policy/define-policy.ts';
import type { Policy, ResolvedPolicy } from '../policy/policy.ts';
import type { EventSink } from '../records/record.ts';
import type { Operation } from '../run/attempt-context.ts';
import type { KillSwitch, RetryOptions } from '../run/retry-options.ts';
import { CATEGORY_POLICIES, findCategory, RetryCategory } from './categories.ts';

export interface RetryManagerOptions {
  /** Policies that replace the built-in ones of their category, field by field. */
  readonly policies?: Readonly<Partial<Record<RetryCategory, Policy>>>;
  /** Categories of one's own with their policies, by code: `{ RETRY_SEARCH_QUERY: { maxAttempts: 2 } }`. Default: none. */
  readonly categories?: Readonly<Record<string, Policy>>;
  /** Where results are kept by idempotency key. Default: in memory, which is for tests: it forgets at a restart. */
  readonly ledger?: OnceLedger;
  /** Where audit records go. */
  readonly events?: EventSink;
  /** Ends the retries of all calls while it is engaged. Default: none. */
  readonly killSwitch?: KillSwitch;
  /** Called before each wait of all calls. It is not awaited, and an error that it throws is ignored. Default: none. */
  readonly onRetry?: NonNullable<RetryOptions['onRetry']>;
  readonly clock?: Clock;
}

const OPTIONS: OptionTable<RetryManagerOptions> = {
  policies: [{}],
  categories: [{}],
  ledger: [undefined, aOnceLedger],
  events: [undefined, aSink],
  killSwitch: [undefined, aKillSwitch],
  onRetry: [undefined, { kind: 'function' }],
  clock: [undefined, aClock],
};

/** Options of one call of `executeWithRetry`. */
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
 * const manager = new RetryManager({ categories: { RETRY_SEARCH_QUERY: { maxAttempts: 2 } } });
 * const status = await manager.executeWithRetry('RETRY_KV_GET', 'Get kill switch status', () => kv.get('kill'));
 * const hits = await manager.executeWithRetry('RETRY_SEARCH_QUERY', 'Find orders', () => search('orders'));
 * ```
 */
export class RetryManager {
  readonly idempotencyManager: IdempotencyManager;
  readonly #policies = new Map<string, ResolvedPolicy>();
  readonly #shared: Pick<RetryOptions, 'clock' | 'events' | 'killSwitch' | 'ledger' | 'onRetry'>;

  /**
   * @throws RedriveError `invalid_option` when an option is wrong, `invalid_policy` when one of the given policies is,
   *   `unknown_category` when one of `policies` is for no category.
   */
  constructor(options: RetryManagerOptions = {}) {
    // Plain JavaScript may pass null.
    const given = resolveOptions(
      'retry manager',
      options ?? {},
      OPTIONS,
      'invalid_option',
      notMaps,
    );
    const { policies, categories, clock, events, killSwitch, onRetry } = given;
    const ledger = given.ledger ?? memoryLedger(clock && { clock });
    this.#shared = { clock, events, killSwitch, ledger, onRetry };
    this.idempotencyManager = new IdempotencyManager({
      ledger,
      ...(events && { events }),
      ...(clock && { clock }),
    });
    for (const category of Object.values(RetryCategory)) {
      this.#define(category, { ...CATEGORY_POLICIES[category], ...policies[category] });
    }
    for (const category in policies) this.getPolicy(category);
    for (const [category, policy] of Object.entries(categories)) this.#define(category, policy);
  }

  /** The code is the policy's id; the short name, which people use, its name. */
  #define(category: string, policy: Policy): void {
    const named = { name: category.replace(/^RETRY_/, ''), ...policy, id: category };
    this.#policies.set(category, definePolicy(named));
  }

  /** The policy of a category, by its code or short name. @throws RedriveError `unknown_category`. */
  getPolicy(category: RetryCategory | string): ResolvedPolicy {
    const text = String(Object(category) === category ? '' : category);
    const found =
      this.#policies.get(text) ??
      this.#policies.get(`RETRY_${text}`) ??
      this.#policies.get(findCategory(text) ?? '');
    if (found !== undefined) return found;
    const known = [...this.#policies.keys()];
    throw new RedriveError(
      'unknown_category',
      `No category ${shownValue(category)}; there are ${known.join(', ')}`,
      { category, known },
    );
  }

  /** Runs `run` under the category's policy. `operation` names it in records and errors. */
  async executeWithRetry<T>(
    category: RetryCategory | string,
    operation: string,
    run: Operation<T>,
    options?: ExecuteOptions,
  ): Promise<T> {
    const byCategory = this.getPolicy(category);
    const { policy = byCategory, additionalContext: context, breaker, ...rest } = options ?? {};
    return pipeline({ policy, ...(breaker && { breaker }) }).run(run, {
      ...rest,
      category: byCategory.id,
      operation,
      context,
      ...this.#shared,
    });
  }
}

/** A category that is built in is changed by `policies`: two places for one thing could contradict each other. */
function notMaps({ policies, categories }: Readonly<Record<string, unknown>>) {
  const maps = Object.entries({ policies, categories }).flatMap(([field, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? []
      : [problem(field, 'an object of policies by category', value)],
  );
  const builtIn = Object.keys(Object(categories)).filter((code) => findCategory(code));
  return [
    ...maps,
    ...builtIn.map((code) => ({
      field: 'categories',
      message: `categories.${code} is built in: change it with policies`,
    })),
  ];
}

let shared: RetryManager | undefined;

/**
 * The manager that the whole process shares, created at first use.
 *
 * @param options how to make it. Only for the first call, at the start of the program.
 * @throws RedriveError `invalid_option` when there are options and the manager has been made already.
 */
export function getRetryManager(options?: RetryManagerOptions): RetryManager {
  if (shared !== undefined && options !== undefined) {
    const message =
      'The shared retry manager has been made already, and options come too late; give them to the first call, or use new RetryManager';
    throw new RedriveError('invalid_option', message);
  }
  shared ??= new RetryManager(options);
  return shared;
}
