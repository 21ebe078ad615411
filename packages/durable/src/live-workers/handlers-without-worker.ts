import { compareText } from '../memory/compare-text.ts';
import type { Counts } from '../store/store.ts';
import { type LiveWorkers, servesHandler } from './live-workers.ts';

/** Unfinished jobs of one handler that no live worker would claim. */
export interface HandlerWithoutWorker {
  readonly handler: string;
  /** The queues of these jobs, by name. */
  readonly queues: readonly string[];
  /** Ready jobs: they wait for a worker and for nothing else. */
  readonly ready: number;
  /** Jobs that wait for their time. Without any worker nothing makes them ready: some may be due. */
  readonly scheduled: number;
  /** Jobs that wait for a cause. Without any worker nothing releases them. */
  readonly parked: number;
}

/**
 * The handlers whose jobs no live worker takes: there is no worker, it is stopping, or it does not have the handler or the
 * queue. The handler with the most ready jobs comes first. If there are more workers than `liveWorkers` lists, the answer
 * is empty, because a worker outside the list may have the handler.
 *
 * ```ts
 * const [counts, live] = await Promise.all([store.counts(), liveWorkers(store)]);
 * for (const { handler, ready } of handlersWithoutWorker(counts, live)) {
 *   console.log(`${ready} ready jobs of ${handler} wait, and no worker runs them`);
 * }
 * ```
 */
export function handlersWithoutWorker(
  { groups }: Pick<Counts, 'groups'>,
  { workers, bounded }: Pick<LiveWorkers, 'workers' | 'bounded'>,
): readonly HandlerWithoutWorker[] {
  if (bounded) return [];
  const waiting = groups.filter(
    ({ handler, queue, state, count }) =>
      count > 0 &&
      (state === 'ready' || state === 'scheduled' || state === 'parked') &&
      !workers.some((worker) => servesHandler(worker, handler, queue)),
  );
  return [...Map.groupBy(waiting, ({ handler }) => handler)]
    .map(([handler, own]) => {
      const count = (state: string): number =>
        own.filter((group) => group.state === state).reduce((sum, group) => sum + group.count, 0);
      return {
        handler,
        queues: [...new Set(own.map(({ queue }) => queue))].sort(compareText),
        ready: count('ready'),
        scheduled: count('scheduled'),
        parked: count('parked'),
      };
    })
    .sort((a, b) => b.ready - a.ready || compareText(a.handler, b.handler));
}

/**
 * Whether a live worker takes at least one of the parked jobs: then it releases them, and one of them probes an open
 * breaker. Where nothing is parked: whether any live worker claims jobs.
 */
export function hasWorkerForParked(
  { groups }: Pick<Counts, 'groups'>,
  { workers, bounded }: Pick<LiveWorkers, 'workers' | 'bounded'>,
): boolean {
  const parked = groups.filter(({ state, count }) => state === 'parked' && count > 0);
  if (bounded) return true;
  if (parked.length === 0) return workers.some(({ state }) => state === 'working');
  return parked.some(({ handler, queue }) =>
    workers.some((worker) => servesHandler(worker, handler, queue)),
  );
}
