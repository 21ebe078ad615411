import { nearest } from '@redrive/core/fields';
import { type ScheduleStatus, schedules } from '@redrive/durable/control';
import type { Context } from '../action/context.ts';
import { Refusal } from '../action/refusal.ts';

const NO_SCHEDULES =
  'No worker has declared a schedule. Declare schedules in redrive.yaml under schedules, or with jobs.schedule() in your application, and start a worker.';

/** @throws Refusal `not_found`, with a suggestion. */
export async function knownSchedule(
  { store, asOf }: Pick<Context, 'store' | 'asOf'>,
  name: string,
): Promise<{ readonly nowMs: number; readonly schedule: ScheduleStatus }> {
  const { nowMs, schedules: all } = await schedules(store);
  asOf(nowMs);
  const schedule = all.find((each) => each.name === name);
  if (schedule !== undefined) return { nowMs, schedule };
  const names = all.map((each) => each.name);
  const close = nearest(name, names);
  const hint = names.length === 0 ? NO_SCHEDULES : `Schedules: ${names.join(', ')}`;
  throw new Refusal(
    'not_found',
    `There is no schedule ${name}.`,
    close === undefined ? hint : `Did you mean ${close}?`,
  );
}
