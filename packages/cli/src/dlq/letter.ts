import {
  type FullStore,
  type Job,
  type JobState,
  type JobSummary,
  jobSummaryDocument,
} from '@redrive/durable';
import { type DeadLetterEnvelope, deadLetterOf } from '@redrive/durable/dead-letters';
import {
  type BoundedCount,
  type EarlierPayload,
  MAX_DEAD_COUNT,
  type ShownValues,
} from '@redrive/durable/store';
import { noSuchJob } from '../jobs/show.ts';
import { CliError } from '../terminal/cli-error.ts';

/** All that is known of a dead letter. */
export interface Letter {
  readonly job: Job;
  readonly earlier: readonly EarlierPayload[];
  /** Letters of the same cause, itself included. */
  readonly sameCause: BoundedCount;
}

/** @throws CliError `no_match` where there is no such letter. */
export async function readLetter(store: FullStore, id: string): Promise<Letter> {
  const job = deadJob(await store.job(id), id);
  const { fingerprint } = job;
  const [earlier, sameCause] = await Promise.all([
    store.earlierPayloads(id),
    fingerprint === undefined
      ? { count: 1, bounded: false }
      : store.countDead({ fingerprint }, MAX_DEAD_COUNT),
  ]);
  return { job, earlier, sameCause };
}

/** A purged one can still be looked at. */
export function deadJob(job: Job | undefined, id: string): Job {
  if (job === undefined) throw noSuchJob(id);
  if (job.state === 'dead' || (job.state === 'purged' && job.purgedFrom === 'dead')) return job;
  const hint = `Look at it with: redrive jobs show ${id}`;
  throw new CliError('no_match', `${id} is not a dead letter: its state is ${job.state}.`, hint);
}

interface LetterDocument extends DeadLetterEnvelope {
  readonly state: JobState;
  readonly came_back: boolean;
  readonly same_cause: BoundedCount;
  readonly earlier_payloads: readonly {
    readonly generation: number;
    readonly replaced_at: string;
    readonly by: string;
    readonly payload: unknown;
  }[];
}

/** The envelope, and what there is beside it. */
export function letterDocument(
  { job, earlier, sameCause }: Letter,
  payload: ShownValues,
): LetterDocument {
  return {
    ...deadLetterOf(job, { payload }),
    state: job.state,
    came_back: cameBack(job),
    same_cause: { count: sameCause.count, bounded: sameCause.bounded },
    earlier_payloads: earlier.map((each) => ({
      generation: each.generation,
      replaced_at: new Date(each.replacedAtMs).toISOString(),
      by: each.by,
      payload: earlierPayload(job, each, payload),
    })),
  };
}

/** Shown as the payload itself is. */
function earlierPayload(job: Job, { payload }: EarlierPayload, shown: ShownValues): unknown {
  return deadLetterOf({ ...job, payload }, { payload: shown }).original_event;
}

/** A line of a list of dead letters, as JSON prints it. */
export function letterSummary(job: JobSummary) {
  const { fingerprint = null } = job;
  return { ...jobSummaryDocument(job), fingerprint, came_back: cameBack(job) };
}

/** Whether it was sent again and died again. A reset alone begins a generation in which nothing has run. */
export function cameBack({ account }: Pick<JobSummary, 'account'>): boolean {
  return account.generation > 1 && account.claims > 0;
}
