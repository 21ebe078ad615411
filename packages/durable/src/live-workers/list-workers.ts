import type { Controls } from '../control/control-store.ts';
import { documentsIn } from '../control/update-control.ts';
import type { FullStore } from '../store/full-store.ts';
import type { PageRequest } from '../store/store.ts';
import { GONE_AFTER_MS } from './worker-report.ts';
import type { StoredWorker } from './worker-store.ts';

/**
 * `working`: it claims jobs. `paused`: pauses or kill switches cover all that it could claim. `stopping`: it claims
 * nothing more, and finishes. `gone`: no report for a minute; it crashed, or cannot reach the store.
 */
export type WorkerState = 'working' | 'paused' | 'stopping' | 'gone';

export interface WorkerStatus extends Omit<StoredWorker, 'state'> {
  readonly state: WorkerState;
}

export interface ListWorkers extends PageRequest {
  /** Also the workers of the last day that are gone. Default false. */
  readonly all?: boolean | undefined;
}

export interface WorkerList {
  /** The store's time. */
  readonly nowMs: number;
  readonly workers: readonly WorkerStatus[];
  /** `after` of the next page. */
  readonly next?: string | undefined;
}

/**
 * The workers of a store, by name.
 *
 * @throws RedriveError `invalid_option` for a limit that is not from 1 to 1,000; `store_unavailable`.
 */
export async function listWorkers(
  store: FullStore,
  { all = false, ...page }: ListWorkers,
): Promise<WorkerList> {
  const [found, controls] = await Promise.all([
    store.workers(all ? page : { ...page, seenWithinMs: GONE_AFTER_MS }),
    store.controls(),
  ]);
  const { nowMs, workers, next } = found;
  const isPaused = pausedIn(controls);
  const statuses = workers.map((worker) => ({
    ...worker,
    state: stateOf(worker, nowMs, isPaused),
  }));
  return { nowMs, workers: statuses, next };
}

function stateOf(
  worker: StoredWorker,
  nowMs: number,
  isPaused: (worker: StoredWorker) => boolean,
): WorkerState {
  if (nowMs - worker.seenAtMs > GONE_AFTER_MS) return 'gone';
  if (worker.state === 'stopping') return 'stopping';
  return isPaused(worker) ? 'paused' : 'working';
}

/** Whether everything is stopped that a worker could claim: all its handlers, or all its queues. */
function pausedIn(controls: Controls): (worker: StoredWorker) => boolean {
  const kills = documentsIn(controls, 'kill');
  const covers = (names: readonly string[], more: number, scope: 'queue' | 'operation') =>
    names.length > 0 &&
    more === 0 &&
    names.every((name) => kills.has(`${scope}:${name}`) || kills.has(`pause:${scope}:${name}`));
  return (worker) =>
    kills.has('all') ||
    covers(worker.handlers, worker.moreHandlers, 'operation') ||
    covers(worker.queues ?? [], worker.moreQueues, 'queue');
}
