import type { CourseItem, ItemStanding } from '../control/rules/index.ts';
import type { JobState } from '../job/job.ts';
import type { FullStore } from '../store/full-store.ts';
import type { JobStanding } from './operation.ts';

const AT_ONCE = 1_000;

/** How the items of a course stand now, by id. `cause`: what those are parked under that wait for its ramp. */
export async function standingsFor(
  store: Pick<FullStore, 'standings'>,
  items: readonly Pick<CourseItem, 'id'>[],
  cause: string,
): Promise<ReadonlyMap<string, ItemStanding>> {
  const standings = new Map<string, ItemStanding>();
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const ids = items.slice(from, from + AT_ONCE).map(({ id }) => id);
    for (const found of await store.standings(ids)) {
      standings.set(found.id, standingOf(found, cause));
    }
  }
  return standings;
}

function standingOf({ id, generation, state, failed, ...job }: JobStanding, cause: string) {
  const held = state === 'parked' && job.cause === cause;
  return { id, generation, end: ENDS[state], held, failed };
}

const ENDS: Readonly<Partial<Record<JobState, ItemStanding['end']>>> = {
  succeeded: 'succeeded',
  dead: 'failed',
  cancelled: 'other',
  // It had ended before: nobody knows how any more.
  purged: 'other',
};
