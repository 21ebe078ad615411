import { type BulkProgress, changedAtMs, isOver } from '../control/rules/bulk-progress.ts';
import { documentsIn, updateControl } from '../control/update-control.ts';
import type { FullStore } from '../store/full-store.ts';
import { findProgress, writeProgress } from './stored-progress.ts';

/** The place of an operation that ended before its first item. */
const BEFORE_ALL = '-';

/** Finishes the operation of a bulk operation that is over. Two processes may do it at the same time. */
export async function settleOperation(store: FullStore, id: string): Promise<void> {
  const found = await findProgress(store, id);
  if (found === undefined || !isOver(found.progress) || found.progress.settled) return;
  await finishOperation(store, id);
  const { runner: _, ids: __, ...progress } = found.progress;
  await writeProgress(store, id, found, { ...progress, settled: true });
}

/** The cursor stays where it was, which distinguishes an aborted operation from one that came to its end. */
async function finishOperation(store: FullStore, id: string): Promise<void> {
  let operation = await store.operation(id);
  while (operation?.state === 'running') {
    const { revision, cursor = BEFORE_ALL } = operation;
    const answer = await store.stepOperation({ id, revision, cursor, acts: [], finished: true });
    // If another process was in the middle of a step, it is finished after that step.
    operation = answer.operation;
  }
}

/** The progress of this many bulk operations is kept, for this long after their end. */
export const PROGRESS_KEPT_MS = 7 * 86_400_000;
export const PROGRESS_KEPT = 100;

/** Deletes documents of bulk operations that ended or were left long ago: every process reads all documents. */
export async function forgetOperations(store: FullStore): Promise<void> {
  const controls = await store.controls();
  const { nowMs } = controls;
  const all = [...documentsIn(controls, 'operation')];
  const over = all
    .filter(([, progress]) => isOver(progress) && progress.settled)
    .sort(([, a], [, b]) => changedAtMs(b) - changedAtMs(a));
  for (const [place, [key, progress]] of over.entries()) {
    if (place < PROGRESS_KEPT && nowMs - changedAtMs(progress) < PROGRESS_KEPT_MS) continue;
    await forget(store, key, () => true);
  }
  for (const [key, progress] of all) {
    if (!isLeft(progress, nowMs)) continue;
    const { updatedAtMs = 0 } = (await store.operation(key)) ?? {};
    if (nowMs - updatedAtMs >= PROGRESS_KEPT_MS) await forget(store, key, isLeft);
  }
}

/**
 * Whether only its command could continue it, and has not for long. If the command is run again after all, it continues
 * without the document. A pause is kept: the command must not continue then.
 */
function isLeft(progress: BulkProgress, nowMs: number): boolean {
  const { bySubmitter, state, runner } = progress;
  if (!bySubmitter || state !== 'running') return false;
  return nowMs - Math.max(changedAtMs(progress), runner?.untilMs ?? 0) >= PROGRESS_KEPT_MS;
}

async function forget(store: FullStore, key: string, isOld: typeof isLeft): Promise<void> {
  await updateControl(store, {
    of: 'operation',
    key,
    next: (current, nowMs) => (current !== undefined && isOld(current, nowMs) ? null : undefined),
  });
}
