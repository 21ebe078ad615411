import { RedriveError } from '@redrive/core';
import type { AuditRecord } from '../audit/audit-block.ts';
import { BlocksByJob } from '../audit/blocks-by-job.ts';
import type { Job } from '../job/job.ts';
import type { Store } from '../store/store.ts';

export interface JobHistory {
  /** The oldest first. */
  readonly entries: readonly ReturnType<typeof entryOf>[];
  /** Whether it begins with the job's first record. Not so where there are more blocks than asked for. */
  readonly complete: boolean;
}

export interface JobHistoryOptions {
  /** Blocks that are read at most, each with a query of its own. Default 1,000. */
  readonly maxBlocks?: number | undefined;
}

/**
 * The whole history of a job, from the audit log; `job.attempts` has only the newest attempts. Follows the pointers from
 * the job's newest record back to its first, so the cost depends on the records of this job, not on the length of the log.
 *
 * @returns `undefined` if the job does not exist. The records of a job that retention has deleted cannot be found this way.
 */
export async function jobHistory(
  store: Store,
  id: string,
  { maxBlocks = 1_000 }: JobHistoryOptions = {},
): Promise<JobHistory | undefined> {
  const job = await store.job(id);
  if (job === undefined) return undefined;
  const { records, complete } = await jobRecords(new BlocksByJob(store), job, maxBlocks);
  return { entries: records.map(entryOf), complete };
}

/** A record of a job, and the sequence number of its block. */
export interface JobRecord {
  readonly record: AuditRecord;
  readonly block: number;
}

/** The records of a job, the oldest first, from at most `maxBlocks` blocks. */
export async function jobRecords(
  blocks: BlocksByJob,
  { id, auditBlock }: Pick<Job, 'id' | 'auditBlock'>,
  maxBlocks = 1_000,
  signal?: AbortSignal,
): Promise<{ readonly records: readonly JobRecord[]; readonly complete: boolean }> {
  const found: JobRecord[] = [];
  let seq = auditBlock;
  for (let read = 0; seq > 0 && read < maxBlocks; read++) {
    signal?.throwIfAborted();
    const records = await blocks.recordsOf(id, seq);
    const [oldest] = records;
    if (oldest === undefined) throw broken(id, seq);
    const at = seq;
    found.unshift(...records.map((record) => ({ record, block: at })));
    const { previousBlock } = oldest;
    // Pointers lead back in time: a changed one could make this go round in circles.
    if (previousBlock >= seq) throw broken(id, seq);
    seq = previousBlock;
  }
  return { records: found, complete: seq === 0 };
}

/** A record of a job by name, with the sequence number of its block. */
function entryOf({ record, block }: JobRecord) {
  const { revision, event, from, to, atMs, token, generation, executions, detail } = record;
  return { revision, event, from, to, atMs, token, generation, executions, block, detail };
}

function broken(id: string, seq: number): RedriveError {
  return new RedriveError(
    'invalid_record',
    `The audit log is damaged: the history of job ${id} leads to block ${seq}, which has no record of it`,
    { id, block: seq },
  );
}
