import { causes, type ParkedCause } from '@redrive/core/control';
import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { controlNote } from './control-note.ts';
import { documentsIn } from './documents-in.ts';
import type { EngagedKill } from './kill-switches.ts';
import { type KillTarget, killKey } from './kill-target.ts';
import { checkPace, type PaceWish, paceFrom } from './pace-wish.ts';
import { MAX_RELEASED, releaseJobs } from './release-jobs.ts';
import { updateControl } from './update-control.ts';

export interface ReleaseKill extends KillTarget {
  /** At which pace what was stopped comes back. Absent: all of it at once. */
  readonly pace?: PaceWish | undefined;
  readonly actor: Actor;
}

/**
 * Lets go on what a kill switch stopped; nothing else ever does, no restart and no time. With a pace, what was submitted
 * before now comes back at it, under the cause `kill:…`; what is submitted later just runs. Without one, what is still
 * parked from an earlier release at a pace is ready at once too, unless an operator holds it. Absent `released`: nothing
 * was engaged.
 *
 * @throws RedriveError `invalid_option`, `control_conflict`, `store_unavailable`: then it is still engaged.
 */
export async function releaseKill(
  store: FullStore,
  { pace, actor, ...target }: ReleaseKill,
): Promise<{ readonly released?: EngagedKill | undefined }> {
  const key = killKey(target);
  const cause = causes.kill(key);
  checkPace(pace);
  if (!documentsIn(await store.controls(), 'kill').has(key)) return {};
  // All of this before the switch goes: whoever claims after it must find the pace, and what fails leaves it engaged.
  const { after } = await updateControl(store, {
    of: 'park',
    key: cause,
    next: (current, nowMs) => parkAfter(current, pace, nowMs) ?? (current && null),
  });
  if (after === undefined) await releaseJobs(store, cause, MAX_RELEASED, actor);
  const { before: released, changed } = await updateControl(store, {
    of: 'kill',
    key,
    next: (current) => current && null,
    note: () => controlNote(actor, 'release', pace && { pace }),
  });
  return changed && released !== undefined ? { released: { ...target, ...released } } : {};
}

/** How what was stopped waits afterwards. An operator's hold of it stays. */
function parkAfter(
  current: ParkedCause | undefined,
  pace: PaceWish | undefined,
  nowMs: number,
): ParkedCause | undefined {
  const held = current?.held;
  if (pace === undefined) return held && { sinceMs: current?.sinceMs ?? nowMs, held };
  return { sinceMs: nowMs, held, ...paceFrom(pace, nowMs), submittedBeforeMs: nowMs };
}
