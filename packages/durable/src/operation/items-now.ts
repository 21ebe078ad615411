import type { BulkItem, ItemNow } from '../control/rules/bulk-progress.ts';
import type { JobState } from '../job/job.ts';
import type { FullStore } from '../store/full-store.ts';
import type { JobStanding } from './operation.ts';

const AT_ONCE = 1_000;

/** The items of a bulk operation as they are now, by id. */
export async function itemsNow(
  store: Pick<FullStore, 'standings'>,
  items: readonly Pick<BulkItem, 'id'>[],
): Promise<ReadonlyMap<string, ItemNow>> {
  const now = new Map<string, ItemNow>();
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const ids = items.slice(from, from + AT_ONCE).map(({ id }) => id);
    for (const found of await store.standings(ids)) {
      now.set(found.id, { generation: found.generation, result: resultOf(found) });
    }
  }
  return now;
}

/** The first attempt decides, also when a later one has ended the job: the answer does not depend on the time of the look. */
function resultOf({ state, failed }: JobStanding): ItemNow['result'] {
  return failed > 0 ? 'failed' : RESULTS[state];
}

const RESULTS: Readonly<Partial<Record<JobState, ItemNow['result']>>> = {
  succeeded: 'succeeded',
  dead: 'failed',
  cancelled: 'other',
  // It had ended before, and nobody knows how any more.
  purged: 'other',
};
