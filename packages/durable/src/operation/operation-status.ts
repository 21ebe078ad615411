import { isFollowed, type OperationCourse, type RampStage } from '../control/rules/index.ts';
import { isAnyoneWorking } from '../live-workers/live-workers.ts';
import type { FullStore } from '../store/full-store.ts';
import type { PageRequest } from '../store/store.ts';
import { courseIn } from './find-course.ts';
import type { Operation } from './operation.ts';

/** An act on many as operators see it. */
export interface OperationStatus {
  readonly id: string;
  /** `requeue`, `cancel`, … */
  readonly act: string;
  /** What is to be done to what, with the cut-off. */
  readonly request: Readonly<Record<string, unknown>>;
  /** `stopped`: by its ramp, because too many came back. `running` without a `runner`: nobody carries it out just now. */
  readonly state: OperationCourse['state'];
  /** Who has submitted it, or last said something about it, and why. */
  readonly by: string;
  readonly why?: string | undefined;
  readonly startedAtMs: number;
  readonly updatedAtMs: number;
  readonly acted: number;
  /** Jobs that refused it: somebody else was faster, or their unique key is taken. */
  readonly refused: number;
  /** How many there were at the beginning; absent where nobody has counted. */
  readonly total?: { readonly count: number; readonly bounded: boolean } | undefined;
  /** Whether the next three are known: with a ramp or a maximum in flight. */
  readonly followed: boolean;
  /** Sent, and not ended. */
  readonly inFlight: number;
  readonly succeeded: number;
  /** Dead again, or failed an attempt while the ramp was undecided. */
  readonly cameBack: number;
  /** Came back, and wait until the ramp is decided. */
  readonly held: number;
  readonly ratePerSecond?: number | undefined;
  readonly maxInFlight?: number | undefined;
  readonly ramp?:
    | (RampStage & { readonly stages: readonly number[]; readonly stopShare: number })
    | undefined;
  /** Whether workers carry it out, or did so. Otherwise only whoever submits it does, and again with the same id. */
  readonly inBackground: boolean;
  /** The process that carries it out. */
  readonly runner?: string | undefined;
  /** Whether a live worker could carry it out. Absent: nobody has looked. */
  readonly hasWorker?: boolean | undefined;
  /** At the speed so far, or at its rate. Absent: not known, or it does not go on. */
  readonly timeLeftMs?: number | undefined;
}

/** How an act on many goes on. `undefined`: there is none with this id. @throws RedriveError `store_unavailable`. */
export async function operationStatus(
  store: FullStore,
  id: string,
): Promise<OperationStatus | undefined> {
  const [operation, controls, hasWorker] = await Promise.all([
    store.operation(id),
    store.controls(),
    isAnyoneWorking(store),
  ]);
  const { course } = courseIn(controls, id) ?? {};
  return operation && { ...statusOf(operation, course, controls.nowMs), hasWorker };
}

export interface OperationList {
  readonly operations: readonly OperationStatus[];
  readonly next?: string | undefined;
}

/**
 * Acts on many, the newest first: what runs, and what was finished in the last thirty days.
 *
 * @throws RedriveError `invalid_option` for a limit that is not from 1 to 1,000; `store_unavailable`.
 */
export async function listOperations(store: FullStore, page: PageRequest): Promise<OperationList> {
  const [{ operations, next }, controls, hasWorker] = await Promise.all([
    store.operations(page),
    store.controls(),
    isAnyoneWorking(store),
  ]);
  const all = operations.map((operation) => {
    const { course } = courseIn(controls, operation.id) ?? {};
    return { ...statusOf(operation, course, controls.nowMs), hasWorker };
  });
  return { operations: all, next };
}

export function statusOf(
  operation: Operation,
  course: OperationCourse | undefined,
  nowMs: number,
): OperationStatus {
  const { id, acted, refused, startedAtMs, updatedAtMs } = operation;
  // Written by `requestOf`, or by whoever uses the store without it.
  const request = Object(JSON.parse(operation.request)) as Record<string, unknown>;
  const { by, why } = course ?? operation;
  const { ramp, pace, runner } = course ?? {};
  return {
    id,
    act: String(request.act),
    request,
    state: course?.state ?? stateOf(operation),
    by,
    why,
    startedAtMs,
    updatedAtMs: Math.max(updatedAtMs, course?.sinceMs ?? 0),
    acted,
    refused,
    total: course?.total,
    followed: course !== undefined && isFollowed(course),
    inFlight: course?.underWay.length ?? 0,
    succeeded: course?.succeeded ?? 0,
    cameBack: course?.cameBack ?? 0,
    held: (course?.held.length ?? 0) + (course?.again.length ?? 0),
    ratePerSecond: pace?.perSecond,
    maxInFlight: course?.maxInFlight,
    ramp: ramp && { ...ramp.plan, ...ramp.at },
    inBackground: course !== undefined,
    runner: runner !== undefined && runner.untilMs > nowMs ? runner.worker : undefined,
    timeLeftMs: course && timeLeftMs(operation, course, nowMs),
  };
}

/** Without a course: one that was finished before it came to its end has a place where that was. */
export function stateOf({ state, cursor }: Operation): OperationStatus['state'] {
  return state === 'finished' && cursor !== undefined ? 'aborted' : state;
}

function timeLeftMs(
  { acted, refused, startedAtMs }: Operation,
  { state, total, pace }: OperationCourse,
  nowMs: number,
): number | undefined {
  const done = acted + refused;
  if (state !== 'running' || total === undefined || total.bounded || done === 0) return undefined;
  const soFar = (done * 1_000) / Math.max(1, nowMs - startedAtMs);
  const perSecond = Math.min(soFar, pace?.perSecond ?? Infinity);
  return Math.ceil((Math.max(0, total.count - done) / perSecond) * 1_000);
}
