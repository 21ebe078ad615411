import { type FullStore, liveWorkers } from '@redrive/durable';
import { type ControlOverview, controlOverview } from '@redrive/durable/control';
import { hasWorkerForParked } from '@redrive/durable/store';

/** What keeps work from starting, and whether somebody is there to bring it back. */
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

/** In the place of the time of a probe. */
export const NO_PROBE = 'none: no worker';

/** Ends a sentence that says that jobs are released. */
export function onceThereIsAWorker(hasWorker: boolean): string {
  return hasWorker ? '' : ', once a worker that has their handler is alive: none is now';
}
