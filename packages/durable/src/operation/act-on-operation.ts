import { RedriveError } from '@redrive/core';
import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import { actOnBulk, type BulkAct } from '../control/rules/bulk-acts.ts';
import type { BulkProgress } from '../control/rules/bulk-progress.ts';
import { updateControl } from '../control/update-control.ts';
import { type Actor, keptWhy } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { settleOperation } from './end-operation.ts';
import type { Operation } from './operation.ts';
import { EMPTY_PROGRESS } from './operation-request.ts';
import { type OperationStatus, operationStatus, stateOf, statusOf } from './operation-status.ts';
import { progressIn } from './stored-progress.ts';
import { termsOf } from './submit-operation.ts';

export interface OperationAct {
  readonly id: string;
  readonly actor: Actor;
  /** Checks the act, and changes nothing: the answer is the status that would follow. Default `false`. */
  readonly dryRun?: boolean | undefined;
}

const RATE: OptionTable<{ ratePerSecond?: number | undefined }> = {
  ratePerSecond: [undefined, { kind: 'number', min: 1, max: 100_000 }],
};

/**
 * Sends no more jobs of a bulk operation; jobs that were sent go on. Does nothing if it does not run.
 *
 * @throws RedriveError `operation_not_found`; `operation_conflict` when it is over; `store_unavailable`.
 */
export function pauseOperation(store: FullStore, act: OperationAct): Promise<OperationStatus> {
  return change(store, act, { kind: 'pause' });
}

/**
 * Continues a bulk operation that was paused, or that its ramp has stopped: then the ramp begins again at its first stage,
 * with the next jobs. Jobs that were sent before go on by themselves.
 *
 * @throws RedriveError as `pauseOperation`.
 */
export function resumeOperation(store: FullStore, act: OperationAct): Promise<OperationStatus> {
  return change(store, act, { kind: 'resume' });
}

/**
 * Ends it for good. Jobs that were sent go on by themselves.
 *
 * @throws RedriveError as `pauseOperation`.
 */
export async function abortOperation(
  store: FullStore,
  act: OperationAct,
): Promise<OperationStatus> {
  const status = await change(store, act, { kind: 'abort' });
  if (act.dryRun) return status;
  await settleOperation(store, act.id);
  return statusOrThrow(store, act.id);
}

/**
 * Gives it another rate, from now on. Without one: no limit.
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

const ABOUT: OptionTable<OperationAct> = {
  id: [undefined],
  actor: [undefined],
  dryRun: [undefined],
};

async function change(
  store: FullStore,
  about: OperationAct,
  act: BulkAct,
): Promise<OperationStatus> {
  resolveOptions('act on a bulk operation', about, ABOUT);
  const { id, actor, dryRun } = about;
  const said = { by: actor.name, why: keptWhy(actor.why) };
  const operation = await store.operation(id);
  if (operation === undefined) throw notFound(id);
  const next = (progress: BulkProgress | undefined, nowMs: number) => {
    const before = progress ?? withoutProgress(operation, act);
    const after = actOnBulk(before, act, said, nowMs);
    if (after === undefined) throw isOverAlready(id, before);
    return after === before ? undefined : after;
  };
  if (dryRun) {
    const controls = await store.controls();
    const progress = progressIn(controls, id)?.progress;
    return statusOf(operation, next(progress, controls.nowMs) ?? progress, controls.nowMs);
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

/** An operation without a document: its process ended right after the submission. @throws RedriveError `operation_conflict`. */
function withoutProgress(operation: Operation, act: BulkAct): BulkProgress {
  const { id, revision, by, why, startedAtMs } = operation;
  const state = stateOf(operation);
  if (state === 'running' && act.kind !== 'abort') {
    const message = `Bulk operation ${id} has not started: submit it again, or abort it`;
    throw new RedriveError('operation_conflict', message, { id, state });
  }
  const changes = [{ to: state, atMs: startedAtMs, by, why }];
  return { ...EMPTY_PROGRESS, state, changes, sentAt: revision };
}

async function statusOrThrow(store: FullStore, id: string): Promise<OperationStatus> {
  const status = await operationStatus(store, id);
  if (status === undefined) throw notFound(id);
  return status;
}

export function notFound(id: string): RedriveError {
  return new RedriveError('operation_not_found', `There is no bulk operation ${id}`, { id });
}

function isOverAlready(id: string, { state }: BulkProgress): RedriveError {
  return new RedriveError('operation_conflict', `Bulk operation ${id} is already ${state}`, {
    id,
    state,
  });
}
