import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import { type Actor, anActor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { disengage, type EngagedKill } from './kill-switches.ts';
import { type KillWish, killKey, storedTarget } from './kill-target.ts';
import { checkPace, MAX_RELEASED, type PaceWish, paceFrom, releaseJobs } from './release-jobs.ts';
import { causes, type ParkedCause } from './rules/documents.ts';
import { controlNote, documentsIn, updateControl } from './update-control.ts';

export interface ReleaseKill extends KillWish {
  /** The pace at which the stopped jobs are released. Absent: all at once. */
  readonly pace?: PaceWish | undefined;
  readonly actor: Actor;
}

const OPTIONS: OptionTable<ReleaseKill> = {
  scope: [null],
  name: [undefined],
  pace: [undefined],
  actor: [null, anActor],
};

/**
 * Releases a kill switch; nothing else does, no restart and no time limit. With a pace, jobs submitted before now are
 * parked under the cause `kill:…` and released at the pace; later jobs run at once. Without a pace, jobs that are still
 * parked from an earlier release at a pace become ready too, unless an operator holds them. Absent `released`: no switch
 * was engaged.
 *
 * @throws RedriveError `invalid_option`, `control_conflict`, `store_unavailable`: then it is still engaged.
 */
export async function releaseKill(
  store: FullStore,
  given: ReleaseKill,
): Promise<{ readonly released?: EngagedKill | undefined }> {
  const { pace, actor, ...wish } = resolveOptions('kill switch', given, OPTIONS);
  const target = storedTarget(wish);
  const key = killKey(target);
  const cause = causes.kill(key);
  checkPace(pace);
  if (!documentsIn(await store.controls(), 'kill').has(key)) return {};
  // Before the switch is released: a claim after it must find the pace, and a failure here leaves the switch engaged.
  const { after } = await updateControl(store, {
    of: 'park',
    key: cause,
    next: (current, nowMs) => parkAfter(current, pace, nowMs) ?? (current && null),
  });
  if (after === undefined) await releaseJobs(store, cause, MAX_RELEASED, actor);
  const note = controlNote(actor, 'release', pace && { pace });
  const { before: released, changed } = await disengage(store, key, note);
  return changed && released !== undefined ? { released: { ...target, ...released } } : {};
}

/** The cause's document after the release. An operator's hold stays. */
function parkAfter(
  current: ParkedCause | undefined,
  pace: PaceWish | undefined,
  nowMs: number,
): ParkedCause | undefined {
  const held = current?.held;
  if (pace === undefined) return held && { sinceMs: current?.sinceMs ?? nowMs, held };
  return { sinceMs: nowMs, held, ...paceFrom(pace, nowMs), submittedBeforeMs: nowMs };
}
