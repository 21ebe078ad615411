import type { Breaker } from '../breaker/breaker.ts';
import { type CircuitBreakers, circuitBreakers } from '../breaker/breakers.ts';
import type { Bulkhead } from '../bulkhead/bulkhead.ts';
import type { Classification } from '../classify/classification.ts';
import { systemClock } from '../clock/system-clock.ts';
import { definePolicy } from '../policy/define-policy.ts';
import type { Policy, ResolvedPolicy } from '../policy/policy.ts';
import type { EventSink } from '../records/record.ts';
import type { Operation } from '../run/attempt-context.ts';
import { run as runCall } from '../run/retry.ts';
import { checkNames, type RetryOptions } from '../run/retry-options.ts';

/** The parts of a pipeline. Its layers, from the outside in: deadline, fallback, retry, bulkhead, breaker, timeout. */
export interface PipelineOptions<F = never>
  extends Pick<
    RetryOptions,
    'budget' | 'clock' | 'events' | 'killSwitch' | 'ledger' | 'onRetry' | 'operation'
  > {
  /** Retry, and where it says so deadline (`ttlMs`), timeout (`attemptTimeoutMs`) and breaker. Default: the defaults. */
  readonly policy?: Policy;
  /**
   * Answers instead of an error, unless the caller aborted. Has what is left of the deadline; when that is nothing, only
   * what it answers at once counts. Default: none.
   */
  readonly fallback?: (error: unknown) => F | PromiseLike<F>;
  /** Bounds how many attempts run at once over all calls. Default: none. */
  readonly bulkhead?: Bulkhead;
  /** Default: where the policy enables it, the one that all pipelines of its dependency (else its id) share. */
  readonly breaker?: Breaker;
  /** Makes spans and metrics of all calls, instead of `events`: `openTelemetry()` of `@redrive/telemetry`. Default: none. */
  readonly telemetry?: CallTelemetry;
  /** Where breakers are looked up. Default: one registry per process. */
  readonly breakers?: CircuitBreakers;
}

/** Observes calls. */
export interface CallTelemetry {
  readonly events: EventSink;
  /** An operation whose attempts run inside their spans. */
  call<T>(operation: Operation<T>): Operation<T>;
}

/** Options of one call. */
export type CallOptions = Omit<RetryOptions, 'breaker' | 'bulkhead'>;

/** Layers built once and run often. */
export interface Pipeline<F = never> {
  readonly policy: ResolvedPolicy;
  run<T>(operation: Operation<T>, options?: CallOptions): Promise<T | F>;
}

/** An error of a fallback is thrown as it is. */
const FINAL: Classification = { errorClass: 'final', effect: 'unknown' };

/** All names; a test compares them with the interface. */
export const PIPELINE_OPTIONS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'policy fallback bulkhead breaker breakers telemetry budget clock events killSwitch ledger onRetry operation'.split(
    ' ',
  ),
);

let sharedBreakers: CircuitBreakers | undefined;

/**
 * Builds a pipeline. The order of its layers is fixed, because most other orders are mistakes: a retry inside the
 * breaker hides failures from it, a bulkhead outside the retry holds a slot while nothing runs.
 *
 * ```ts
 * const payments = pipeline({
 *   policy: { dependency: 'payments', enableCircuitBreaker: true, attemptTimeoutMs: 2_000, ttlMs: 10_000 },
 *   fallback: () => 'queued',
 * });
 * const receipt = await payments.run(({ signal }) => charge(order, signal));
 * ```
 */
export function pipeline<F = never>(options: PipelineOptions<F> = {}): Pipeline<F> {
  checkNames(options, PIPELINE_OPTIONS, 'pipeline options');
  const policy = definePolicy(options.policy);
  const {
    policy: _,
    fallback,
    breakers,
    breaker = breakerFor(policy, breakers),
    telemetry,
    ...rest
  } = options;
  const shared: RetryOptions = { events: telemetry?.events, ...rest, breaker };
  return {
    policy,
    async run(operation, given) {
      if (given !== undefined) checkNames(given);
      const callOptions = given === undefined ? shared : withShared(given, shared);
      const { clock = systemClock, signal, parent } = callOptions;
      const endMs = policy.ttlMs === Infinity ? Infinity : clock.monotonic() + policy.ttlMs;
      try {
        return await runCall(telemetry?.call(operation) ?? operation, policy, callOptions);
      } catch (error) {
        if (fallback === undefined) throw error;
        const ttlMs = Math.max(1, endMs - clock.monotonic());
        const asItIs = definePolicy({ classify: () => FINAL, ttlMs });
        // Also what keeps it from answering an abort: then nothing is called.
        return runCall(() => fallback(error), asItIs, { clock, signal, parent });
      }
    },
  };
}

/** The pipeline's options fill those that a call leaves undefined. Layers are the pipeline's. */
function withShared(given: CallOptions, shared: RetryOptions): RetryOptions {
  const missing = Object.entries(shared).filter(([name]) => Reflect.get(given, name) === undefined);
  const { bulkhead, breaker } = shared;
  return { ...given, ...Object.fromEntries(missing), bulkhead, breaker };
}

function breakerFor(
  policy: ResolvedPolicy,
  breakers: CircuitBreakers | undefined,
): Breaker | undefined {
  if (!policy.enableCircuitBreaker) return undefined;
  sharedBreakers ??= circuitBreakers();
  const {
    dependency,
    id,
    circuitBreakerThreshold: threshold,
    circuitBreakerTimeoutMs: timeoutMs,
  } = policy;
  return (breakers ?? sharedBreakers).for(dependency || id, { threshold, timeoutMs });
}
