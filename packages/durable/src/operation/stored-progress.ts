import type { Controls } from '../control/control-store.ts';
import type { BulkProgress } from '../control/rules/bulk-progress.ts';
import { controlCommand, documentOf } from '../control/update-control.ts';
import type { FullStore } from '../store/full-store.ts';

/** The progress of a bulk operation as it is stored. */
export interface FoundProgress {
  readonly progress: BulkProgress;
  readonly revision: number;
  readonly nowMs: number;
}

/** Writes the progress, unless another process has written since it was found: then it answers `false`. */
export async function writeProgress(
  store: Pick<FullStore, 'apply'>,
  id: string,
  { revision }: FoundProgress,
  next: BulkProgress,
  note?: object | undefined,
): Promise<boolean> {
  const update = { of: 'operation', key: id, note: () => note } as const;
  const [answer] = await store.apply([controlCommand(update, revision, undefined, next)]);
  return answer.ok;
}

export async function findProgress(
  store: Pick<FullStore, 'controls'>,
  id: string,
): Promise<FoundProgress | undefined> {
  return progressIn(await store.controls(), id);
}

export function progressIn({ all, nowMs }: Controls, id: string): FoundProgress | undefined {
  const found = all.find(({ kind, key }) => kind === 'operation' && key === id);
  const progress = found && documentOf<'operation'>(found);
  return progress && { progress, revision: found.revision, nowMs };
}
