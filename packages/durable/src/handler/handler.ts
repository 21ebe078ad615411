import type { Policy } from '@redrive/core';
import type { Rates } from '../control/rules/rate-options.ts';
import type { JobContext } from './job-context.ts';
import type { OneOfMany, RunMany } from './take-many.ts';
import type { Verdict } from './verdict.ts';

/**
 * Does the work of one job. Its return value is stored as the result (as JSON); the policy classifies an error that it
 * throws. Instead of a value it may return a verdict: `retryAfter`, `final`, `cancel` or `deadLetter`.
 *
 * Runs at least once: after a crash or a lost lease it runs again. If a second effect would do harm, wrap it in
 * `context.once`, and pass `context.idempotencyKey` or `context.token` on.
 */
export type Handler<P, R> = (payload: P, context: JobContext) => R | Verdict | Promise<R | Verdict>;

export interface HandlerDefinition<P, R> extends HandlerOptions<P> {
  readonly run: Handler<P, R>;
}

/**
 * A handler that does many jobs in one call: of one tenant, and only of those that this process runs at once, so its
 * `concurrency` should be `upTo` or more. Each job is an attempt of its own, with its own result, decision and record.
 *
 * ```ts
 * const store = memoryStore();
 * const jobs = jobsOn(store, {
 *   index: {
 *     runMany: (rows: readonly OneOfMany<string>[]) => rows.map(({ payload }) => payload.length),
 *     upTo: 50,
 *   },
 * }, { concurrency: 50 });
 * await jobs.start();
 * console.log(await jobs.wait(await jobs.enqueue('index', 'cat'))); // prints: 3
 * await jobs.stop();
 * await store.close();
 * ```
 */
export interface ManyHandlerDefinition<P, R> extends HandlerOptions<P> {
  readonly runMany: RunMany<P, R>;
  /** Jobs of one call, at most: 1 to 10,000. Default 100. */
  readonly upTo?: number | undefined;
  /** How long the first job of a call waits for others, 0 to 60,000. It is part of its attempt. Default 20. */
  readonly waitMs?: number | undefined;
}

export interface HandlerOptions<P = unknown> {
  /** A policy, or the name of one that `JobsOptions.policies` knows. Default: `runs.default`. */
  readonly policy?: Policy | string | undefined;
  /**
   * The service that it calls: its jobs share a retry budget, a gate (see `credential`) and, where the policy enables
   * one, a circuit breaker by this name.
   * At most 200 characters, none of them control characters. Default: the policy's `dependency`.
   */
  readonly dependency?: string | undefined;
  /**
   * Names what it shows to its dependency, an account or a key: who uses another one is not held up by a Retry-After
   * that this one got. A name, never the secret itself: it is stored and shown. A function gets the payload and the
   * context; what it throws, or an answer that is not a name, counts as none. Default: none, all share one gate.
   */
  readonly credential?: string | ((payload: P, context: JobContext) => string) | undefined;
  /** Jobs of it that this process runs at once. Default: the process's `concurrency`. */
  readonly concurrency?: number | undefined;
  /** Jobs of it with one `limitKey` that run at once over all processes. Default 1. */
  readonly limitPerKey?: number | undefined;
  /**
   * Limits on its starts, over all processes: `{ limit: 10, perMs: 1_000 }`, a list, or a function that is asked before
   * every claim. A job above a rate stays `ready`. Its jobs are not claimed ahead of time. Default: none.
   */
  readonly rate?: Rates | undefined;
  /**
   * The decision when it is not known whether an attempt had its effect: after a crash, a timeout, or an error that
   * does not rule it out (most errors do not). Default `retry`. With `dead_letter`, a worker does not claim jobs ahead
   * of time, because a crash would make dead letters of jobs that only waited.
   */
  readonly onUnknown?: 'retry' | 'dead_letter' | undefined;
  /**
   * Running it again for the same job does no harm, be it that all its effects go through `context.once`. So
   * `onUnknown: 'dead_letter'` never applies. Default `false`.
   */
  readonly idempotent?: boolean | undefined;
  /**
   * Finds out whether an earlier attempt with an unknown effect had it. `applied`: the job is done; `none`: it runs.
   * Asked before an attempt that follows an unknown effect, if there is one.
   */
  readonly probe?: ((payload: P, context: JobContext) => Promise<'applied' | 'none'>) | undefined;
  /**
   * An attempt that reports no other progress (`context.progress`) for this long has stalled: the worker logs it, and
   * `redrive status` names it. It is looked for with each heartbeat, so a stall is seen up to a third of the lease
   * later. Counts from the start of the attempt. Default `Infinity`: never.
   */
  readonly stallAfterMs?: number | undefined;
  /**
   * `interrupt`: the signal of a stalled attempt aborts with `attempt_stalled`, and the attempt counts as failed, as one
   * that took too long (`attempt_timeout`) does. Default `report`: it goes on.
   */
  readonly onStall?: 'report' | 'interrupt' | undefined;
  /**
   * Another handler that gets a job when a job of this one dies, whatever caused it, with the dead letter's envelope as its
   * payload. The job is stored in the transaction of the death, once per death. The name is stored with each job at its
   * enqueue. That handler must not have `onDead` itself.
   */
  readonly onDead?: string | undefined;
}

/** Handlers by name: plain functions, or definitions with options. */
export type Handlers = Readonly<
  Record<
    string,
    // biome-ignore lint/suspicious/noExplicitAny: payload and result are inferred per handler; `unknown` would refuse every function.
    Handler<any, any> | HandlerDefinition<any, any> | ManyHandlerDefinition<any, any>
  >
>;

/**
 * A handler that other processes run, such as `redrive start`: this process enqueues its jobs and can wait for their
 * results, and never claims them. `onDead` is the one option that counts here, because it is stored at the enqueue. The types are those of payload and result; nothing checks them at run time.
 *
 * ```ts
 * const store = memoryStore();
 * const jobs = jobsOn(store, { resize: runsElsewhere<{ image: string }, { width: number }>() });
 * const job = await jobs.enqueue('resize', { image: 'cat.png' });
 * console.log((await jobs.job(job.id))?.state); // prints: ready
 * await store.close();
 * ```
 */
export function runsElsewhere<P = unknown, R = unknown>(
  options: Pick<HandlerOptions, 'onDead'> = {},
): HandlerDefinition<NoInfer<P>, NoInfer<R>> {
  return { ...options, run: elsewhere };
}

/** Whether a handler was made by `runsElsewhere`: no worker of this process may claim its jobs. */
export function isElsewhere({ run }: { readonly run: unknown }): boolean {
  return run === elsewhere;
}

function elsewhere(): never {
  throw new Error('This handler runs in another process'); // Never called: no worker gets it.
}

/** Looks at parameters only: what a handler returns may depend on the type of the jobs that it belongs to. */
export type PayloadOf<H> = H extends (payload: infer P, ...rest: never[]) => void
  ? P
  : H extends { readonly run: (payload: infer P, ...rest: never[]) => void }
    ? P
    : H extends {
          readonly runMany: (jobs: readonly OneOfMany<infer P>[], ...rest: never[]) => unknown;
        }
      ? P
      : never;

/** The type of the handler's result, without verdicts. */
export type ResultOf<H> = H extends (...args: never[]) => infer R
  ? Exclude<Awaited<R>, Verdict>
  : H extends { readonly run: (...args: never[]) => infer R }
    ? Exclude<Awaited<R>, Verdict>
    : H extends { readonly runMany: (...args: never[]) => infer R }
      ? Awaited<R> extends readonly (infer E)[]
        ? Exclude<E, Verdict | Error>
        : never
      : never;

/**
 * Handlers as `jobsOn` takes them: without options that do not exist, and without payloads that the handler would not get
 * as they were enqueued. A function that is generic over handlers takes `H & CheckedHandlers<H>` and calls
 * `jobsOn<H>(store, handlers)`.
 */
export type CheckedHandlers<H> = { readonly [K in keyof H]: CheckedHandler<H[K]> };

type CheckedHandler<D> =
  PayloadOf<D> extends StoredPayload<PayloadOf<D>>
    ? KnownOptions<D>
    : 'Its payload has a type that JSON does not keep: a Date, a Map, a Set or a bigint. Pass a text, a number or a list.';

type KnownOptions<D> = D extends (...args: never[]) => void
  ? unknown
  : {
      readonly [P in Exclude<
        keyof D,
        keyof (HandlerDefinition<unknown, unknown> & ManyHandlerDefinition<unknown, unknown>)
      >]: 'A handler has no such option.';
    };

/** The type of a payload after it was stored as JSON; where it differs, the payload is refused. */
type StoredPayload<P> = unknown extends P
  ? P // `unknown` and `any`: only the value can be checked.
  : P extends string | number | boolean | null | undefined
    ? P
    : P extends Date | bigint
      ? 'not JSON'
      : P extends Uint8Array | { toJSON(key: string): unknown }
        ? P
        : P extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
          ? 'not JSON'
          : P extends object
            ? // `as K` keeps lists from being followed at once, which never ends for `type Json = string | Json[]`.
              { readonly [K in keyof P as K]: StoredPayload<P[K]> }
            : P;
