import { type ControlOverview, controlOverview } from '../control/control-overview.ts';
import { hasWorkerForParked } from '../live-workers/handlers-without-worker.ts';
import { liveWorkers } from '../live-workers/live-workers.ts';
import type { FullStore } from '../store/full-store.ts';

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
