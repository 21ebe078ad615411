import { type Clock, newId, RedriveError } from '@redrive/core';
import { type OptionTable, refuse, resolveOptions } from '@redrive/core/fields';
import { enqueueBatch, sealBatch, untilBatchEnds } from '../batch/enqueue-batch.ts';
import { DEAD_LETTER_HANDLER } from '../dead-letter/publish-dead-letters.ts';
import { type CheckedHandlers, type Handlers, isElsewhere } from '../handler/handler.ts';
import { type ResolvedHandler, resolveHandlers } from '../handler/resolve-handlers.ts';
import { isFinal, type Job } from '../job/job.ts';
import { resolveSchedule } from '../schedule/resolve-schedule.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { checkStore } from '../store/check-store.ts';
import type { FullStore } from '../store/full-store.ts';
import { ConfiguredPolicies } from '../worker/configured-policies.ts';
import { checkDirect } from '../worker/direct-run.ts';
import { healthOf, StoreTrouble, storeCheck } from '../worker/health.ts';
import { PolicyVersions } from '../worker/policy-versions.ts';
import { Reporter } from '../worker/reporter.ts';
import { makeWorker } from '../worker/worker.ts';
import { WorkerControl } from '../worker/worker-control.ts';
import { cancelJob, notFound, retryJob } from './acts.ts';
import { giveDirectAccess } from './direct-access.ts';
import { Enqueuer } from './enqueuer.ts';
import { handOverTo } from './hand-over.ts';
import { untilIdle } from './idle.ts';
import type { Enqueued, Jobs, JobsOptions, WaitOptions } from './jobs.ts';
import type { JobsTelemetry } from './jobs-telemetry.ts';
import { resolveJobsOptions } from './resolve-jobs-options.ts';
import { Waiters } from './waiters.ts';

/**
 * Durable jobs on a store: enqueue, work, wait.
 *
 * ```ts
 * const store = memoryStore();
 * const jobs = jobsOn(store, { greet: async (name: string) => `Hello, ${name}` });
 * await jobs.start();
 * const job = await jobs.enqueue('greet', 'Ada');
 * console.log(await jobs.wait(job)); // prints: Hello, Ada
 * await jobs.stop();
 * await store.close();
 * ```
 *
 * Nothing runs until `start()`. The store stays the caller's: `stop()` does not close it.
 *
 * @throws RedriveError `invalid_option` with every problem of handlers or options at once.
 */
export function jobsOn<const H extends Handlers>(
  store: FullStore,
  handlers: H & CheckedHandlers<H>,
  given: JobsOptions = {},
): Jobs<H> {
  checkStore('jobs', store);
  const options = resolveJobsOptions(given);
  const { clock, maxPayloadBytes } = options;
  const trouble = new StoreTrouble(clock);
  const reporter = new Reporter(clock, {
    ...options,
    onNotice(notice) {
      trouble.observe(notice);
      return options.onNotice?.(notice);
    },
  });
  const configured = new ConfiguredPolicies(options.policies, reporter.notify);
  const resolved = resolveHandlers(handlers, options, configured);
  const { telemetry } = options;
  const own = new Map(
    [...resolved]
      .filter(([, handler]) => !isElsewhere(handler))
      .map(([name, handler]) => [name, observed(handler, telemetry)]),
  );
  const policies = new PolicyVersions(store, configured, reporter.notify);
  const actor = { name: `app:${options.worker}` };
  const enqueuer = new Enqueuer({
    ...{ store, clock, handlers: resolved, maxPayloadBytes, actor, telemetry },
  });
  const waiters = new Waiters(store, clock);
  // Any read says whether the tables can be used; this one is cheap.
  const prepare = () =>
    options.migrate ? store.migrate() : store.controlRevision().then(() => {});
  const schedules = new Map<string, Schedule>();
  const workers = new WorkerControl(clock, reporter, prepare, () => {
    const named = { ...options, worker: workerName(options.worker, clock) };
    const about = { store, clock, handlers: own, policies, enqueuer, reporter, schedules };
    return makeWorker({ ...about, options: named });
  });
  const checkStoreNow = storeCheck(store, clock, trouble);
  const by = (why: string | undefined) => (why === undefined ? actor : { ...actor, why });

  const handOver = handOverTo({
    store,
    clock,
    enqueuer,
    maxPayloadBytes,
    policies: configured,
    actor,
  });

  async function wait(job: Enqueued | string, waitOptions?: WaitOptions): Promise<unknown> {
    const { timeoutMs, signal } = resolveWaitOptions(waitOptions);
    if (typeof job !== 'string') return waitResult(await waiters.wait(job.id, timeoutMs, signal));
    // A job that was enqueued here exists. An id from elsewhere may not.
    const found = await store.job(job);
    if (found === undefined) throw notFound(job);
    return waitResult(isFinal(found.state) ? found : await waiters.wait(job, timeoutMs, signal));
  }

  const jobs: Jobs<Handlers> = {
    enqueue: (handler, payload, enqueueOptions) =>
      enqueuer.enqueue(handler, payload, enqueueOptions),
    enqueueMany: (handler, payloads, enqueueOptions) =>
      enqueuer.enqueueMany(handler, payloads, enqueueOptions),
    enqueueBatch: (handler, items, batchOptions) =>
      enqueueBatch(
        { store, clock, enqueuer, maxPayloadBytes, actor },
        handler,
        items,
        batchOptions,
      ),
    sealBatch: (id, { tenant = '' } = {}) => sealBatch(store, id, tenant, actor),
    batch: (id) => store.batch(id),
    waitBatch(batch, waitOptions) {
      const { timeoutMs, signal } = resolveWaitOptions(waitOptions);
      const id = typeof batch === 'string' ? batch : batch.id;
      return untilBatchEnds(store, clock, id, timeoutMs, signal);
    },
    prepare: (handler, payload, enqueueOptions) =>
      enqueuer.prepare(handler, payload, enqueueOptions),
    wait,
    job: (id) => store.job(id),
    async cancel(id, why) {
      checkAct('cancel', id, why);
      const isCancelled = await cancelJob(store, id, by(why));
      if (isCancelled) workers.current?.cancel(id);
      return isCancelled;
    },
    async retry(id, why) {
      checkAct('retry', id, why);
      return retryJob(store, id, by(why));
    },
    handOver: telemetry?.handOver(handOver) ?? handOver,
    schedule(name, scheduleOptions) {
      const schedule = resolveSchedule(name, scheduleOptions, clock.now());
      enqueuer.checkHandler(schedule.job.handler);
      schedules.set(name, schedule);
      workers.current?.lookAtSchedules();
    },
    start: () => workers.start(),
    stop: (stopOptions) => workers.stop(stopOptions),
    [Symbol.asyncDispose]: () => workers.stop(),
    isStopped: async ({ queue, handler, tenant = '' }) =>
      (await (await workers.started())?.isStopped({ queue, handler, tenant })) ?? true,
    health: () => healthOf(workers.problem, checkStoreNow),
    async idle() {
      const left = await untilIdle(store, clock, options.queues, () => workers.activity);
      await workers.current?.retainBeforeEnd();
      return { ...reporter.tally, left };
    },
  };
  giveDirectAccess(jobs, {
    onDeadOf: (handler) => enqueuer.onDeadOf(handler),
    expectPublisher({ name: source, publishTo }) {
      if (resolved.has(DEAD_LETTER_HANDLER)) return;
      reporter.notify({ kind: 'dead_letters_unpublished', source, publishTo });
    },
    check(name) {
      enqueuer.checkHandler(name);
      checkDirect(own.get(name));
    },
    begin: (work) => workers.current?.direct({ ...work, tenant: '' }),
  });
  // The same functions; only the names, payloads and results that the compiler knows of are narrower.
  return jobs as unknown as Jobs<H>;
}

/** Its attempts run inside their spans. */
function observed(handler: ResolvedHandler, telemetry: JobsTelemetry | undefined): ResolvedHandler {
  if (telemetry === undefined) return handler;
  const run: ResolvedHandler['run'] = (payload, job) =>
    telemetry.attempt(job.jobId, () => handler.run(payload, job));
  return { ...handler, run };
}

/**
 * The name of one start of a worker: its configured name, and a part that no other start has. A worker takes all leases
 * under its name for its own, and gives back the leases that it does not know: under a shared name it would take jobs
 * away from other workers while they run.
 */
export function workerName(called: string, clock: Clock): string {
  const [, , unique] = newId('', clock).split('_');
  return `${called}-${unique}`;
}

/** Plain JavaScript may pass anything. @throws RedriveError `invalid_option`. */
function checkAct(act: 'cancel' | 'retry', id: unknown, why: unknown): void {
  const wrong = (field: string, value: unknown) =>
    typeof value === 'string'
      ? []
      : [{ field, message: `${field} must be a text, not a value of type ${typeof value}` }];
  refuse('invalid_option', act, [
    ...wrong('id', id),
    ...(why === undefined ? [] : wrong('why', why)),
  ]);
}

const WAIT_OPTIONS: OptionTable<WaitOptions> = {
  timeoutMs: [60_000, { kind: 'number', min: 0, max: Infinity }],
  signal: [undefined],
};

/** @throws RedriveError `invalid_option`. */
function resolveWaitOptions(options: WaitOptions = {}): {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
} {
  return resolveOptions('wait', options, WAIT_OPTIONS, 'invalid_option', ({ signal }) =>
    signal === undefined || signal instanceof AbortSignal
      ? undefined
      : { field: 'signal', message: 'signal must be an AbortSignal' },
  );
}

/** The result of a finished job, for its waiter. @throws RedriveError where it did not succeed. */
function waitResult(job: Job): unknown {
  const { id, handler, state, reason, result, resultOmittedBytes } = job;
  if (state === 'purged') throw notFound(id);
  if (state !== 'succeeded') {
    const error = job.attempts.kept.at(-1)?.error;
    const lastError = error && { type: error.type, message: error.message };
    throw new RedriveError(
      'job_failed',
      `Job ${id} of ${handler} is ${state}: ${reason}${error ? ` (${error.message})` : ''}`,
      { id, state, reason, lastError },
    );
  }
  if (resultOmittedBytes !== undefined) {
    throw new RedriveError(
      'payload_too_large',
      `Job ${id} of ${handler} succeeded, but its result of ${resultOmittedBytes} bytes was too large to be kept`,
      { id, bytes: resultOmittedBytes },
    );
  }
  return result === undefined ? undefined : JSON.parse(result);
}
