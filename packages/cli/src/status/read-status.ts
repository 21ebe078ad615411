import type { FullStore } from '@redrive/durable';
import {
  type HandlerWithoutWorker,
  handlersWithoutWorker,
  type LiveWorkers,
  liveWorkers,
} from '@redrive/durable';
import {
  type ControlOverview,
  controlOverview,
  type FailuresNow,
  failuresNow,
} from '@redrive/durable/control';
import {
  type BoundedCount,
  type Counts,
  MAX_DEAD_COUNT,
  type SourceReport,
  sourceReports,
} from '@redrive/durable/store';
import { isCovered } from '../kill/kill-target.ts';

/** Everything that `status` shows. */
export interface Status {
  readonly store: string;
  readonly counts: Counts;
  readonly control: ControlOverview;
  readonly failing: FailuresNow;
  /** All dead letters, and the death of the newest. */
  readonly dead: BoundedCount & { readonly newestMs?: number | undefined };
  /** Workers that reported within the last minute. */
  readonly live: LiveWorkers;
  /** Sources of events by name. */
  readonly sources: ReadonlyMap<string, SourceReport>;
}

/** Reads everything. Each part is bounded, so the size of the store does not matter. */
export async function readStatus(store: FullStore): Promise<Status> {
  const control = await controlOverview(store);
  const [counts, failing, dead, newest, live, sources] = await Promise.all([
    store.counts(),
    failuresNow(store, control),
    store.countDead({}, MAX_DEAD_COUNT),
    store.deadLetters({}, { limit: 1 }),
    liveWorkers(store),
    sourceReports(store),
  ]);
  return {
    store: store.name,
    counts,
    control,
    failing,
    dead: { ...dead, newestMs: newest.jobs[0]?.finishedAtMs },
    live,
    sources,
  };
}

/** Handlers whose jobs no live worker takes. Jobs that an operator has stopped need no worker now. */
export function missingWorkers({
  counts,
  live,
  control,
}: Pick<Status, 'counts' | 'live' | 'control'>): readonly HandlerWithoutWorker[] {
  const groups = counts.groups.filter((group) => !isStopped(group, control));
  return handlersWithoutWorker({ groups }, live);
}

/** Whether an operator keeps jobs of this queue and handler from starting. */
export function isStopped(
  { queue, handler }: Pick<Counts['groups'][number], 'queue' | 'handler'>,
  { killSwitches, pauses }: Pick<ControlOverview, 'killSwitches' | 'pauses'>,
): boolean {
  return [...killSwitches, ...pauses].some((stop) => isCovered(stop, { queue, handler }));
}
