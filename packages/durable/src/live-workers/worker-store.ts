import type { PageRequest } from '../store/store.ts';

/** The part of a store that lists the live workers. It is not in the audit log: nothing in it changes a job. */
export interface WorkerStore {
  /**
   * Writes that this worker is alive, by the store's clock. The first report of a name sets `sinceMs`. The first report also deletes up to 1,000
   * workers that were last seen more than a day ago (`WORKER_KEPT_MS`).
   *
   * One small write that waits for nobody's lock, and that nobody's claim, settlement or heartbeat waits for.
   */
  reportWorker(report: WorkerReport): Promise<void>;

  /** Deletes it: it has stopped. A name that does not exist is fine. */
  forgetWorker(name: string): Promise<void>;

  /** Workers by name, also those that are gone: up to a day after they were last seen. */
  workers(page: WorkerPageRequest): Promise<WorkerPage>;
}

/** The report of a worker about itself. */
export interface WorkerReport {
  /** Of one start: no other start has it. At most 300 characters. */
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  /** Version of the library. */
  readonly version: string;
  readonly handlers: readonly string[];
  /** It takes only jobs of these queues. Absent: of all. */
  readonly queues?: readonly string[] | undefined;
  readonly concurrency: number;
  /** Attempts that run now. */
  readonly running: number;
  /** `stopping`: it claims nothing any more. */
  readonly state: 'working' | 'stopping';
  /** Attempts that make no progress, for longer than their handlers allow. Absent: none. */
  readonly stalled?: readonly StalledJob[] | undefined;
}

/** A job whose running attempt makes no progress. */
export interface StalledJob {
  readonly id: string;
  readonly handler: string;
  readonly tenant: string;
  /** Of its last progress, by the store's clock. */
  readonly sinceMs: number;
}

/** A worker as the store has it. Of handlers and of queues it has the first 1,000, with 32,768 characters at most. */
export interface StoredWorker extends WorkerReport {
  /** The first ten of them. */
  readonly stalled: readonly StalledJob[];
  readonly moreStalled: number;
  /** Handlers that are not listed. */
  readonly moreHandlers: number;
  /** Queues that are not listed. */
  readonly moreQueues: number;
  /** Its first report, by the store's clock. */
  readonly sinceMs: number;
  /** Its last report, by the store's clock. */
  readonly seenAtMs: number;
}

export interface WorkerPageRequest extends PageRequest {
  /** Only workers that were seen at most this long ago, by the store's clock. Absent: all. */
  readonly seenWithinMs?: number | undefined;
}

/** By name. */
export interface WorkerPage {
  /** The store's time of the answer. */
  readonly nowMs: number;
  readonly workers: readonly StoredWorker[];
  /** `after` of the next page. */
  readonly next?: string | undefined;
}
