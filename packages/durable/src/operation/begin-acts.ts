import { isRedriveError } from '@redrive/core';
import type { FullStore } from '../store/full-store.ts';
import { type ActWish, cutOffOf, requestOf } from './act-wish.ts';
import type { BeginOperation, Operation } from './operation.ts';

/** A wish under the id that its submitter chose. */
export interface NamedWish extends ActWish {
  /** Submitting the same wish under the same id again goes on where it stopped, and does nothing when it is finished. */
  readonly id: string;
}

/** Begins it, or finds the one that was begun, whose cut-off then holds. */
export async function beginActs(store: FullStore, wish: NamedWish): Promise<Operation> {
  const { id, actor, target } = wish;
  const given = 'ids' in target ? undefined : target.cutOffMs;
  const existing = await store.operation(id);
  if (existing !== undefined) return store.beginOperation(beginOf(wish, given, existing));
  const { nowMs } = await store.pulse([]);
  const cutOffMs = 'ids' in target ? undefined : (given ?? nowMs);
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
