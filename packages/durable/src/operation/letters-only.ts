import { RedriveError } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import type { JobState } from '../job/job.ts';
import type { FullStore } from '../store/full-store.ts';
import type { ActWish } from './act-wish.ts';

/** States in which the store would accept the act, although the job is not a dead letter. */
const SPARED: Readonly<Partial<Record<ActWish['act'], readonly JobState[]>>> = {
  requeue: ['cancelled'],
  reset: ['cancelled', 'scheduled', 'ready', 'parked'],
  purge: ['succeeded', 'cancelled'],
};

/** The most ids that a store accepts in one call of `standings`. */
const AT_ONCE = 1_000;

/**
 * Refuses an act on dead letters if one of the named jobs is not a dead letter: its id is probably a mistake. The store
 * alone would accept some of these acts.
 *
 * @throws RedriveError `not_a_dead_letter`
 */
export async function refuseOthers(
  store: Pick<FullStore, 'standings'>,
  { act, target }: Pick<ActWish, 'act' | 'target'>,
): Promise<void> {
  const spared = SPARED[act];
  if (spared === undefined || !('ids' in target)) return;
  const ids = target.ids.map((each) => (typeof each === 'string' ? each : each.id));
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const standings = await store.standings(ids.slice(from, from + AT_ONCE));
    const other = standings.find(({ state }) => spared.includes(state));
    if (other === undefined) continue;
    const { id, state } = other;
    const message = `${id} is not a dead letter: its state is ${state}. Look at it with: ${commandText`redrive jobs show ${id}`}`;
    throw new RedriveError('not_a_dead_letter', message, { id, state });
  }
}
