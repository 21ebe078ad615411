import {
  type ControlOverview,
  controlOverview,
  type FailuresNow,
  failuresNow,
  type LiveWorkers,
  liveWorkers,
} from '@redrive/durable';
import {
  type BoundedCount,
  type Counts,
  type FullStore,
  MAX_DEAD_COUNT,
} from '@redrive/durable/store';

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
}

/** Reads everything. Each part is bounded, so the size of the store does not matter. */
export async function readStatus(store: FullStore): Promise<Status> {
  const control = await controlOverview(store);
  const [counts, failing, dead, newest, live] = await Promise.all([
    store.counts(),
    failuresNow(store, control),
    store.countDead({}, MAX_DEAD_COUNT),
    store.deadLetters({}, { limit: 1 }),
    liveWorkers(store),
  ]);
  return {
    store: store.name,
    counts,
    control,
    failing,
    dead: { ...dead, newestMs: newest.jobs[0]?.finishedAtMs },
    live,
  };
}
