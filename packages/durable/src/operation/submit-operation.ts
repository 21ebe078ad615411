import { isRedriveError } from '@redrive/core';
import type { BulkProgress } from '../control/rules/bulk-progress.ts';
import { updateControl } from '../control/update-control.ts';
import { MAX_DEAD_COUNT } from '../dead-letter/dead-letter-store.ts';
import { isAnyoneWorking } from '../live-workers/live-workers.ts';
import type { FullStore } from '../store/full-store.ts';
import { cutOffOf, type NamedWish, requestOf } from './act-wish.ts';
import { refuseOthers } from './letters-only.ts';
import type { BeginOperation, Operation } from './operation.ts';
import { checkRequest, newProgress, type OperationRequest } from './operation-request.ts';
import { leaseOf } from './operation-round.ts';
import { type OperationStatus, statusOf } from './operation-status.ts';

/**
 * Submits a bulk operation, and returns at once. Any process that works on the store (`jobs.start()`, `redrive start`)
 * carries it out, and another one continues if that process ends; `carryOutOperation` does it in this process. Each job
 * is acted on once, however often it is submitted: with the same id the second submission changes nothing.
 *
 * ```ts
 * await submitOperation(store, {
 *   id: 'requeue-after-outage',
 *   act: 'requeue',
 *   target: { filter: { handler: 'mail' }, limit: 100_000 },
 *   ratePerSecond: 50,
 *   actor: { name: 'eve', why: 'the provider is back' },
 * });
 * ```
 *
 * A requeue begins with 1, then 10, then 100 jobs, and stops when more than a fifth of a stage fails again: see
 * `OperationRequest`. A payload and more than 1,000 ids are not stored: `runOperation` takes them.
 *
 * @throws RedriveError `invalid_option`; `operation_conflict` if the id belongs to another request;
 *   `not_a_dead_letter`; `control_conflict`;
 *   `store_unavailable`: submit it again.
 */
export async function submitOperation(
  store: FullStore,
  request: OperationRequest,
): Promise<OperationStatus> {
  checkRequest(request);
  return beginOperation(store, request);
}

/** `worker`: the process that carries it out at once, so that no other process begins. */
export async function beginOperation(
  store: FullStore,
  request: OperationRequest,
  worker?: string,
): Promise<OperationStatus> {
  const { id } = request;
  const operation = await beginActs(store, request);
  const total = operation.state === 'running' ? await count(store, request, operation) : undefined;
  let nowMs = 0;
  const { after } = await updateControl(store, {
    of: 'operation',
    key: id,
    next: (current, time) => {
      nowMs = time;
      if (current !== undefined || operation.state === 'finished') return undefined;
      const runner = worker === undefined ? undefined : leaseOf(worker, time);
      return newProgress(request, operation, total, time, runner);
    },
    // The operation itself is noted with its request: only its options are new.
    note: (_, progress) =>
      progress !== null && (worker === undefined || hasTerms(progress))
        ? { by: operation.by, why: operation.why, ...termsOf(progress) }
        : undefined,
  });
  return statusOf(operation, after, nowMs);
}

/** The options that an operator can set, for the record. */
export function termsOf({ state, pace, maxInFlight, ramp }: BulkProgress) {
  return { state, ratePerSecond: pace?.perSecond, maxInFlight, ramp: ramp?.plan };
}

function hasTerms({ pace, maxInFlight, ramp }: BulkProgress): boolean {
  return pace !== undefined || maxInFlight !== undefined || ramp !== undefined;
}

async function count(
  store: FullStore,
  { act, target }: OperationRequest,
  { request }: Operation,
): Promise<BulkProgress['total']> {
  if ('ids' in target) return { count: target.ids.length, bounded: false };
  // Only dead letters can be counted quickly.
  if ('jobs' in target || act === 'restore') return undefined;
  const { filter, limit } = target;
  // Letters that have the right cause already are not acted on.
  if (act === 'regroup') return undefined;
  const diedBeforeMs = Math.min(filter.diedBeforeMs ?? Infinity, cutOffOf(request) ?? Infinity);
  const atMost = Math.min(limit, MAX_DEAD_COUNT);
  const found = await store.countDead({ ...filter, diedBeforeMs }, atMost);
  // The limit ends it: further letters do not matter.
  return limit <= MAX_DEAD_COUNT ? { count: Math.min(found.count, limit), bounded: false } : found;
}

/**
 * Workers group letters by the rules that they last saw, which may be a second old. A regrouping begins after this time, with
 * the letters that died until then.
 */
const RULES_SEEN_MS = 3_000;

/** Begins it, or finds the one that was begun, whose cut-off then holds. */
export async function beginActs(store: FullStore, wish: NamedWish): Promise<Operation> {
  const { id, actor, target } = wish;
  const given = 'ids' in target ? undefined : target.cutOffMs;
  const existing = await store.operation(id);
  if (existing !== undefined) return store.beginOperation(beginOf(wish, given, existing));
  await refuseOthers(store, wish);
  const { nowMs } = await store.pulse([]);
  const graceMs = wish.act === 'regroup' && (await isAnyoneWorking(store)) ? RULES_SEEN_MS : 0;
  const cutOffMs = 'ids' in target ? undefined : (given ?? nowMs + graceMs);
  try {
    return await store.beginOperation({ id, actor, request: requestOf(wish, cutOffMs) });
  } catch (error) {
    // Somebody else began the same at the same time, a moment earlier.
    const begun = isRedriveError(error, 'operation_conflict') && (await store.operation(id));
    if (!begun) throw error;
    return store.beginOperation(beginOf(wish, given, begun));
  }
}

function beginOf(
  wish: NamedWish,
  cutOffMs: number | undefined,
  { request }: Operation,
): BeginOperation {
  const { id, actor } = wish;
  return { id, actor, request: requestOf(wish, cutOffMs ?? cutOffOf(request)) };
}
