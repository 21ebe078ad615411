import { RedriveError } from '@redrive/core';
import { causes, openPace, type ParkedCause } from '@redrive/core/control';
import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { controlNote } from './control-note.ts';
import type { Control, ControlCommand, ControlKind, Controls } from './control-store.ts';
import type { EngagedKill } from './kill-switches.ts';
import { type KillTarget, killKey } from './kill-target.ts';
import { checkPace, type PaceWish } from './pace-wish.ts';
import { documentOf, updateControl } from './update-control.ts';

export interface ReleaseKill extends KillTarget {
  /** At which pace what was stopped comes back. Absent: all of it at once. */
  readonly pace?: PaceWish | undefined;
  readonly actor: Actor;
}

/** Somebody else may be faster so often. */
const MAX_TRIES = 50;

/**
 * Lets go on what a kill switch stopped; nothing else ever does, no restart and no time. With a pace, what was submitted
 * before now comes back at it, under the cause `kill:…`; what is submitted later just runs. Absent `released`: nothing was
 * engaged, and nothing is done.
 *
 * @throws RedriveError `invalid_option`, `control_conflict`, `store_unavailable`.
 */
export async function releaseKill(
  store: FullStore,
  { pace, actor, ...target }: ReleaseKill,
): Promise<{ readonly released?: EngagedKill | undefined }> {
  const key = killKey(target);
  const cause = causes.kill(key);
  checkPace(pace);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const controls = await store.controls();
    const kill = find(controls, 'kill', key);
    if (kill === undefined) return {};
    const park = find(controls, 'park', cause);
    const after = parkAfter(park && documentOf<'park'>(park), pace, controls.nowMs);
    const gone = await takeAway(store, {
      park: park === undefined && after === undefined ? [] : [write('park', cause, park, after)],
      kill: {
        ...write('kill', key, kill, undefined),
        note: JSON.stringify(controlNote(actor, 'release', pace && { pace })),
      },
    });
    if (gone === 'changed') continue;
    if (gone === 'without park') {
      const next = (current: ParkedCause | undefined, nowMs: number) =>
        parkAfter(current, pace, nowMs) ?? null;
      await updateControl(store, { of: 'park', key: cause, next });
    }
    return { released: { ...target, ...documentOf<'kill'>(kill) } };
  }
  throw new RedriveError('control_conflict', `Others keep changing kill ${key}`, {
    kind: 'kill',
    key,
  });
}

/** One transaction: whoever claims after the switch is gone must find the pace. */
async function takeAway(
  store: FullStore,
  { park, kill }: { readonly park: readonly ControlCommand[]; readonly kill: ControlCommand },
): Promise<'both' | 'without park' | 'changed'> {
  const answers = await store.apply([...park, kill]);
  if (answers.at(-1)?.ok !== true) return 'changed';
  return answers.every(({ ok }) => ok) ? 'both' : 'without park';
}

/** How what was stopped waits afterwards. An operator's hold of it stays. */
function parkAfter(
  current: ParkedCause | undefined,
  pace: PaceWish | undefined,
  nowMs: number,
): ParkedCause | undefined {
  const held = current?.held;
  if (pace === undefined) return held && { sinceMs: current?.sinceMs ?? nowMs, held };
  const opened = openPace(nowMs, pace.perSecond);
  return { sinceMs: nowMs, held, pace: opened, submittedBeforeMs: nowMs };
}

function find({ all }: Controls, kind: ControlKind, key: string): Control | undefined {
  return all.find((control) => control.kind === kind && control.key === key);
}

function write(
  of: ControlKind,
  key: string,
  current: Control | undefined,
  after: object | undefined,
): ControlCommand {
  const document = after && JSON.stringify(after);
  return { kind: 'control', of, key, expect: current?.revision ?? 0, document };
}
