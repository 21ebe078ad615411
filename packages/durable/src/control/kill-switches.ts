import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import { type Actor, anActor, keptWhy } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Controls } from './control-store.ts';
import {
  type KillTarget,
  type KillWish,
  killKey,
  killTargetOf,
  type PauseTarget,
  pauseKey,
  pauseTargetOf,
  storedTarget,
} from './kill-target.ts';
import type { KillSwitch } from './rules/documents.ts';
import { controlNote, documentsIn, updateControl } from './update-control.ts';

/** An engaged kill switch: its target, since when, who engaged it and why. */
export interface EngagedKill extends KillTarget, KillSwitch {}

/** A paused queue or handler: since when, who paused it and why. */
export interface Pause extends PauseTarget, Omit<KillSwitch, 'mode'> {}

export interface EngageKill extends KillWish {
  /**
   * Running attempts may `finish`, or are aborted and refunded (`interrupt`). Default `finish`.
   */
  readonly mode?: KillSwitch['mode'] | undefined;
  readonly actor: Actor;
}

export interface PauseWish extends PauseTarget {
  readonly actor: Actor;
}

const ENGAGE: OptionTable<EngageKill> = {
  scope: [null],
  name: [undefined],
  mode: ['finish', { kind: 'choice', values: ['finish', 'interrupt'] }],
  actor: [null, anActor],
};

const PAUSE: OptionTable<PauseWish> = { scope: [null], name: [undefined], actor: [null, anActor] };

/**
 * Stops the target: within a second no attempt starts in any process, also after a restart, until somebody releases it.
 * Jobs can be enqueued as before, and wait. Engaging it again changes its mode, or nothing.
 *
 * @throws RedriveError `invalid_option`, `control_conflict`, `store_unavailable`.
 */
export async function engageKill(
  store: FullStore,
  given: EngageKill,
): Promise<{ readonly changed: boolean; readonly engaged: EngagedKill }> {
  const { actor, ...wish } = resolveOptions('kill switch', given, ENGAGE);
  const mode = wish.mode ?? 'finish';
  const target = storedTarget(wish);
  const note = controlNote(actor, 'engage', { mode });
  const { changed, document } = await engage(store, killKey(target), { mode, actor }, note);
  return { changed, engaged: { ...target, ...document } };
}

/**
 * Pauses a queue or a handler: its running attempts finish, and none of its jobs is started until somebody resumes it. Or
 * pauses a schedule: it enqueues nothing, and its jobs go on.
 * It is a kill switch for jobs only: calls in process ignore it. A kill switch of the same target is independent of it:
 * jobs start when both are gone.
 *
 * @throws RedriveError `invalid_option`, `control_conflict`, `store_unavailable`.
 */
export async function pauseWork(
  store: FullStore,
  given: PauseWish,
): Promise<{ readonly changed: boolean }> {
  const { actor, ...target } = resolveOptions('pause', given, PAUSE);
  const note = controlNote(actor, 'pause');
  const { changed } = await engage(store, pauseKey(target), { mode: 'finish', actor }, note);
  return { changed };
}

/**
 * Resumes a paused queue, handler or schedule. `changed` is `false` if it was not paused.
 *
 * @throws RedriveError `invalid_option`, `control_conflict`, `store_unavailable`: then it is still paused.
 */
export async function resumeWork(
  store: FullStore,
  given: PauseWish,
): Promise<{ readonly changed: boolean }> {
  const { actor, ...target } = resolveOptions('pause', given, PAUSE);
  const { changed } = await disengage(store, pauseKey(target), controlNote(actor, 'resume'));
  return { changed };
}

/** Writes the document of a kill switch or a pause, unless it exists with this mode. */
async function engage(
  store: FullStore,
  key: string,
  { mode, actor }: { readonly mode: KillSwitch['mode']; readonly actor: Actor },
  note: object,
): Promise<{ readonly changed: boolean; readonly document: KillSwitch }> {
  const wanted = { mode, by: actor.name, why: keptWhy(actor.why) };
  const { after, changed } = await updateControl(store, {
    of: 'kill',
    key,
    next: (current, nowMs) =>
      current?.mode === mode ? undefined : { sinceMs: nowMs, ...current, ...wanted },
    note: () => note,
  });
  // `next` never deletes it.
  return { changed, document: after as KillSwitch };
}

/** Deletes the document of a kill switch or a pause. `before`: absent if there was none. */
export function disengage(
  store: FullStore,
  key: string,
  note: object,
): Promise<{ readonly changed: boolean; readonly before: KillSwitch | undefined }> {
  return updateControl(store, {
    of: 'kill',
    key,
    next: (current) => current && null,
    note: () => note,
  });
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

/** The paused handlers and queues, by name. @throws RedriveError `store_unavailable`. */
export async function pauses(store: FullStore): Promise<readonly Pause[]> {
  return pausesIn(await store.controls());
}

export function pausesIn(controls: Controls): readonly Pause[] {
  return [...documentsIn(controls, 'kill')].flatMap(([key, { sinceMs, by, why }]) => {
    const target = pauseTargetOf(key);
    return target === undefined ? [] : [{ ...target, sinceMs, by, why }];
  });
}
