import type { ActRefusal } from '@redrive/durable';
import type { FullStore } from '@redrive/durable/store';

/** A letter that was not acted on, and why, in words. */
export interface RefusalNote extends ActRefusal {
  readonly note: string;
}

/** Why each one refused. There are at most 100 of them. */
export async function refusalNotes(
  store: FullStore,
  refusals: readonly ActRefusal[],
): Promise<readonly RefusalNote[]> {
  const notes: RefusalNote[] = [];
  for (const { id, refusal } of refusals) {
    notes.push({ id, refusal, note: await noteOf(store, id, refusal) });
  }
  return notes;
}

async function noteOf(store: FullStore, id: string, refusal: string): Promise<string> {
  if (refusal === 'not_found') return 'there is no such job';
  if (refusal === 'unique_conflict') return 'another unfinished job has its unique key';
  if (refusal === 'changed') return 'it was changed in the meantime';
  const job = await store.job(id);
  return job === undefined ? 'it is gone' : `it is ${job.state}`;
}
