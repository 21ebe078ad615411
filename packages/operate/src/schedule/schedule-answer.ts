import type { ScheduleStatus } from '@redrive/durable/control';
import { isoTime } from '@redrive/durable/store';
import type * as z from 'zod';
import type { SCHEDULE } from './schedule-schema.ts';

/** A tick that is this late has no worker: any worker would have enqueued it after two seconds. */
const LATE_MS = 10_000;

export type ScheduleAnswer = z.output<typeof SCHEDULE>;

export function scheduleAnswer(schedule: ScheduleStatus, nowMs: number): ScheduleAnswer {
  const { name, plan, job, overlap, missed, last, holder, totals, stopped } = schedule;
  const isLate = schedule.untilMs + LATE_MS < nowMs;
  const stoppedAs = stopped?.key.startsWith('pause:') ? 'pause' : 'kill_switch';
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
    state: stopped === undefined ? (isLate ? 'no_worker' : 'active') : 'stopped',
    next: isoTime(schedule.nextTickMs),
    last_tick: isoTime(last?.tickMs),
    last_result: last?.result ?? null,
    last_job: last?.jobId ?? null,
    holder,
    totals: { ...totals },
    stopped_as: stopped === undefined ? null : stoppedAs,
    stopped_by: stopped?.by ?? null,
    stopped_why: stopped?.why ?? null,
  };
}
