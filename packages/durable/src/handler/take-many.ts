import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, RedriveError, type Timer } from '@redrive/core';
import type { Handler } from './handler.ts';
import type { JobContext } from './job-context.ts';
import type { Verdict } from './verdict.ts';

/** One job of a call of `runMany`. */
export interface OneOfMany<P> {
  readonly payload: P;
  /** Its own: id, attempt, signal, `once`, `progress`. */
  readonly context: JobContext;
}

/** What the jobs of one call share. */
export interface ManyContext {
  readonly handler: string;
  readonly tenant: string;
  /** Aborts when the signal of every job has aborted. */
  readonly signal: AbortSignal;
}

/**
 * Does the work of many jobs of one tenant in one call. Returns one result per job, in the same order: a value, a verdict,
 * or an error, which fails that job alone. What it throws fails all of them.
 */
export type RunMany<P, R> = (
  jobs: readonly OneOfMany<P>[],
  context: ManyContext,
) => readonly (R | Verdict | Error)[] | Promise<readonly (R | Verdict | Error)[]>;

interface TakeManyOptions {
  readonly handler: string;
  readonly upTo: number;
  readonly waitMs: number;
  readonly clock: Clock;
}

/** An attempt that waits for the call, and how it ends. */
interface Waiting extends OneOfMany<unknown> {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Group {
  readonly waiting: Waiting[];
  readonly timer: Timer;
}

/**
 * A handler that gathers the attempts of a process and calls `runMany` for `upTo` of them, or for fewer after `waitMs`. To
 * the worker each one is an attempt like any other, so leases, limits, interruptions and records are those of single jobs.
 */
export function takeMany(
  runMany: RunMany<unknown, unknown>,
  { handler, upTo, waitMs, clock }: TakeManyOptions,
): Handler<unknown, unknown> {
  const groups = new Map<string, Group>();
  // A call belongs to none of its jobs: `currentAttempt()` inside would name one of them.
  const outside = AsyncLocalStorage.snapshot();

  function flush(tenant: string): void {
    const group = groups.get(tenant);
    groups.delete(tenant);
    group?.timer.cancel();
    if (group !== undefined) void outside(call, tenant, group.waiting);
  }

  async function call(tenant: string, all: readonly Waiting[]): Promise<void> {
    const jobs = all.filter(({ context }) => !context.signal.aborted);
    for (const { context, reject } of all) {
      if (context.signal.aborted) reject(context.signal.reason);
    }
    if (jobs.length === 0) return;
    try {
      const given = jobs.map(({ payload, context }) => ({ payload, context }));
      const results: unknown = await runMany(given, manyContext(handler, tenant, given));
      const kept = checkedResults(results, jobs.length);
      for (const [index, job] of jobs.entries()) endWith(job, kept, index);
    } catch (error) {
      for (const { reject } of jobs) reject(error);
    }
  }

  return (payload, context) =>
    new Promise((resolve, reject) => {
      const waiting = { payload, context, resolve, reject };
      const { tenant } = context;
      // A job that may be the cause of crashes takes no others with it.
      if (isRisky(context)) return void outside(call, tenant, [waiting]);
      const group = groups.get(tenant);
      if (group === undefined) {
        const timer = clock.setTimer(waitMs, () => flush(tenant));
        groups.set(tenant, { waiting: [waiting], timer });
      } else group.waiting.push(waiting);
      if ((groups.get(tenant)?.waiting.length ?? 0) >= upTo) flush(tenant);
    });
}

/** The worker's own context of a job says whether it has lost a lease. */
function isRisky(context: JobContext & { readonly isRisky?: boolean }): boolean {
  return context.isRisky === true;
}

/** @throws RedriveError `result_missing`: no list, or more results than jobs, so that nobody knows whose they are. */
function checkedResults(results: unknown, jobs: number): readonly unknown[] {
  if (!Array.isArray(results)) {
    const message = `runMany must return a list with a result for each of its ${jobs} jobs`;
    throw new RedriveError('result_missing', message, { jobs });
  }
  if (results.length > jobs) {
    const message = `runMany returned ${results.length} results for ${jobs} jobs`;
    throw new RedriveError('result_missing', message, { jobs, results: results.length });
  }
  return results;
}

function endWith({ resolve, reject }: Waiting, results: readonly unknown[], index: number): void {
  const result = results[index];
  if (result instanceof Error) reject(result);
  // `undefined` is a result; a gap, or the end of a list that is too short, is none.
  else if (index in results) resolve(result);
  else {
    const message = `runMany returned no result for job ${index + 1} of its list`;
    reject(new RedriveError('result_missing', message, { index }));
  }
}

function manyContext(
  handler: string,
  tenant: string,
  jobs: readonly OneOfMany<unknown>[],
): ManyContext {
  let controller: AbortController | undefined;
  return {
    handler,
    tenant,
    get signal() {
      controller ??= allAborted(jobs);
      return controller.signal;
    },
  };
}

/** A controller that aborts when all jobs have, with the reason of the last one. */
function allAborted(jobs: readonly OneOfMany<unknown>[]): AbortController {
  const controller = new AbortController();
  let left = jobs.length;
  for (const { context } of jobs) {
    const { signal } = context;
    const onAbort = () => {
      left -= 1;
      if (left === 0) controller.abort(signal.reason);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  }
  return controller;
}
