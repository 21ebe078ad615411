import type { Policy } from '@redrive/core';
import { seededRandom } from '@redrive/testkit';
import type { Failure } from '@redrive/testkit/ladder';

export type HandlerName = 'work' | 'call' | 'order';

/** One thing that somebody does to the system. Jobs are named by the order in which they were accepted. */
export type PlanStep =
  | {
      readonly kind: 'enqueue';
      readonly handler: 'work' | 'call';
      readonly jobs: number;
      readonly delayMs: number;
      readonly key?: string;
      readonly deadlineMs?: number;
    }
  | { readonly kind: 'publish'; readonly message: number }
  | { readonly kind: 'document'; readonly document: number }
  | { readonly kind: 'quote'; readonly failures: readonly QuoteFailure[] }
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'crash'; readonly process: string }
  | {
      readonly kind: 'kill';
      readonly scope: 'all' | 'handler';
      readonly mode: 'finish' | 'interrupt';
    }
  | { readonly kind: 'release' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'requeue' }
  | { readonly kind: 'retry' | 'cancel' | 'purge'; readonly job: number }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'look' };

/** How one attempt of a call fails. */
export interface QuoteFailure {
  readonly status: 503 | 429;
  readonly retryAfterMs: number;
}

/** A random system and all that happens to it. */
export interface Plan {
  readonly seed: number;
  readonly processes: number;
  readonly leaseMs: number;
  readonly concurrency: number;
  readonly policies: Readonly<Record<HandlerName | 'quote', Policy>>;
  readonly withEvents: boolean;
  /** Calls go on as jobs when a wait is beyond the horizon of their policy. */
  readonly handsOver: boolean;
  readonly failures: readonly Failure[];
  readonly steps: readonly PlanStep[];
}

const STEPS = 40;

/** The plan of a seed: always the same. */
export function planOf(seed: number): Plan {
  const random = seededRandom(seed);
  const chance = (share: number) => random() < share;
  const between = (min: number, max: number) => Math.floor(min + random() * (max - min + 1));
  const oneOf = <T>(...values: readonly T[]): T => values[between(0, values.length - 1)] as T;

  const policy = (id: string): Policy => {
    const baseDelayMs = between(100, 5_000);
    return {
      id,
      maxAttempts: between(1, 5),
      baseDelayMs,
      maxDelayMs: Math.max(baseDelayMs, between(1_000, 30_000)),
      backoff: oneOf('exponential', 'linear', 'fixed', 'immediate'),
      jitter: oneOf('none', 'full', 'equal', 'decorrelated', 'proportional'),
      ...(chance(0.3) && { attemptTimeoutMs: between(500, 5_000) }),
      ...(chance(0.2) && { maxFreeWaits: between(0, 3) }),
      ...(chance(0.1) && { ttlMs: between(10_000, 120_000) }),
    };
  };
  const guarded: Policy = {
    ...policy('call'),
    dependency: 'api',
    ...(chance(0.6) && {
      enableCircuitBreaker: true,
      circuitBreakerThreshold: between(1, 5),
      circuitBreakerTimeoutMs: between(1_000, 20_000),
    }),
  };
  const leaseMs = between(2_000, 10_000);
  const processes = between(1, 3);
  const withEvents = chance(0.4);
  const handlers = ['work', 'call', ...(withEvents ? ['order'] : [])];
  const ports = [
    'store.apply',
    'store.heartbeat',
    'store.pulse',
    ...(withEvents
      ? ['bus.publish', 'documents.claim', 'documents.settle', 'ledger.complete']
      : []),
  ];

  const failure = (): Failure => {
    const isPort = chance(0.3);
    const at = isPort ? oneOf(...ports) : oneOf(...handlers);
    const fromMs = between(0, 60_000);
    const when = {
      at,
      when: oneOf('before', 'before', 'after'),
      share: oneOf(0.05, 0.2, 0.5, 1),
    } as const;
    const during = chance(0.5) ? { fromMs, untilMs: fromMs + between(1_000, 90_000) } : {};
    const times = { times: between(1, isPort ? 5 : 20) };
    if (chance(0.2)) return { ...when, ...during, times: between(1, 3), crash: true };
    if (chance(0.2)) return { ...when, ...during, ...times, slowMs: between(100, leaseMs * 2) };
    const error = oneOf('retryable', 'retryable', 'final', 'rate_limited', 'rate_limited');
    const hint =
      error === 'rate_limited' && chance(0.7) ? { retryAfterMs: between(500, 40_000) } : {};
    return { ...when, ...during, ...times, error, ...hint };
  };

  /** Processes that stall: others take their jobs over, and their writes come late. */
  const stalls = (): Failure[] => {
    const fromMs = between(0, 60_000);
    const stall = { fromMs, untilMs: fromMs + 20_000, slowMs: leaseMs * 3, times: between(1, 6) };
    return ['store.heartbeat', 'store.apply'].map((at) => ({ ...stall, at, share: 0.7 }));
  };

  const step = (n: number): PlanStep => {
    const kind = random();
    if (kind < 0.3) {
      return {
        kind: 'enqueue',
        handler: oneOf('work', 'call'),
        jobs: between(1, 4),
        delayMs: chance(0.3) ? between(1, 20_000) : 0,
        ...(chance(0.15) && { key: `key-${between(1, 2)}` }),
        ...(chance(0.15) && { deadlineMs: between(1_000, 60_000) }),
      };
    }
    if (kind < 0.6)
      return { kind: 'advance', ms: oneOf(0, 1, 100, between(1, 5_000), between(1, 30_000)) };
    if (kind < 0.66 && withEvents) return { kind: 'publish', message: between(1, 6) };
    if (kind < 0.7 && withEvents) return { kind: 'document', document: n };
    if (kind < 0.74) {
      const failures = Array.from(
        { length: between(0, 4) },
        (): QuoteFailure => ({
          status: oneOf(503, 429),
          retryAfterMs: chance(0.5) ? between(100, 20_000) : 0,
        }),
      );
      return { kind: 'quote', failures };
    }
    if (kind < 0.78) return { kind: 'crash', process: `p${between(1, processes)}` };
    if (kind < 0.8)
      return { kind: 'kill', scope: oneOf('all', 'handler'), mode: oneOf('finish', 'interrupt') };
    if (kind < 0.82) return { kind: 'release' };
    if (kind < 0.84) return { kind: 'pause' };
    if (kind < 0.86) return { kind: 'resume' };
    if (kind < 0.88) return { kind: 'requeue' };
    if (kind < 0.94) return { kind: oneOf('retry', 'cancel', 'purge'), job: between(0, 20) };
    if (kind < 0.97) return { kind: 'conflict' };
    return { kind: 'look' };
  };

  return {
    seed,
    processes,
    leaseMs,
    concurrency: oneOf(1, 2, 10),
    policies: {
      work: policy('work'),
      call: guarded,
      order: policy('order'),
      quote: policy('quote'),
    },
    withEvents,
    failures: [...Array.from({ length: between(0, 8) }, failure), ...(chance(0.3) ? stalls() : [])],
    steps: Array.from({ length: STEPS }, (_, n) => step(n)),
    handsOver: chance(0.5),
  };
}
