import {
  type BulkChange,
  type BulkProgress,
  changedAtMs,
  isFollowed,
} from '../control/rules/bulk-progress.ts';
import type { RampStage } from '../control/rules/ramp.ts';
import type { Job } from '../job/job.ts';
import { isAnyoneWorking, liveWorkers, servesHandler } from '../live-workers/live-workers.ts';
import { compareText } from '../memory/compare-text.ts';
import type { FullStore } from '../store/full-store.ts';
import type { PageRequest } from '../store/store.ts';
import type { Operation } from './operation.ts';
import { progressIn } from './stored-progress.ts';

/** A bulk operation as operators see it. */
export interface OperationStatus {
  readonly id: string;
  /** `requeue`, `cancel`, … */
  readonly act: string;
  /** The act, its target and the cut-off. */
  readonly request: Readonly<Record<string, unknown>>;
  /** `stopped`: by its ramp, because too many jobs failed again. `running` without a `runner`: no process carries it out. */
  readonly state: BulkProgress['state'];
  /** Its submission, and the changes of its state since: the newest nineteen. At least one. */
  readonly changes: readonly BulkChange[];
  readonly startedAtMs: number;
  readonly updatedAtMs: number;
  readonly acted: number;
  /** Jobs that refused it: somebody else was faster, or their unique key is taken. */
  readonly refused: number;
  /** How many there were at the beginning; absent where nobody has counted. */
  readonly total?: { readonly count: number; readonly bounded: boolean } | undefined;
  /** Whether the next three are known: with a ramp or a maximum in flight. */
  readonly followed: boolean;
  /** Jobs that were sent and have made no attempt since. */
  readonly inFlight: number;
  /** Jobs whose first attempt succeeded. */
  readonly succeeded: number;
  /** Jobs whose first attempt failed. They go on with their other attempts. */
  readonly cameBack: number;
  readonly ratePerSecond?: number | undefined;
  readonly maxInFlight?: number | undefined;
  readonly ramp?:
    | (RampStage & { readonly stages: readonly number[]; readonly stopShare: number })
    | undefined;
  /** Whether workers can carry it out. If not, only a process that submits it again with the same id continues it. */
  readonly inBackground: boolean;
  /** The process that carries it out. */
  readonly runner?: string | undefined;
  /** Whether a live worker could carry it out. Absent: nobody has looked. */
  readonly hasWorker?: boolean | undefined;
  /** At its present speed. Absent: it has sent nothing in the last seconds, or waits for the results of a stage. */
  readonly timeLeftMs?: number | undefined;
}

/** The progress of a bulk operation. `undefined`: there is none with this id. @throws RedriveError `store_unavailable`. */
export async function operationStatus(
  store: FullStore,
  id: string,
): Promise<OperationStatus | undefined> {
  const [operation, controls, hasWorker] = await Promise.all([
    store.operation(id),
    store.controls(),
    isAnyoneWorking(store),
  ]);
  const { progress } = progressIn(controls, id) ?? {};
  return operation && { ...statusOf(operation, progress, controls.nowMs), hasWorker };
}

export interface OperationList {
  readonly operations: readonly OperationStatus[];
  readonly next?: string | undefined;
}

/**
 * Bulk operations, the newest first: those that run, and those that finished in the last thirty days. `page`: the newest
 * 100 if it is left out.
 *
 * @throws RedriveError `invalid_option` for a limit that is not from 1 to 1,000; `store_unavailable`.
 */
export async function listOperations(
  store: FullStore,
  page: PageRequest = { limit: 100 },
): Promise<OperationList> {
  const [{ operations, next }, controls, hasWorker] = await Promise.all([
    store.operations(page),
    store.controls(),
    isAnyoneWorking(store),
  ]);
  const all = operations.map((operation) => {
    const { progress } = progressIn(controls, operation.id) ?? {};
    return { ...statusOf(operation, progress, controls.nowMs), hasWorker };
  });
  return { operations: all, next };
}

export function statusOf(
  operation: Operation,
  progress: BulkProgress | undefined,
  nowMs: number,
): OperationStatus {
  const { id, acted, refused, startedAtMs, updatedAtMs } = operation;
  // Written by `requestOf`, or by a program that uses the store without it.
  const request = Object(JSON.parse(operation.request)) as Record<string, unknown>;
  const { by, why } = operation;
  const submitted = { to: stateOf(operation), atMs: startedAtMs, by, why };
  const { ramp, pace, runner, changes = [submitted] } = progress ?? {};
  return {
    id,
    act: String(request.act),
    request,
    state: progress?.state ?? stateOf(operation),
    changes,
    startedAtMs,
    updatedAtMs: Math.max(updatedAtMs, changedAtMs({ changes })),
    acted,
    refused,
    total: progress?.total,
    followed: progress !== undefined && isFollowed(progress),
    inFlight: progress?.underWay.length ?? 0,
    succeeded: progress?.succeeded ?? 0,
    cameBack: progress?.cameBack ?? 0,
    ratePerSecond: pace?.perSecond,
    maxInFlight: progress?.maxInFlight,
    ramp: ramp && { ...ramp.plan, ...ramp.at },
    inBackground: progress !== undefined && progress.bySubmitter !== true,
    runner: runner !== undefined && runner.untilMs > nowMs ? runner.worker : undefined,
    timeLeftMs: progress && timeLeftMs(operation, progress, nowMs),
  };
}

/** Without a document: an operation that was finished before its last item has a cursor. */
export function stateOf({ state, cursor }: Operation): OperationStatus['state'] {
  return state === 'finished' && cursor !== undefined ? 'aborted' : state;
}

/** An estimate needs a last step that is no older than this. */
const STEP_IS_RECENT_MS = 5_000;

function timeLeftMs(
  { acted, refused, updatedAtMs }: Operation,
  { state, total, pace, ramp, speed }: BulkProgress,
  nowMs: number,
): number | undefined {
  const done = acted + refused;
  if (state !== 'running' || total === undefined || total.bounded) return undefined;
  // The next stage begins when others have results, which no speed so far says.
  if (ramp !== undefined && ramp.at.stage < ramp.plan.stages.length) return undefined;
  if (speed === undefined || nowMs - updatedAtMs > STEP_IS_RECENT_MS) return undefined;
  const { from } = speed;
  const measured = ((done - from.done) * 1_000) / Math.max(1, nowMs - from.atMs);
  const perSecond = Math.min(measured, pace?.perSecond ?? Infinity);
  return perSecond > 0
    ? Math.ceil((Math.max(0, total.count - done) / perSecond) * 1_000)
    : undefined;
}

/** Jobs whose handlers are looked up. */
const LOOKED_UP = 20;

/** The ids of its jobs that were sent and have no result yet. @throws RedriveError `store_unavailable`. */
export async function jobsInFlight(store: FullStore, id: string): Promise<readonly string[]> {
  const { progress } = progressIn(await store.controls(), id) ?? {};
  return progress?.underWay.map((item) => item.id) ?? [];
}

/**
 * The handlers of jobs that no live worker has, by name. It looks at the first twenty jobs, and answers with none where
 * there are more workers than it reads.
 *
 * @param counts which of the jobs count. Default: all.
 * @throws RedriveError `store_unavailable`.
 */
export async function unservedHandlers(
  store: FullStore,
  ids: readonly string[],
  counts: (job: Job) => boolean = () => true,
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const [{ workers, bounded }, ...jobs] = await Promise.all([
    liveWorkers(store),
    ...ids.slice(0, LOOKED_UP).map((id) => store.job(id)),
  ]);
  if (bounded) return [];
  const unserved = jobs.flatMap((job) => {
    if (job === undefined || !counts(job)) return [];
    const { handler, queue } = job;
    return workers.some((worker) => servesHandler(worker, handler, queue)) ? [] : [handler];
  });
  return [...new Set(unserved)].sort(compareText);
}
