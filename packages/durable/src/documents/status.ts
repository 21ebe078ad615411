import { type ControlOverview, controlOverview } from '../control/control-overview.ts';
import { type SourceReport, sourceReports } from '../control/source-reports.ts';
import { type BoundedCount, MAX_DEAD_COUNT } from '../dead-letter/dead-letter-store.ts';
import { type FailuresNow, failuresNow } from '../failing/failures-now.ts';
import {
  type HandlerWithoutWorker,
  handlersWithoutWorker,
  hasWorkerForParked,
} from '../live-workers/handlers-without-worker.ts';
import { type LiveWorkers, liveWorkers } from '../live-workers/live-workers.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Counts } from '../store/store.ts';
import { isCovered } from './is-covered.ts';

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

/** Everything that stops work, and whether a worker is running that can start it again. */
export interface AttendedOverview extends ControlOverview {
  /** Whether a live worker releases parked jobs and probes breakers. */
  readonly hasWorker: boolean;
}

export async function readOverview(store: FullStore): Promise<AttendedOverview> {
  const [overview, counts, live] = await Promise.all([
    controlOverview(store),
    store.counts(),
    liveWorkers(store),
  ]);
  return { ...overview, hasWorker: hasWorkerForParked(counts, live) };
}
