import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { keptWhy } from '../store/kept-why.ts';
import { controlNote } from './control-note.ts';
import type { Controls } from './control-store.ts';
import { documentsIn } from './documents-in.ts';
import {
  type KillTarget,
  type KillWish,
  killKey,
  killTargetOf,
  storedTarget,
} from './kill-target.ts';
import type { KillSwitch } from './rules/documents.ts';
import { updateControl } from './update-control.ts';

/** An engaged kill switch: its target, since when, who engaged it and why. */
export interface EngagedKill extends KillTarget, KillSwitch {}

export interface EngageKill extends KillWish {
  /**
   * Running attempts may `finish`, or are aborted and refunded (`interrupt`). Default `finish`.
   */
  readonly mode?: KillSwitch['mode'] | undefined;
  readonly actor: Actor;
}

/**
 * Stops the target: within a second no attempt starts in any process, also after a restart, until somebody releases it.
 * Jobs can be enqueued as before, and wait. Engaging it again changes its mode, or nothing.
 *
 * @throws RedriveError `invalid_option`, `control_conflict`, `store_unavailable`.
 */
export async function engageKill(
  store: FullStore,
  { mode = 'finish', actor, ...wish }: EngageKill,
): Promise<{ readonly changed: boolean; readonly engaged: EngagedKill }> {
  const target = storedTarget(wish);
  const key = killKey(target);
  const wanted = { mode, by: actor.name, why: keptWhy(actor.why) };
  const { after, changed } = await updateControl(store, {
    of: 'kill',
    key,
    next: (current, nowMs) =>
      current?.mode === mode ? undefined : { sinceMs: nowMs, ...current, ...wanted },
    note: () => controlNote(actor, 'engage', { mode }),
  });
  // `next` never deletes it.
  return { changed, engaged: { ...target, ...(after as KillSwitch) } };
}

/** The engaged kill switches, by name. @throws RedriveError `store_unavailable`. */
export async function killSwitches(store: FullStore): Promise<readonly EngagedKill[]> {
  return killSwitchesIn(await store.controls());
}

export function killSwitchesIn(controls: Controls): readonly EngagedKill[] {
  return [...documentsIn(controls, 'kill')].flatMap(([key, kill]) => {
    const target = killTargetOf(key);
    return target === undefined ? [] : [{ ...target, ...kill }];
  });
}
