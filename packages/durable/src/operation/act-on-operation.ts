import { RedriveError } from '@redrive/core';
import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import { actOnCourse, type CourseAct, type OperationCourse } from '../control/rules/index.ts';
import { updateControl } from '../control/update-control.ts';
import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { keptWhy } from '../store/kept-why.ts';
import { courseIn } from './find-course.ts';
import type { Operation } from './operation.ts';
import { EMPTY_COURSE } from './operation-request.ts';
import { type OperationStatus, operationStatus, stateOf, statusOf } from './operation-status.ts';
import { settleCourse } from './settle-course.ts';
import { termsOf } from './submit-operation.ts';

export interface OperationAct {
  readonly id: string;
  readonly actor: Actor;
  /** Checks it as ever, but does nothing: the answer is how the operation would be. Default `false`. */
  readonly dryRun?: boolean | undefined;
}

const RATE: OptionTable<{ ratePerSecond?: number | undefined }> = {
  ratePerSecond: [undefined, { kind: 'number', min: 1, max: 100_000 }],
};

/**
 * Lets no more of an act on many go; what was sent goes on. Harmless when it does not run.
 *
 * @throws RedriveError `operation_not_found`; `operation_conflict` when it is over; `store_unavailable`.
 */
export function pauseOperation(store: FullStore, act: OperationAct): Promise<OperationStatus> {
  return change(store, act, { kind: 'pause' });
}

/**
 * Goes on with one that was paused, or that its ramp has stopped: then the ramp begins again at its first stage, with the
 * jobs that came back and still have attempts.
 *
 * @throws RedriveError as `pauseOperation`.
 */
export function resumeOperation(store: FullStore, act: OperationAct): Promise<OperationStatus> {
  return change(store, act, { kind: 'resume' });
}

/**
 * Ends it for good. What was acted on stays so; jobs that wait for its ramp are released and go on by themselves. Also one
 * that somebody carries out in the foreground, or has left: it does no further step.
 *
 * @throws RedriveError as `pauseOperation`.
 */
export async function abortOperation(
  store: FullStore,
  act: OperationAct,
): Promise<OperationStatus> {
  const status = await change(store, act, { kind: 'abort' });
  if (act.dryRun) return status;
  await settleCourse(store, act.id, act.actor);
  return statusOrThrow(store, act.id);
}

/**
 * Gives it another rate, from now on. Without one: as fast as it goes.
 *
 * @throws RedriveError as `pauseOperation`; `invalid_option` for a rate that is not from 1 to 100,000.
 */
export function setOperationRate(
  store: FullStore,
  { ratePerSecond, ...about }: OperationAct & { readonly ratePerSecond?: number | undefined },
): Promise<OperationStatus> {
  resolveOptions('rate', { ratePerSecond }, RATE);
  return change(store, about, { kind: 'rate', perSecond: ratePerSecond });
}

async function change(
  store: FullStore,
  { id, actor, dryRun }: OperationAct,
  act: CourseAct,
): Promise<OperationStatus> {
  const said = { by: actor.name, why: keptWhy(actor.why) };
  const operation = await store.operation(id);
  if (operation === undefined) throw notFound(id);
  const next = (course: OperationCourse | undefined, nowMs: number) => {
    const before = course ?? withoutCourse(operation, act);
    const after = actOnCourse(before, act, said, nowMs);
    if (after === undefined) throw isOverAlready(id, before);
    return after === before ? undefined : after;
  };
  if (dryRun) {
    const controls = await store.controls();
    const course = courseIn(controls, id)?.course;
    return statusOf(operation, next(course, controls.nowMs) ?? course, controls.nowMs);
  }
  await updateControl(store, {
    of: 'operation',
    key: id,
    next,
    note: (_, after) =>
      after === null ? undefined : { ...said, act: act.kind, ...termsOf(after) },
  });
  return statusOrThrow(store, id);
}

/** What an operation is that workers do not carry out. @throws RedriveError `operation_conflict` if that does not allow it. */
function withoutCourse(operation: Operation, act: CourseAct): OperationCourse {
  const { id, revision, by } = operation;
  const state = stateOf(operation);
  if (state === 'running' && act.kind !== 'abort') {
    const message = `No worker carries out bulk operation ${id}: it can only be aborted, or submitted again`;
    throw new RedriveError('operation_conflict', message, { id, state });
  }
  return { ...EMPTY_COURSE, state, sinceMs: 0, by, sentAt: revision };
}

async function statusOrThrow(store: FullStore, id: string): Promise<OperationStatus> {
  const status = await operationStatus(store, id);
  if (status === undefined) throw notFound(id);
  return status;
}

export function notFound(id: string): RedriveError {
  return new RedriveError('operation_not_found', `There is no bulk operation ${id}`, { id });
}

function isOverAlready(id: string, { state }: OperationCourse): RedriveError {
  return new RedriveError('operation_conflict', `Bulk operation ${id} is already ${state}`, {
    id,
    state,
  });
}
