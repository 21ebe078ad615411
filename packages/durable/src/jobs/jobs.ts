import type { Breaker, Clock, EventSink, HandOver, Policy, RetryBudgets } from '@redrive/core';
import type { CountedBatch } from '../batch/batch.ts';
import type { QueueRates } from '../control/claim-rates.ts';
import type { StoppedJobs } from '../control/stopped-jobs.ts';
import type { BreakerSettings } from '../control/unreported-outcomes.ts';
import type { Handlers, PayloadOf, ResultOf } from '../handler/handler.ts';
import type { Job } from '../job/job.ts';
import type { LogLevel, WorkerLogger } from '../log/worker-log.ts';
import type { ScheduleOptions } from '../schedule/schedule.ts';
import type { EnqueueCommand } from '../store/commands.ts';
import type { JobsHealth } from '../worker/health.ts';
import type { Notice } from '../worker/notice.ts';
import type { JobsTelemetry } from './jobs-telemetry.ts';

/** The arguments of `enqueue` after the handler's name. The payload may be left out where the handler takes `undefined`. */
export type PayloadAndOptions<P> = undefined extends P
  ? [payload?: P, options?: EnqueueOptions]
  : [payload: P, options?: EnqueueOptions];

/**
 * Durable jobs on a store: enqueue, work, wait, act. Made by `jobsOn(store, handlers, options)`; nothing runs until
 * `start()`, so a process that only enqueues never calls it.
 */
export interface Jobs<H extends Handlers> {
  /** Stores one job. When it resolves, the job is safe. @throws RedriveError `invalid_job`, `payload_too_large`, `unknown_handler`, `unique_conflict`, `idempotency_conflict`, `store_unavailable`. */
  enqueue<K extends keyof H & string>(
    handler: K,
    ...payloadAndOptions: PayloadAndOptions<PayloadOf<H[K]>>
  ): Promise<Enqueued<K>>;
  /**
   * Stores many jobs of one handler in one commit: all or none. At most 10,000 with 64 MiB of payloads at a time. The
   * options are the same for all, or come from a function that is called for each payload:
   *
   * ```ts no-run
   * await jobs.enqueueMany('mail', users, (user) => ({ uniqueKey: user.id }));
   * ```
   */
  enqueueMany<K extends keyof H & string>(
    handler: K,
    payloads: readonly PayloadOf<H[K]>[],
    options?: EnqueueManyOptions<PayloadOf<H[K]>>,
  ): Promise<readonly Enqueued<K>[]>;
  /**
   * Stores jobs of one handler that belong together, any number of them, 1,000 in one commit, and seals the batch. Its
   * progress is that of all its jobs; `then` runs once when all of them have finished. A call that did not end, because
   * the process was killed, is repeated with the same `id` and items: it stores the items that are missing.
   *
   * ```ts
   * const store = memoryStore();
   * const jobs = jobsOn(store, {
   *   page: async (n: number) => n,
   *   report: async ({ counts }: BatchEnd) => `${counts.succeeded} pages`,
   * });
   * await jobs.start();
   * const batch = await jobs.enqueueBatch('page', [1, 2, 3], { id: 'book-7', then: { handler: 'report' } });
   * await jobs.waitBatch(batch);
   * console.log(await jobs.wait('batch:book-7:then')); // prints: 3 pages
   * await jobs.stop();
   * await store.close();
   * ```
   *
   * @throws RedriveError as `enqueueMany`; `idempotency_conflict`: another batch, or an item with another payload, has
   *   the id; `batch_closed`: the batch is sealed, and this item is new.
   */
  enqueueBatch<K extends keyof H & string>(
    handler: K,
    items: Iterable<PayloadOf<H[K]>> | AsyncIterable<PayloadOf<H[K]>>,
    options?: BatchOptions<keyof H & string>,
  ): Promise<EnqueuedBatch>;
  /** Seals a batch that was opened with `seal: false`: it takes no further jobs. @throws RedriveError `batch_not_found`. */
  sealBatch(id: string, options?: { readonly tenant?: string }): Promise<void>;
  /** The batch and the number of its jobs in each state. */
  batch(id: string): Promise<CountedBatch | undefined>;
  /**
   * The batch, once it has ended: all its jobs are finished, also dead ones, and `then` is enqueued. @throws RedriveError
   * `batch_not_found`, `wait_timeout`.
   */
  waitBatch(batch: EnqueuedBatch | string, options?: WaitOptions): Promise<CountedBatch>;
  /**
   * The checked command of an enqueue, without carrying it out: for `enqueueIn` of the stores' packages, which does it in
   * the caller's own transaction.
   */
  prepare<K extends keyof H & string>(
    handler: K,
    ...payloadAndOptions: PayloadAndOptions<PayloadOf<H[K]>>
  ): EnqueueCommand;
  /**
   * The value that the job's handler returned, once it is finished. @throws RedriveError `job_failed` when it is dead or
   * cancelled (`details` has state, reason and last error), `wait_timeout`, `job_not_found`, and `payload_too_large`
   * when the job succeeded with a result that was too large to be kept.
   */
  wait<K extends keyof H & string>(
    job: Enqueued<K> | string,
    options?: WaitOptions,
  ): Promise<ResultOf<H[K]>>;
  job(id: string): Promise<Job | undefined>;
  /** Cancels a job that waits; aborts the signal of one that runs. `false`: it was finished already. */
  cancel(id: string, why?: string): Promise<boolean>;
  /** Sends it again now: a dead or cancelled job as a new generation, a scheduled or parked one before its time. */
  retry(id: string, why?: string): Promise<boolean>;
  /** For `retry(fn, policy, { handOver: { to: jobs.handOver, handler, payload } })`: a long wait goes on as a job. */
  readonly handOver: HandOver;
  /**
   * Enqueues a job at every tick of a schedule, while this process or another one that declares it works. Each tick has one
   * job, however many processes there are: its id is the name and the tick (`nightly@2026-11-16T03:00:00Z`). A schedule that
   * is new, or whose times have changed, begins with the next tick. A kill switch or a pause over its jobs stops it.
   *
   * ```ts
   * const store = memoryStore();
   * const jobs = jobsOn(store, { report: async (kind: string) => console.log(kind) });
   * jobs.schedule('nightly', {
   *   handler: 'report',
   *   payload: 'sales',
   *   cron: '0 3 * * *',
   *   timeZone: 'Europe/Berlin',
   * });
   * jobs.schedule('pulse', { handler: 'report', payload: 'pulse', everyMs: 60_000 });
   * await jobs.start();
   * await jobs.stop();
   * await store.close();
   * ```
   *
   * @throws RedriveError `invalid_option` with every problem at once; `unknown_handler`, `payload_too_large`.
   */
  schedule<K extends keyof H & string>(name: string, options: ScheduleOptions<H, K>): void;
  /**
   * Starts working: claims, heartbeats, rescue of expired leases, retention. First it makes the store's tables, or brings
   * them up to date, unless `migrate` is `false`; it rejects where it cannot.
   */
  start(): Promise<void>;
  /**
   * Stops working; you can still enqueue. Resolves when no job runs here any more. Safe to call twice; a second call may be
   * stricter. `await using` calls it.
   */
  stop(options?: StopOptions): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
  /**
   * Whether a kill switch or a pause covers work of this queue, handler and tenant: for code that takes work from
   * elsewhere, such as a consumer of a broker. `true` also while no worker runs here, and while the store does not answer
   * within a second; while the worker starts, it waits for it. Default of `tenant`: none.
   */
  isStopped(work: {
    readonly queue: string;
    readonly handler: string;
    readonly tenant?: string;
  }): Promise<boolean>;
  /**
   * Whether the worker of this process can work, for a probe of an orchestrator. It answers within about two seconds; calls
   * at the same time share one check of the store. Not ready before `start()`, while the store does not answer or takes no
   * writes, and from `stop()` on.
   *
   * ```ts
   * const store = memoryStore();
   * const jobs = jobsOn(store, { greet: async (name: string) => console.log(name) });
   * console.log((await jobs.health()).checks[0]); // prints: { name: 'worker', problem: 'not started' }
   * await jobs.start();
   * console.log((await jobs.health()).ready); // prints: true
   * await jobs.stop();
   * await store.close();
   * ```
   */
  health(): Promise<JobsHealth>;
  /**
   * Resolves when nothing is ready, scheduled, parked or leased in the store, or only jobs that a kill switch or a pause
   * stops: `left` has them. A worker of this process whose retention has not run yet deletes first what is due, for a minute
   * at most.
   */
  idle(): Promise<IdleReport>;
}

export interface Enqueued<K extends string = string> {
  readonly id: string;
  readonly handler: K;
  /** `existing`: this job has the id or the unique key. */
  readonly outcome: 'created' | 'existing' | 'replaced';
}

export interface EnqueueOptions {
  /**
   * An id of yours: as long as the job is kept (`retention`), its id is never run again. The same enqueue again resolves with
   * that job, finished or not; another handler or payload throws `idempotency_conflict`. Each tenant has ids of its own.
   * At most 200 characters. Default: an id that Redrive makes. `jobIdOf(id, tenant)` is the id of the job.
   */
  readonly id?: string;
  /** Default `default`. */
  readonly queue?: string;
  /** Default `""`: none. */
  readonly tenant?: string;
  /** -1,000 to 1,000, higher first. Default 0. */
  readonly priority?: number;
  /** Not before this time. Default: at once. */
  readonly runAt?: Date;
  /** Runs after this number of milliseconds at the earliest. Not together with `runAt`. */
  readonly delayMs?: number;
  /** No attempt starts after this time. Default: none. The policy's `ttlMs` counts too. */
  readonly deadline?: Date;
  /** At most 32, each at most 100 characters. */
  readonly tags?: readonly string[];
  /**
   * At most 64, together at most 16 KiB. For where it comes from and what it is about: what looks like a secret, by its
   * name or its shape, is masked before it is stored, and the handler gets it masked too. What it needs belongs in the
   * payload, or in its own configuration.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** At most one unfinished job has this key. At most 512 characters. It can be used again when the job has finished. */
  readonly uniqueKey?: string;
  /** A unique key that also counts for a time after the submission of its job. Not together with `uniqueKey`. */
  readonly unique?: UniqueFor;
  /** How to answer when a job has the unique key. Default `existing`: with that job. `replace` refuses a job of another handler or tenant, and cannot be used with `id`. */
  readonly onConflict?: 'existing' | 'refuse' | 'replace';
  /** Id of an open batch of the tenant, which then counts the job. */
  readonly batch?: string;
  /** Jobs of the handler with this key share its `limitPerKey`. */
  readonly limitKey?: string;
  /** Rates by `key` count the job under it, apart for each tenant. */
  readonly rateKey?: string;
  /**
   * Instead of the handler's policy: the name of one, which is looked up at every claim, or a policy for this job alone. Such
   * a policy has core's defaults, is stored with the job as it is now, and has no functions.
   */
  readonly policy?: string | Policy;
  /** Attempts that count, the first one included, instead of those of its policy. Default: the policy's. */
  readonly maxAttempts?: number;
  /**
   * The key that the handler gets as `context.idempotencyKey`, to make an effect of the job happen once. It does not keep
   * a second job from being enqueued: `id`, `uniqueKey` and `unique` do. At most 512 characters. Default: the job's id.
   */
  readonly idempotencyKey?: string;
  readonly correlationId?: string;
  readonly traceId?: string;
}

/** A unique key for a time. */
export interface UniqueFor {
  /** At most 512 characters. The whole store has one set of keys, with those of `uniqueKey`. */
  readonly key: string;
  /**
   * A later enqueue that names the key in `unique` finds this job, finished, purged or deleted, for so many milliseconds
   * after its submission by the store's clock; and as long as it is unfinished. 1 to 31,622,400,000, which are 366 days.
   */
  readonly forMs: number;
}

/** The options of an `enqueueMany`: the same for all jobs, or a function that returns the options of each job. */
export type EnqueueManyOptions<P> =
  | SharedOptions
  | ((payload: P, index: number) => OptionsOfOne | undefined);

/** Jobs of one `enqueueMany` cannot share a key that belongs to one job. */
export type SharedOptions = Omit<
  EnqueueOptions,
  'id' | 'uniqueKey' | 'unique' | 'onConflict' | 'idempotencyKey'
>;

/** The options of one job among many. None can be refused by itself: all jobs are stored, or none. */
export interface OptionsOfOne extends Omit<EnqueueOptions, 'onConflict' | 'batch'> {
  readonly onConflict?: 'existing' | 'replace';
}

/** The options of `enqueueBatch`: those of the batch, and those that all its jobs share. */
export interface BatchOptions<Handler extends string = string>
  extends Omit<SharedOptions, 'batch'> {
  /**
   * An id of yours, for the whole store, without quotes and backslashes: the same call again continues the batch, and
   * changes nothing if it is complete. At most 200 characters. Default: an id that Redrive makes.
   */
  readonly id?: string;
  /** The job that runs once when all jobs have finished, also if some are dead or cancelled. Its payload is a `BatchEnd`. */
  readonly then?: BatchThen<Handler>;
  /** `false`: the batch stays open, and takes jobs by `batch` of any enqueue, until `sealBatch`. Default `true`. */
  readonly seal?: boolean;
}

export interface BatchThen<Handler extends string = string> {
  readonly handler: Handler;
  /** Any JSON, for `data` of the payload. */
  readonly data?: unknown;
  /** Default `default`. */
  readonly queue?: string;
  /** Default 0. */
  readonly priority?: number;
}

export interface EnqueuedBatch {
  readonly id: string;
  /** The items of this call. */
  readonly items: number;
}

export interface WaitOptions {
  /** Default 60,000. `Infinity`: as long as it takes. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface StopOptions {
  /** `finish`: running attempts may finish. `release`: they are aborted and given back, uncharged. Default `finish`. */
  readonly mode?: 'finish' | 'release';
  /** After this time, attempts that still run are released, and after two more seconds abandoned. Default 30,000. */
  readonly graceMs?: number;
}

export interface IdleReport {
  /** Jobs that died while this worker ran. */
  readonly died: number;
  readonly succeeded: number;
  /** Unfinished jobs that a kill switch or a pause stops. */
  readonly left: readonly StoppedJobs[];
}

/** Other breakers than the shared ones, or shared ones with other settings than the policy's. */
export interface JobBreakers {
  /**
   * Asked at every claim. `key`: the dependency, or the policy's id where none is named. A breaker is one of this process
   * alone, and a `CircuitBreakers` registry answers with such ones. Settings are for the shared one; so is `undefined`,
   * and so is an error.
   */
  for(key: string, settings: BreakerSettings): Breaker | Partial<BreakerSettings> | undefined;
}

export interface JobsOptions {
  /**
   * Names this worker in leases and records. Each start adds a part of its own, so several processes may have the same
   * name. Default: host and process id.
   */
  readonly worker?: string;
  /** Jobs that run at once in this process. Default 10. */
  readonly concurrency?: number;
  /**
   * Whether `start()` makes the store's tables and brings them up to date. Default `true`. `false`: somebody else does
   * (`redrive store migrate`), with rights that this process need not have; `start()` then rejects with `store_not_found`
   * or `schema_too_old` until it is done.
   */
  readonly migrate?: boolean;
  /** Only jobs of these queues. Default: all. */
  readonly queues?: readonly string[];
  /** Rates of queues, by the queue's name: as `rate` of a handler; all jobs of the queue count together by default. */
  readonly queueRates?: QueueRates;
  /** How long a job stays taken without a sign of life. Default 30,000; heartbeats come every third of it. */
  readonly leaseMs?: number;
  /** Poll of an idle worker, behind the store's notifications. Default 1,000. */
  readonly pollMs?: number;
  /** How often expired leases are looked for, and parked jobs that this process does not know. Default 5,000. */
  readonly sweepMs?: number;
  /** Largest payload that is accepted. Default 1 MiB. */
  readonly maxPayloadBytes?: number;
  /** Largest result that is kept. Default 1 MiB. */
  readonly maxResultBytes?: number;
  /**
   * The longest time for which a Retry-After closes the gate of its dependency: a hint of a year is an error or an
   * attack. The job that got it waits for as long as its policy lets it. Default 3,600,000, an hour; 0: no gates close.
   */
  readonly maxGateMs?: number;
  /**
   * Finds the policies that handlers and jobs name. Asked at every claim, so a reload reaches what waits. The answer goes
   * through `definePolicy`; where it is wrong, or the function throws, the notice `invalid_policy` says so and the last
   * good policy of that name stays in force.
   */
  readonly policies?: (id: string) => Policy | undefined;
  /**
   * For policies with `enableCircuitBreaker`. Default: breakers that all processes on the store share, with the policy's
   * settings.
   */
  readonly breakers?: JobBreakers;
  /** For policies with a `dependency`. Default: the process's budgets. Where it throws, there is none. */
  readonly budgets?: Pick<RetryBudgets, 'for'>;
  readonly retention?: RetentionOptions;
  /** Gets a record of every attempt and session. */
  readonly events?: EventSink;
  /** Makes spans and metrics of jobs: `openTelemetry()` of `@redrive/telemetry`. Default: none. */
  readonly telemetry?: JobsTelemetry;
  /**
   * The worker's log about itself, its store and its jobs. `warn`: warnings and errors, as warnings of the process
   * (`process.emitWarning`) with the event as their code, each kind once a minute at most. `info`: also lines at info, on
   * stderr, two per attempt. `off`: nothing. Or a logger with `info`, `warn` and `error`, such as one of pino: it gets
   * every line. Default `warn`; with `onNotice` `off`.
   */
  readonly log?: LogLevel | WorkerLogger;
  /** Called with events that are worth a line in a log: lost leases, refused writes, an unreachable store. */
  readonly onNotice?: (notice: Notice) => void;
  /** Default: the system's. For tests: give the store the same one. */
  readonly clock?: Clock;
}

/** How long finished jobs are kept, in milliseconds from the time at which they finished. `Infinity`: for ever. */
export interface RetentionOptions {
  /** Default 7 days. */
  readonly succeededMs?: number;
  /** Default 7 days. */
  readonly cancelledMs?: number;
  /** Default 90 days. */
  readonly deadMs?: number;
  /** Time after a purge in which jobs can be restored. Default 7 days. */
  readonly purgedMs?: number;
  /**
   * Blocks of the audit log are compressed this long after their seal. Nothing is deleted. Default 7 days;
   * `Infinity`: never.
   */
  readonly uncompressedAuditMs?: number;
  /**
   * Gets dead letters whose time is over, the oldest first, at most 50 at once; they are deleted when it has resolved,
   * and not before. When it rejects, or takes longer than a minute, they stay, and it is asked again a minute later. It
   * may get a letter twice, by a crash, by being late or by two workers: the job's id and `account.generation` show it.
   * Default: none, they are deleted.
   */
  readonly archive?: ((letters: readonly Job[]) => Promise<void>) | undefined;
}
