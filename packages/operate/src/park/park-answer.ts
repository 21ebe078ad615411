import type { ParkedJobs } from '@redrive/durable/control';
import { causeName, isoTime } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';
import { PROBE, probeOf } from '../breaker/probe.ts';

const WAITS_FOR = z
  .enum(['breaker', 'gate', 'kill', 'time', 'nothing'])
  .describe(
    'time: each job has its own due time; nothing: the cause is gone, and the jobs are being released',
  );
const DEPENDENCY = z
  .string()
  .nullable()
  .describe('the dependency of the breaker or the gate; null: the cause is none of these');

/** The condition that the jobs of a cause wait for. */
export const CONDITION = z.object({ waits_for: WAITS_FOR, dependency: DEPENDENCY });

/** The jobs that are parked under one cause. */
export const PARK = z.object({
  cause: z.string().describe('its short name, for commands'),
  key: z.string().describe('the full name, as it is stored with the jobs'),
  count: z.number().describe('jobs, counted up to 10,000'),
  bounded: z.boolean().describe('true: there are more'),
  since: time().nullable().describe('null: not known'),
  ...CONDITION.shape,
  until: time().nullable().describe('when a gate opens'),
  next_probe_at: time()
    .nullable()
    .describe(
      'when one of the jobs probes; null: there is no probe, or no live worker has their handler',
    ),
  probe: PROBE,
  held_by: z.string().nullable().describe('the operator who holds them'),
  held_why: z.string().nullable().describe('the reason that was given'),
  pace: z
    .number()
    .nullable()
    .describe(
      'jobs per second that are released now; null: none, or no live worker has their handler',
    ),
  has_worker: z
    .boolean()
    .describe('false: no live worker has the handlers of parked jobs, so none is released'),
});

/** Without a worker jobs are neither probed nor released, even if a time and a pace are set. */
export function parkAnswer(park: ParkedJobs, hasWorker: boolean): z.output<typeof PARK> {
  const { cause, count, bounded, sinceMs, waitsFor, held, perSecond } = park;
  const isBreaker = waitsFor.kind === 'breaker';
  return {
    cause: causeName(cause),
    key: cause,
    count,
    bounded,
    since: isoTime(sinceMs),
    ...conditionOf(park),
    until: isoTime(waitsFor.kind === 'gate' ? waitsFor.untilMs : undefined),
    next_probe_at: isoTime(isBreaker && hasWorker ? waitsFor.nextProbeAtMs : undefined),
    probe: isBreaker ? probeOf(waitsFor, hasWorker) : 'none',
    held_by: held?.by ?? null,
    held_why: held?.why ?? null,
    pace: (hasWorker ? perSecond : undefined) ?? null,
    has_worker: hasWorker,
  };
}

export function conditionOf({ waitsFor }: ParkedJobs): z.output<typeof CONDITION> {
  const dependency = 'dependency' in waitsFor ? waitsFor.dependency : null;
  return { waits_for: waitsFor.kind, dependency };
}
