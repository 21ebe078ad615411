import type { ScheduleStatus } from '../control/schedules.ts';
import { isoTime } from './times.ts';

/** A tick that is this late has no worker: any worker would have enqueued it after two seconds. */
const LATE_MS = 10_000;

/** `stopped`: by a kill switch or a pause. `no_worker`: its tick is late, and nobody enqueues it. */
export function scheduleState({ stopped, untilMs }: ScheduleStatus, nowMs: number) {
  if (stopped !== undefined) return 'stopped';
  return untilMs + LATE_MS < nowMs ? 'no_worker' : 'active';
}

/** As JSON prints it. */
export function scheduleJson(schedule: ScheduleStatus, nowMs: number) {
  const { name, plan, job, overlap, missed, last, holder, totals, stopped } = schedule;
  return {
    name,
    every_ms: 'everyMs' in plan ? plan.everyMs : null,
    cron: 'cron' in plan ? plan.cron : null,
    time_zone: 'cron' in plan ? plan.timeZone : null,
    handler: job.handler,
    queue: job.queue,
    tenant: job.tenant || null,
    priority: job.priority,
    ...{ overlap, missed },
    state: scheduleState(schedule, nowMs),
    next: isoTime(schedule.nextTickMs),
    last_tick: isoTime(last?.tickMs),
    last_result: last?.result ?? null,
    last_job: last?.jobId ?? null,
    holder,
    totals,
    stopped_by: stopped?.by ?? null,
    stopped_why: stopped?.why ?? null,
  };
}
