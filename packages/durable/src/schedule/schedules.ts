import { type Clock, RedriveError, systemClock } from '@redrive/core';
import { newSortableId } from '@redrive/core/stored';
import { documentsIn } from '../control/documents-in.ts';
import type { KillSwitch } from '../control/rules/documents.ts';
import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { nextTick } from './plan.ts';
import type { ScheduleDocument } from './schedule.ts';
import { scheduledJob, stopKeysOf } from './scheduled-job.ts';

/** A schedule as its document and the kill switches have it. */
export interface ScheduleStatus extends ScheduleDocument {
  readonly name: string;
  /** `undefined`: it is stopped, or never ticks again. */
  readonly nextTickMs?: number | undefined;
  /** The kill switch or pause that stops it. `key`: of its document. */
  readonly stopped?: (KillSwitch & { readonly key: string }) | undefined;
}

/** The schedules that workers have declared, by name. @throws RedriveError `store_unavailable`. */
export async function schedules(
  store: FullStore,
): Promise<{ readonly nowMs: number; readonly schedules: readonly ScheduleStatus[] }> {
  const controls = await store.controls();
  const { nowMs } = controls;
  const kills = documentsIn(controls, 'kill');
  const all = [...documentsIn(controls, 'schedule')].map(([name, document]): ScheduleStatus => {
    const key = stopKeysOf(name, document.job).find((one) => kills.has(one));
    const kill = key === undefined ? undefined : kills.get(key);
    const stopped = key !== undefined && kill !== undefined ? { ...kill, key } : undefined;
    const nextTickMs = stopped ? undefined : nextTick(document.plan, nowMs);
    return { ...document, name, nextTickMs, stopped };
  });
  return { nowMs, schedules: all };
}

/**
 * Enqueues a schedule's job now. Its ticks stay as they are. Returns the id of the job.
 *
 * @throws RedriveError `invalid_option`: there is no such schedule; `unique_conflict`: its overlap is `skip`, and a job of
 *   it is unfinished.
 */
export async function runSchedule(
  store: FullStore,
  {
    name,
    actor,
    clock = systemClock,
  }: { readonly name: string; readonly actor: Actor; readonly clock?: Clock },
): Promise<string> {
  const { nowMs, schedules: all } = await schedules(store);
  const schedule = all.find((one) => one.name === name);
  if (schedule === undefined)
    throw new RedriveError('invalid_option', `There is no schedule ${name}`);
  const id = newSortableId(clock);
  const command = scheduledJob(name, schedule, { id, tickMs: nowMs, actor });
  const [result] = await store.apply([{ ...command, onConflict: 'refuse' }]);
  if (result.ok) return id;
  const message = `Job ${result.id} of the schedule ${name} is unfinished, and its overlap is skip`;
  throw new RedriveError('unique_conflict', message, { id: result.id, schedule: name });
}
