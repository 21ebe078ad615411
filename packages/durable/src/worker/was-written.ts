import type { Settlement } from '../job/settlement.ts';
import type { Store } from '../store/store.ts';

/** Whether the job's history has the attempt of this settlement. `false` where the store does not answer. */
export async function wasWritten(
  store: Store,
  settlement: Settlement | undefined,
): Promise<boolean> {
  const ours = settlement?.attempts.kept.at(-1);
  if (settlement === undefined || ours === undefined) return false;
  try {
    const job = await store.job(settlement.id);
    return (job?.attempts.kept ?? []).some(
      ({ generation, attempt, worker, entry, error }) =>
        generation === ours.generation &&
        attempt === ours.attempt &&
        worker === ours.worker &&
        entry === ours.entry &&
        error?.message === ours.error?.message,
    );
  } catch {
    return false;
  }
}
