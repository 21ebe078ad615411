import { RedriveError } from '@redrive/core';
import type { Job } from '../job/job.ts';
import type { Actor } from '../store/commands.ts';
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
    const act = againBy(job);
    if (act === undefined) return false;
    const [result] = await store.apply([{ kind: 'act', act, id, actor }]);
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

/** The act that sends a job again, or before its time. `undefined`: there is nothing to send again. */
export function againBy({
  state,
}: Pick<Job, 'state'>): 'requeue' | 'run_now' | 'unpark' | undefined {
  if (state === 'dead' || state === 'cancelled') return 'requeue';
  if (state === 'scheduled') return 'run_now';
  return state === 'parked' ? 'unpark' : undefined;
}
