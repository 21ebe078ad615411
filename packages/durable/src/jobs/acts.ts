import { RedriveError } from '@redrive/core';
import type { Job } from '../job/job.ts';
import type { ActCommand, Actor, ActResult } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Store } from '../store/store.ts';

/** Cancels a job that waits, or asks the one that runs to stop. `false`: it was finished already. */
export async function cancelJob(store: Store, id: string, actor: Actor): Promise<boolean> {
  const [result] = await store.apply([{ kind: 'act', act: 'cancel', id, actor }]);
  if (!result.ok && result.refusal === 'not_found') throw notFound(id);
  return result.ok;
}

/** A job may move between the look and the act; more often than this it does not. */
const TRIES = 3;

/** Sends a job again now. `false`: there is nothing to send again. */
export async function retryJob(store: Store, id: string, actor: Actor): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const job = await store.job(id);
    if (job === undefined) throw notFound(id);
    const plan = retryPlan(job);
    if ('refusal' in plan) return false;
    const [result] = await store.apply([{ kind: 'act', act: plan.act, id, actor }]);
    if (result.ok) return true;
    if (result.refusal === 'unique_conflict') {
      const message = `Job ${id} cannot run again: another unfinished job has its unique key`;
      throw new RedriveError('unique_conflict', message, { id, uniqueKey: job.uniqueKey });
    }
  }
  return false;
}

export function notFound(id: string): RedriveError {
  return new RedriveError('job_not_found', `There is no job ${id}`, { id });
}

/** The result of an act on one job. */
export interface JobActOutcome {
  readonly id: string;
  /** Or would be. */
  readonly done: boolean;
  /** Afterwards; `null`: there is no such job. */
  readonly state: string | null;
  /** In words. */
  readonly note: string;
}

export interface JobActWish {
  /** `retry`: a dead or cancelled job begins a new generation, a scheduled or parked one becomes ready. */
  readonly act: 'cancel' | 'retry';
  readonly id: string;
  readonly actor: Actor;
  /** Default `false`. */
  readonly dryRun?: boolean | undefined;
}

/** Cancels or retries one job, whatever its state. A refusal is an outcome. */
export async function actOnJob(store: FullStore, wish: JobActWish): Promise<JobActOutcome> {
  const { id, actor } = wish;
  const job = await store.job(id);
  if (job === undefined) return { id, done: false, state: null, note: NOT_FOUND };
  const aside = await setAsideText(store, id);
  if (aside !== undefined) return { id, done: false, state: job.state, note: aside };
  const plan = wish.act === 'cancel' ? cancelPlan(job) : retryPlan(job);
  if ('refusal' in plan) return { id, done: false, state: job.state, note: plan.refusal };
  if (wish.dryRun) return { id, done: true, state: job.state, note: `would be ${plan.note}` };
  const [result] = await store.apply([{ kind: 'act', act: plan.act, id, actor }]);
  return result.ok
    ? { id, done: true, state: result.state, note: plan.note }
    : { id, done: false, state: job.state, note: refusalText(result) };
}

const NOT_FOUND = 'there is no such job';

function refusalText({ refusal }: Extract<ActResult, { ok: false }>): string {
  if (refusal === 'unique_conflict') return 'another unfinished job has its unique key';
  return refusal === 'not_found' ? NOT_FOUND : 'it was changed in the meantime';
}

/** The command for a job, or the reason why there is none. */
type Plan =
  | { readonly act: ActCommand['act']; readonly note: string }
  | { readonly refusal: string };

/** How to cancel a job. */
function cancelPlan({ state, cancelRequested }: Job): Plan {
  switch (state) {
    case 'succeeded':
    case 'dead':
    case 'cancelled':
    case 'purged':
      return { refusal: `it is ${state} already` };
    case 'leased':
      return cancelRequested
        ? { refusal: 'it was asked to stop already' }
        : { act: 'cancel', note: 'asked to stop, because it runs' };
    default:
      return { act: 'cancel', note: 'cancelled' };
  }
}

/** How to send a job again, or before its time. */
function retryPlan({ state }: Job): Plan {
  switch (state) {
    case 'dead':
    case 'cancelled':
      return { act: 'requeue', note: 'requeued, with all its attempts' };
    case 'scheduled':
      return { act: 'run_now', note: 'ready now instead of later' };
    case 'parked':
      return { act: 'unpark', note: 'ready now, whatever it waited for' };
    case 'ready':
      return { refusal: 'it is ready already' };
    case 'leased':
      return { refusal: 'it runs now' };
    case 'succeeded':
      return { refusal: 'it has succeeded' };
    case 'purged':
      return { refusal: 'it is purged' };
  }
}

/** Why no worker and no command moves this job, where its row is set aside. */
export async function setAsideText(
  store: Pick<FullStore, 'unreadableJob'>,
  id: string,
): Promise<string | undefined> {
  const row = await store.unreadableJob(id);
  if (row === undefined || !row.isSetAside) return undefined;
  return row.problem === undefined
    ? 'Its row was set aside and can be read again: run redrive doctor --put-back.'
    : `Its row cannot be read (${row.problem}) and was set aside: run redrive doctor.`;
}
