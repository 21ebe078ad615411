import { type Clock, RedriveError, systemClock } from '@redrive/core';
import { newSortableId } from '@redrive/core/stored';
import { GONE_AFTER_MS } from '../live-workers/worker-report.ts';
import { nextTick } from '../schedule/plan.ts';
import type { ScheduleDocument } from '../schedule/schedule.ts';
import { scheduledJob, stopKeysOf } from '../schedule/scheduled-job.ts';
import type { Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { resumeWork } from './kill-switches.ts';
import type { KillSwitch } from './rules/documents.ts';
import { controlNote, documentsIn, updateControl } from './update-control.ts';

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
  if (schedule === undefined) throw noSchedule(name);
  const id = newSortableId(clock);
  const command = scheduledJob(name, schedule, { id, tickMs: nowMs, actor });
  const [result] = await store.apply([{ ...command, onConflict: 'refuse' }]);
  if (result.ok) return id;
  const message = `Job ${result.id} of the schedule ${name} is unfinished, and its overlap is skip`;
  throw new RedriveError('unique_conflict', message, { id: result.id, schedule: name });
}

/**
 * Removes a schedule that no process declares any more, with its totals and its pause. Its jobs stay. A process that still
 * declares it creates it again.
 *
 * @throws RedriveError `invalid_option`: there is no such schedule; `control_conflict`: its holder runs, or reported
 *   itself within a minute.
 */
export async function removeSchedule(
  store: FullStore,
  { name, actor }: { readonly name: string; readonly actor: Actor },
): Promise<void> {
  const { workers } = await store.workers({ limit: 1_000, seenWithinMs: GONE_AFTER_MS });
  await updateControl(store, {
    of: 'schedule',
    key: name,
    next(schedule) {
      if (schedule === undefined) throw noSchedule(name);
      const { holder } = schedule;
      if (!workers.some((worker) => worker.name === holder)) return null;
      const message = `The worker ${holder} declares the schedule ${name}: remove it there, and restart the worker`;
      throw new RedriveError('control_conflict', message, { schedule: name, holder });
    },
    note: () => controlNote(actor, 'remove'),
  });
  await resumeWork(store, { scope: 'schedule', name, actor });
}

function noSchedule(name: string): RedriveError {
  return new RedriveError('invalid_option', `There is no schedule ${name}`);
}
