import { type OptionTable, refuse, resolveOptions } from '@redrive/core/fields';
import { type Actor, keptWhy } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { isLeftToTime } from './parked-cause.ts';
import {
  checkPace,
  MAX_RELEASED,
  type PaceWish,
  type ParkReleased,
  paceFrom,
  releaseJobs,
} from './release-jobs.ts';
import { controlNote, updateControl } from './update-control.ts';

export interface ParkAct {
  /** As `parkedCauses` names it: `breaker:<dependency>`, for example. */
  readonly cause: string;
  readonly actor: Actor;
}

export interface ReleasePark extends ParkAct {
  /** At most this many, now, in the order of the queue. A hold stays. Not together with `pace`. */
  readonly count?: number | undefined;
  /** Releases them at this pace as soon as the cause is gone, and ends a hold. */
  readonly pace?: PaceWish | undefined;
}

const COUNT: OptionTable<Pick<ReleasePark, 'count'>> = {
  count: [undefined, { kind: 'integer', min: 1, max: MAX_RELEASED }],
};

/**
 * Makes parked jobs of one cause ready: all of them, a number, or at a pace. If the cause is still there, such as an open
 * breaker, they are parked again when it is their turn: remove the cause first.
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
  // At most as many as there were: if the cause is still there, jobs are parked again meanwhile.
  const were = park === undefined || park.bounded ? MAX_RELEASED : park.count;
  return releaseJobs(store, cause, Math.min(count ?? were, MAX_RELEASED), actor);
}

/**
 * Keeps the jobs of a cause parked, also when the cause is gone, until `endHold` or `releasePark`, and each job for at most
 * 24 hours (`PARKED_AT_MOST_MS`): then it is released, and runs if the cause is gone. To stop work for longer, pause its
 * queue or its handler. A hold covers jobs that are parked: a job that comes later runs when the cause is gone.
 * `changed: false`: they were held already.
 *
 * @throws RedriveError `invalid_option` if each of them waits for its own time, as jobs of a budget do;
 *   `control_conflict`, `store_unavailable`.
 */
export async function holdPark(
  store: FullStore,
  { cause, actor }: ParkAct,
): Promise<{ readonly changed: boolean; readonly held: { readonly by: string } }> {
  if (isLeftToTime(cause)) {
    const message = `jobs under ${cause} cannot be held, because each waits for its own time: pause its queue or handler`;
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
 * Ends a hold: the jobs are released at a pace when the cause is gone. `changed: false`: there was no hold.
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
