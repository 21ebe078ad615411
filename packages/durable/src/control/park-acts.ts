import { type OptionTable, refuse, resolveOptions } from '@redrive/core/fields';
import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { keptWhy } from '../store/kept-why.ts';
import { controlNote } from './control-note.ts';
import { checkPace, type PaceWish, paceFrom } from './pace-wish.ts';
import { isLeftToTime } from './parked-cause.ts';
import { MAX_RELEASED, type ParkReleased, releaseJobs } from './release-jobs.ts';
import { updateControl } from './update-control.ts';

export interface ParkAct {
  /** As `parkedCauses` names it: `breaker:<dependency>`, for example. */
  readonly cause: string;
  readonly actor: Actor;
}

export interface ReleasePark extends ParkAct {
  /** Only so many, now, in the order of the queue. A hold stays. Not together with `pace`. */
  readonly count?: number | undefined;
  /** They come back at this pace as soon as the cause is gone, and are no longer held. */
  readonly pace?: PaceWish | undefined;
}

const COUNT: OptionTable<Pick<ReleasePark, 'count'>> = {
  count: [undefined, { kind: 'integer', min: 1, max: MAX_RELEASED }],
};

/**
 * Makes parked jobs of one cause ready: all of them, so many, or at a pace. Where the cause is still there, as an open
 * breaker is, they are parked again when their turn comes: take the cause away first.
 *
 * @throws RedriveError `invalid_option`, `control_conflict`, `store_unavailable`.
 */
export async function releasePark(
  store: FullStore,
  { cause, count, pace, actor }: ReleasePark,
): Promise<ParkReleased> {
  resolveOptions('release', { count }, COUNT);
  checkPace(pace);
  if (pace !== undefined && count !== undefined) {
    const message = 'count and pace cannot be given together';
    refuse('invalid_option', 'release', [{ field: 'count', message }]);
  }
  const park = (await store.parks()).find((each) => each.cause === cause);
  if (pace !== undefined) {
    await updateControl(store, {
      of: 'park',
      key: cause,
      next: (current, nowMs) => {
        const { held: _, ...rest } = current ?? { sinceMs: nowMs };
        return { ...rest, ...paceFrom(pace, nowMs) };
      },
      note: () => controlNote(actor, 'release', { pace }),
    });
    return { released: 0, more: park !== undefined };
  }
  if (count === undefined) {
    await updateControl(store, {
      of: 'park',
      key: cause,
      next: (current) => (current === undefined ? undefined : null),
      note: () => controlNote(actor, 'release'),
    });
  }
  // No more than there were: where the cause is still there, they come back while this goes on.
  const were = park === undefined || park.bounded ? MAX_RELEASED : park.count;
  return releaseJobs(store, cause, Math.min(count ?? were, MAX_RELEASED), actor);
}

/**
 * Keeps jobs of a cause parked, whatever becomes of it, until `endHold` or `releasePark`, and each one for 24 hours at
 * most (`PARKED_AT_MOST_MS`): then it comes back by its own time, and runs if the cause is gone. For longer, pause its
 * queue or its handler. Only what waits for it: a job that comes later runs when the cause is gone. `changed: false`: they
 * were held already.
 *
 * @throws RedriveError `invalid_option` where each of them waits for a time of its own, as those of a budget do;
 *   `control_conflict`, `store_unavailable`.
 */
export async function holdPark(
  store: FullStore,
  { cause, actor }: ParkAct,
): Promise<{ readonly changed: boolean; readonly held: { readonly by: string } }> {
  if (isLeftToTime(cause)) {
    const message = `each job under ${cause} waits for a time of its own, and cannot be held: pause its queue or handler`;
    refuse('invalid_option', 'hold', [{ field: 'cause', message }]);
  }
  const held = { by: actor.name, why: keptWhy(actor.why) };
  const { after, changed } = await updateControl(store, {
    of: 'park',
    key: cause,
    next: (current, nowMs) =>
      current?.held === undefined ? { sinceMs: nowMs, ...current, held } : undefined,
    note: () => controlNote(actor, 'hold'),
  });
  return { changed, held: after?.held ?? held };
}

/**
 * Ends a hold: jobs come back by themselves when the cause is gone, at a pace. `changed: false`: there was none.
 *
 * @throws RedriveError `control_conflict`, `store_unavailable`.
 */
export async function endHold(
  store: FullStore,
  { cause, actor }: ParkAct,
): Promise<{ readonly changed: boolean }> {
  const { changed } = await updateControl(store, {
    of: 'park',
    key: cause,
    next: (current) => {
      if (current?.held === undefined) return undefined;
      const { held: _, ...rest } = current;
      return rest;
    },
    note: () => controlNote(actor, 'end_hold'),
  });
  return { changed };
}
