import {
  BATCH_KEPT_MS,
  type Batch,
  type BatchCommand,
  type BatchCounts,
  type BatchFilter,
  type BatchPage,
  type BatchResult,
  batchAnswer,
  batchCounts,
  batchDetail,
  batchPage,
  batchSubject,
  type CountedBatch,
  type EndBatchesCommand,
  type EndBatchesResult,
  newBatch,
  thenCommand,
} from '../batch/batch.ts';
import type { Job, JobState } from '../job/job.ts';
import type { EnqueueCommand } from '../store/commands.ts';
import { checkLimit, readPlace } from '../store/page.ts';
import type { PageRequest } from '../store/store.ts';
import { compareText } from './compare-text.ts';
import type { Journal } from './journal.ts';
import type { Step } from './step.ts';

const UNFINISHED = ['scheduled', 'ready', 'parked', 'leased'] as const;

/** Batches by their ids, and how many jobs they have in each state. */
export class BatchTable {
  readonly #batches = new Map<string, Batch>();
  readonly #states = new Map<string, Map<JobState, number>>();
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** A job of the batch entered a state (1) or left it (-1). */
  count({ batch, state }: Pick<Job, 'batch' | 'state'>, by: 1 | -1): void {
    if (batch === undefined) return;
    const states = this.#states.get(batch) ?? new Map<JobState, number>();
    states.set(state, (states.get(state) ?? 0) + by);
    this.#states.set(batch, states);
  }

  /** Retention deletes the job: it stays counted. */
  keepCounting({ batch, state }: Pick<Job, 'batch' | 'state'>): void {
    this.count({ batch, state }, 1);
    this.#journal.changed(() => this.count({ batch, state }, -1));
  }

  /** Whether an enqueue into the batch is refused. */
  isClosed({ batch: id, tenant }: Pick<Job, 'batch' | 'tenant'>): boolean {
    if (id === undefined) return false;
    const batch = this.#batches.get(id);
    return batch?.state !== 'open' || batch.tenant !== tenant;
  }

  get(id: string): CountedBatch | undefined {
    const batch = this.#batches.get(id);
    return batch && { ...batch, counts: this.#countsOf(id) };
  }

  list({ tenant, state }: BatchFilter, { limit, after }: PageRequest): BatchPage {
    checkLimit('limit', limit);
    const place = after === undefined ? undefined : readPlace(after);
    const found = [...this.#batches.values()]
      .filter((batch) => tenant === undefined || batch.tenant === tenant)
      .filter((batch) => state === undefined || batch.state === state)
      .sort(newestFirst)
      .filter(
        (batch) => !place || newestFirst({ openedAtMs: place.atMs, id: place.id }, batch) < 0,
      );
    return batchPage(found, limit);
  }

  /** Whether a sealed batch has no unfinished job any more. */
  get hasEnd(): boolean {
    return this.#ends().next().done !== true;
  }

  change(step: Step, command: BatchCommand): BatchResult {
    const found = this.#batches.get(command.id);
    const answer = batchAnswer(found, command);
    if (!answer.ok || answer.outcome === 'existing') return answer;
    const { act, actor } = command;
    const { nowMs } = step;
    const batch: Batch =
      found === undefined
        ? newBatch(command, nowMs)
        : { ...found, state: 'sealed', sealedAtMs: nowMs };
    this.#put(batch);
    step.note('batch', batchSubject(batch.id), batchDetail(act, batch, actor));
    return answer;
  }

  /** `enqueue` stores a job that follows. */
  end(
    step: Step,
    { limit, actor }: EndBatchesCommand,
    enqueue: (follows: EnqueueCommand) => void,
  ): EndBatchesResult {
    checkLimit('limit', limit);
    let ended = 0;
    for (const batch of [...this.#ends()].slice(0, limit)) {
      const counts = this.#countsOf(batch.id);
      this.#put({ ...batch, state: 'ended', endedAtMs: step.nowMs });
      step.note('batch', batchSubject(batch.id), batchDetail('end', batch, actor, counts));
      const follows = thenCommand(batch, counts, actor);
      if (follows !== undefined) enqueue(follows);
      ended += 1;
    }
    return { ok: true, ended };
  }

  /** Forgets batches that ended long ago, and of which no job is left. */
  prune(jobs: Iterable<Pick<Job, 'batch'>>, nowMs: number): void {
    const over = [...this.#batches.values()].filter(
      ({ endedAtMs = Infinity }) => endedAtMs + BATCH_KEPT_MS <= nowMs,
    );
    if (over.length === 0) return;
    const used = new Set([...jobs].map(({ batch }) => batch));
    for (const batch of over) {
      const { id } = batch;
      if (used.has(id)) continue;
      const states = this.#states.get(id);
      this.#journal.changed(() => {
        this.#batches.set(id, batch);
        if (states !== undefined) this.#states.set(id, states);
      });
      this.#batches.delete(id);
      this.#states.delete(id);
    }
  }

  *#ends(): Generator<Batch> {
    for (const batch of this.#batches.values()) {
      if (batch.state === 'sealed' && this.#unfinished(batch.id) === 0) yield batch;
    }
  }

  #unfinished(id: string): number {
    return UNFINISHED.reduce((sum, state) => sum + (this.#states.get(id)?.get(state) ?? 0), 0);
  }

  #countsOf(id: string): BatchCounts {
    const states = this.#states.get(id);
    const running = states?.get('leased') ?? 0;
    return batchCounts((state) => states?.get(state) ?? 0, this.#unfinished(id), running);
  }

  #put(batch: Batch): void {
    const before = this.#batches.get(batch.id);
    this.#journal.changed(() => {
      if (before === undefined) this.#batches.delete(batch.id);
      else this.#batches.set(batch.id, before);
    });
    this.#batches.set(batch.id, batch);
  }
}

type Placed = Pick<Batch, 'openedAtMs' | 'id'>;

function newestFirst(a: Placed, b: Placed): number {
  return b.openedAtMs - a.openedAtMs || compareText(b.id, a.id);
}
