import type { AttemptEnded } from '@redrive/core';
import { jobRecords } from '../documents/job-history.ts';
import { recordsOf } from '../documents/records-of.ts';
import type { Job } from '../job/job.ts';
import type { Store, StoredPolicy } from '../store/store.ts';
import type { AuditRecord } from './audit-block.ts';
import { BlocksByJob } from './blocks-by-job.ts';
import { textOf } from './record-detail.ts';
import { type JobSession, walkSession } from './session-walk.ts';

type TrailStore = Pick<Store, 'auditBlocks' | 'policy' | 'job'>;

interface Trail {
  readonly records: readonly AuditRecord[];
  /** Whether it begins with the job's first record. */
  readonly complete: boolean;
}

/** Jobs, and policies, that are remembered. */
const MAX_KNOWN = 1_000;
/** Blocks that are read for one job. */
const MAX_BLOCKS = 1_000;

/** The sessions of jobs, from their records in the audit log. A job that is still stored adds what a success left out. */
export class JobSessions {
  readonly #store: TrailStore;
  readonly #blocks: BlocksByJob;
  readonly #trails = new Map<string, Trail>();
  readonly #jobs = new Map<string, Job | undefined>();
  readonly #policies = new Map<string, StoredPolicy | undefined>();

  constructor(store: TrailStore) {
    this.#store = store;
    this.#blocks = new BlocksByJob(store);
  }

  /** The session of a job as it was after this record of it. */
  async at(record: AuditRecord, block: number): Promise<JobSession> {
    const { id, revision } = record;
    const { records, complete } = await this.#trailTo(record, block);
    const trail = records.filter(({ revision: own }) => own <= revision);
    const job = await remembered(this.#jobs, id, () => this.#store.job(id));
    for (const {
      detail: { policy },
    } of trail) {
      const hash = textOf(policy);
      if (hash) await remembered(this.#policies, hash, () => this.#store.policy(hash));
    }
    const earlier = job === undefined ? [] : earlierAttempts(job, trail[0]);
    return walkSession({ trail, complete, job, earlier, policies: this.#policies });
  }

  async #trailTo(record: AuditRecord, block: number): Promise<Trail> {
    const { id, revision } = record;
    const known = this.#trails.get(id);
    if (known !== undefined && (known.records.at(-1)?.revision ?? 0) >= revision) return known;
    const at = { id, auditBlock: block };
    const { records, complete } = await jobRecords(this.#blocks, at, MAX_BLOCKS);
    const trail = { records: records.map((each) => each.record), complete };
    makeRoom(this.#trails);
    this.#trails.set(id, trail);
    return trail;
  }
}

/**
 * The attempts that the session made before it became a job: the job keeps them, and the log has only their number. Those
 * of an event that was handled in place are on the rung of the job.
 */
function earlierAttempts(job: Job, first: AuditRecord | undefined): AttemptEnded[] {
  const inPlace = job.origin?.rung === 'event' ? (first?.executions ?? 0) : 0;
  const kept = job.attempts.kept.filter(
    ({ rung, generation, attempt }) =>
      rung !== undefined || (generation === 1 && attempt <= inPlace),
  );
  const before: Job = { ...job, state: 'ready', attempts: { kept, omitted: 0 } };
  return recordsOf(before).filter((record) => record.kind === 'attempt_ended');
}

async function remembered<T>(
  known: Map<string, T | undefined>,
  key: string,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  if (!known.has(key)) {
    makeRoom(known);
    known.set(key, await read());
  }
  return known.get(key);
}

function makeRoom(known: Map<string, unknown>): void {
  const [oldest] = known.keys();
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
}
