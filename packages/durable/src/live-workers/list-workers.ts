import type { Controls } from '../control/control-store.ts';
import { killSwitchesIn } from '../control/kill-switches.ts';
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
  const kills = killSwitchesIn(controls);
  const stopped = (scope: 'queue' | 'handler'): ReadonlySet<string | undefined> => {
    const paused = controls.pauses.filter((pause) => pause.scope === scope);
    const killed = kills.filter(
      (kill) => kill.scope === (scope === 'queue' ? 'queue' : 'operation'),
    );
    return new Set([...paused, ...killed].map(({ name }) => name));
  };
  const isAll = kills.some(({ scope }) => scope === 'all');
  const [queues, handlers] = [stopped('queue'), stopped('handler')];
  const covers = (names: readonly string[], more: number, set: ReadonlySet<string | undefined>) =>
    names.length > 0 && more === 0 && names.every((name) => set.has(name));
  return (worker) =>
    isAll ||
    covers(worker.handlers, worker.moreHandlers, handlers) ||
    covers(worker.queues ?? [], worker.moreQueues, queues);
}
