import { GONE_AFTER_MS } from './worker-report.ts';
import type { StoredWorker, WorkerStore } from './worker-store.ts';

/** Pages of 1,000 that are read at most. */
const MAX_PAGES = 10;

/** The workers of a store that are alive. */
export interface LiveWorkers {
  /** The store's time. */
  readonly nowMs: number;
  /** By name: seen in the last minute, those that are stopping too. */
  readonly workers: readonly StoredWorker[];
  /** There are more than 10,000: the rest is not listed. */
  readonly bounded: boolean;
}

/**
 * The workers that have reported to this store in the last minute.
 *
 * ```ts
 * const { workers } = await liveWorkers(store);
 * for (const { name, running, concurrency } of workers) console.log(name, running, 'of', concurrency);
 * ```
 *
 * @throws RedriveError `store_unavailable`.
 */
export async function liveWorkers(store: WorkerStore): Promise<LiveWorkers> {
  const workers: StoredWorker[] = [];
  let after: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const page = await store.workers({ limit: 1_000, after, seenWithinMs: GONE_AFTER_MS });
    workers.push(...page.workers);
    after = page.next;
    if (after === undefined || pages === MAX_PAGES) {
      return { nowMs: page.nowMs, workers, bounded: after !== undefined };
    }
  }
}

/** Whether it would claim a job of this handler and queue. */
export function servesHandler(worker: StoredWorker, handler: string, queue: string): boolean {
  const { state, handlers, moreHandlers, queues, moreQueues } = worker;
  if (state !== 'working') return false;
  // A name that the report had no room for may be any name.
  const hasHandler = moreHandlers > 0 || handlers.includes(handler);
  const hasQueue = queues === undefined || moreQueues > 0 || queues.includes(queue);
  return hasHandler && hasQueue;
}

/** Whether a live worker claims jobs, of the first 1,000. */
export async function isAnyoneWorking(store: WorkerStore): Promise<boolean> {
  const { workers } = await store.workers({ limit: 1_000, seenWithinMs: GONE_AFTER_MS });
  return workers.some(({ state }) => state === 'working');
}
