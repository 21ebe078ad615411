import {
  type BoundedCount,
  type DeadLetterStore,
  type EarlierPayload,
  MAX_DEAD_COUNT,
} from '../dead-letter/dead-letter-store.ts';
import { deadLetterOf } from '../dead-letter/envelope.ts';
import type { ShownValues } from '../dead-letter/redact.ts';
import type { Job, JobSummary } from '../job/job.ts';
import { iso } from './times.ts';

/** A dead letter with its facts. */
export interface Letter {
  readonly job: Job;
  readonly earlier: readonly EarlierPayload[];
  /** Letters of the same cause, itself included. */
  readonly sameCause: BoundedCount;
}

/** Whether a job is a dead letter. A purged one can still be looked at. */
export function isLetter({ state, purgedFrom }: Pick<Job, 'state' | 'purgedFrom'>): boolean {
  return state === 'dead' || (state === 'purged' && purgedFrom === 'dead');
}

/**
 * The data of a letter beside the job itself. With `tenant`, only letters of that tenant are counted as the same cause.
 */
export async function readLetter(
  store: DeadLetterStore,
  job: Job,
  tenant?: string,
): Promise<Letter> {
  const { id, fingerprint } = job;
  const [earlier, sameCause] = await Promise.all([
    store.earlierPayloads(id),
    fingerprint === undefined
      ? { count: 1, bounded: false }
      : store.countDead({ fingerprint, tenant }, MAX_DEAD_COUNT),
  ]);
  return { job, earlier, sameCause };
}

/** The envelope of a dead letter, with the other facts of the letter. */
export function letterDocument({ job, earlier, sameCause }: Letter, payload: ShownValues) {
  return {
    ...deadLetterOf(job, { payload }),
    state: job.state,
    came_back: diedAgain(job),
    same_cause: { count: sameCause.count, bounded: sameCause.bounded },
    earlier_payloads: earlier.map((each) => ({
      generation: each.generation,
      replaced_at: iso(each.replacedAtMs),
      by: each.by,
      payload: earlierPayload(job, each, payload),
    })),
  };
}

/** Shown as the payload itself is. */
function earlierPayload(job: Job, { payload }: EarlierPayload, shown: ShownValues): unknown {
  return deadLetterOf({ ...job, payload }, { payload: shown }).original_event;
}

/** Whether it was sent again and died again. A reset alone begins a generation in which nothing has run. */
export function diedAgain({ account }: Pick<JobSummary, 'account'>): boolean {
  return account.generation > 1 && account.claims > 0;
}
