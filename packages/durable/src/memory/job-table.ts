import { type EarlierPayload, MAX_EARLIER_PAYLOADS } from '../dead-letter/dead-letter-store.ts';
import { isFinal, type Job, type JobState, type Payload } from '../job/job.ts';
import { checkLimit } from '../store/page.ts';
import { BatchTable } from './batches.ts';
import { DeadGroups } from './dead-groups.ts';
import type { Journal } from './journal.ts';
import { ParkedJobs } from './parked-jobs.ts';
import { ReadyQueue } from './ready-queue.ts';
import { TimeIndex } from './time-index.ts';

/** A unique key that counts until a time: the job that took it, which may be deleted. */
export interface UniqueWindow extends Pick<Job, 'id' | 'handler' | 'tenant'> {
  readonly untilMs: number;
}

/** All jobs, with their indexes. A job is never changed in place: `put` takes the new one. */
export class JobTable {
  readonly ready = new ReadyQueue();
  /** By the time they are due. */
  readonly scheduled = new TimeIndex((job) => whenIn(job, 'scheduled', job.dueAtMs));
  /** By the time they are released. */
  readonly parked = new TimeIndex((job) => whenIn(job, 'parked', job.dueAtMs));
  readonly parkedBy = new ParkedJobs();
  /** By the end of their lease. */
  readonly leased = new TimeIndex((job) => job.lease?.untilMs);
  /** Waiting jobs, by their deadline. */
  readonly deadlines = new TimeIndex((job) => (waits(job.state) ? job.deadlineMs : undefined));
  /** By the time from which it counts how long they are kept. */
  readonly finished = new TimeIndex((job) => job.purgedAtMs ?? job.finishedAtMs);
  readonly submitted = new TimeIndex((job) => job.submittedAtMs);
  /** By the time of their death. */
  readonly dead = new TimeIndex((job) => whenIn(job, 'dead', job.finishedAtMs));
  readonly groups: DeadGroups;
  readonly batches: BatchTable;
  readonly #jobs = new Map<string, Job>();
  /** Place of each job in the order in which they were accepted. */
  readonly #places = new Map<string, number>();
  #lastPlace = 0;
  /** Unique key to the id of the unfinished job that has it. */
  readonly #holders = new Map<string, string>();
  /** Unique keys that count for a time, whatever becomes of their jobs. */
  readonly #windows = new Map<string, UniqueWindow>();
  /** Leased jobs per handler and limit key. */
  readonly #leasedPerKey = new Map<string, number>();
  /** Payloads that edits have replaced, by the job's id. */
  readonly #earlier = new Map<string, readonly EarlierPayload[]>();
  readonly #journal: Journal;
  /** Incremented with each change: a count of the jobs is valid while it stays the same. */
  changes = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
    this.groups = new DeadGroups(journal);
    this.batches = new BatchTable(journal);
  }

  get(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  /** The jobs with these ids, each once, without those that do not exist. @throws RedriveError: too many ids. */
  all(ids: readonly string[]): Job[] {
    if (ids.length > 0) checkLimit('ids', ids.length);
    return [...new Set(ids)].flatMap((id) => this.get(id) ?? []);
  }

  [Symbol.iterator](): Iterator<Job> {
    return this.#jobs.values();
  }

  /** Place of the job in the order in which the jobs were accepted. 0: it does not exist. */
  placeOf(id: string): number {
    return this.#places.get(id) ?? 0;
  }

  /** The id of the unfinished job with this unique key. */
  holderOf(uniqueKey: string): string | undefined {
    return this.#holders.get(uniqueKey);
  }

  /** The job that has this unique key for a time. The time may be over. */
  windowOf(uniqueKey: string): UniqueWindow | undefined {
    return this.#windows.get(uniqueKey);
  }

  putWindow(uniqueKey: string, window: UniqueWindow | undefined): void {
    const before = this.#windows.get(uniqueKey);
    this.#journal.changed(() => this.putWindow(uniqueKey, before));
    if (window === undefined) this.#windows.delete(uniqueKey);
    else this.#windows.set(uniqueKey, window);
  }

  /** Forgets unique keys whose time is over. */
  pruneWindows(nowMs: number): void {
    for (const [key, { untilMs }] of this.#windows)
      if (untilMs <= nowMs) this.putWindow(key, undefined);
  }

  leasedWith(handler: string, limitKey: string): number {
    return this.#leasedPerKey.get(limitName(handler, limitKey)) ?? 0;
  }

  put(job: Job): void {
    this.#change(job.id, job);
  }

  delete(id: string): void {
    this.#change(id, undefined);
    this.#keepEarlier(id, undefined);
  }

  earlierPayloads(id: string): readonly EarlierPayload[] {
    return this.#earlier.get(id) ?? [];
  }

  /** Keeps a payload that was replaced, and the newest earlier ones. */
  addEarlier(id: string, earlier: EarlierPayload): void {
    const kept = [...this.earlierPayloads(id), earlier].slice(-MAX_EARLIER_PAYLOADS);
    this.#keepEarlier(id, kept);
  }

  #keepEarlier(id: string, after: readonly EarlierPayload[] | undefined): void {
    const before = this.#earlier.get(id);
    if (before === after) return;
    this.#journal.changed(() => this.#keepEarlier(id, before));
    if (after === undefined) this.#earlier.delete(id);
    else this.#earlier.set(id, after);
  }

  #change(id: string, after: Job | undefined): void {
    this.changes += 1;
    const before = this.#jobs.get(id);
    this.#journal.changed(() => this.#change(id, before));
    if (before !== undefined) this.#forget(before);
    for (const index of this.#timeIndexes()) index.change(before, after);
    if (after === undefined) {
      this.#jobs.delete(id);
      this.#places.delete(id);
    } else this.#remember(after);
  }

  #timeIndexes(): readonly TimeIndex[] {
    const { scheduled, parked, leased, deadlines, finished, submitted, dead } = this;
    return [scheduled, parked, leased, deadlines, finished, submitted, dead];
  }

  #remember(job: Job): void {
    this.#jobs.set(job.id, job);
    if (!this.#places.has(job.id)) this.#places.set(job.id, ++this.#lastPlace);
    if (job.state === 'ready') this.ready.add(job);
    this.parkedBy.add(job);
    if (job.uniqueKey !== undefined && !isFinal(job.state))
      this.#holders.set(job.uniqueKey, job.id);
    this.#countLease(job, 1);
    this.groups.count(job.fingerprint, 1);
    this.batches.count(job, 1);
  }

  #forget(job: Job): void {
    if (job.state === 'ready') this.ready.remove(job);
    this.parkedBy.remove(job);
    if (job.uniqueKey !== undefined && this.#holders.get(job.uniqueKey) === job.id) {
      this.#holders.delete(job.uniqueKey);
    }
    this.#countLease(job, -1);
    this.groups.count(job.fingerprint, -1);
    this.batches.count(job, -1);
  }

  #countLease({ state, handler, limitKey }: Job, by: 1 | -1): void {
    if (state !== 'leased' || limitKey === undefined) return;
    const count = this.leasedWith(handler, limitKey) + by;
    if (count === 0) this.#leasedPerKey.delete(limitName(handler, limitKey));
    else this.#leasedPerKey.set(limitName(handler, limitKey), count);
  }
}

function whenIn(job: Job, state: JobState, timeMs: number | undefined): number | undefined {
  return job.state === state ? timeMs : undefined;
}

function waits(state: JobState): boolean {
  return state === 'scheduled' || state === 'ready' || state === 'parked';
}

function limitName(handler: string, limitKey: string): string {
  return JSON.stringify([handler, limitKey]);
}

/** Bytes can be written to; everything else in a job is read-only. So the store neither keeps nor hands out the same ones. */
export function copyPayload(payload: Payload): Payload {
  return payload.kind === 'json' ? payload : { kind: 'bytes', bytes: payload.bytes.slice() };
}

export function copyJob<J extends Job>(job: J): J {
  return job.payload.kind === 'json' ? job : { ...job, payload: copyPayload(job.payload) };
}
