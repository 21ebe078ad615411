import type { Store } from '../store/store.ts';
import type { AuditRecord } from './audit-block.ts';
import { recordsIn } from './read-body.ts';

type JobsOfBlock = ReadonlyMap<string, readonly AuditRecord[]>;

/** Blocks that are kept. One of a busy store has a thousand records. */
const MAX_KEPT = 100;

/** The records of jobs, block by block. It keeps the last blocks: in a busy store hundreds of jobs share one. */
export class BlocksByJob {
  readonly #store: Pick<Store, 'auditBlocks'>;
  readonly #kept = new Map<number, JobsOfBlock>();

  constructor(store: Pick<Store, 'auditBlocks'>) {
    this.#store = store;
  }

  /** The records of a job in the block with this number, in the order of their revisions. */
  async recordsOf(id: string, seq: number): Promise<readonly AuditRecord[]> {
    const jobs = this.#kept.get(seq) ?? (await this.#read(seq));
    if (jobs === undefined) return [];
    // The block that was not used for longest is dropped first.
    this.#kept.delete(seq);
    this.#kept.set(seq, jobs);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return jobs.get(id) ?? [];
  }

  async #read(seq: number): Promise<JobsOfBlock | undefined> {
    const [block] = await this.#store.auditBlocks(seq - 1, 1);
    if (block?.seq !== seq) return undefined;
    const records = recordsIn(block).filter(({ revision }) => revision > 0);
    return Map.groupBy(records, ({ id }) => id);
  }
}
