import type { JobState } from '@redrive/durable';
import type { EngagedKill, KillTarget } from '@redrive/durable/control';
import {
  type Counts,
  type CountsByState,
  countStates,
  handlersOf,
  isBounded,
  isCovered,
  iso,
  isoTime,
} from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';
import type { Concerned } from './kill-text.ts';

/** The target of a kill switch. */
export const TARGET = z.object({
  scope: z
    .enum(['all', 'queue', 'operation', 'tenant'])
    .describe('what it stops; operation: a handler'),
  name: z.string().nullable().describe('name of the queue, handler or tenant; null: everything'),
});

/** A kill switch. */
export const KILL = TARGET.extend({
  mode: z
    .enum(['finish', 'interrupt'])
    .describe('finish: running jobs may finish; interrupt: they are interrupted and released'),
  since: time().describe('when it was engaged'),
  by: z.string().describe('who engaged it'),
  why: z.string().nullable().describe('the reason that was given'),
});

/** The number of jobs that a kill switch concerns. */
export const CONCERNED = z.object({
  running: z.number().nullable().describe('running jobs that it stops; null: not known'),
  waiting: z.number().nullable().describe('waiting jobs that it stops; null: not known'),
  bounded: z.boolean().describe('true: counting stopped, and there are more'),
});

export function killAnswer(kill: EngagedKill): z.output<typeof KILL> {
  const { scope, name, mode, sinceMs, by, why } = kill;
  return { scope, name: name ?? null, mode, since: iso(sinceMs), by, why: why ?? null };
}

/** @param counts Absent: jobs could not be counted. */
export function concernedBy(target: KillTarget, counts: Counts | undefined): Concerned {
  if (counts === undefined || target.scope === 'tenant')
    return { running: null, waiting: null, bounded: false };
  const fits = (group: Counts['groups'][number]) => isCovered(target, group);
  const states = countStates(counts, fits);
  const bounded = isBounded(counts, (group) => fits(group) && UNFINISHED.has(group.state));
  return { running: states.leased, waiting: waitingIn(states), bounded };
}

const UNFINISHED: ReadonlySet<JobState> = new Set(['scheduled', 'ready', 'parked', 'leased']);

const waitingIn = ({ scheduled, ready, parked }: CountsByState) => scheduled + ready + parked;

/** The jobs that a kill switch would stop, by handler. */
export const FORECAST = TARGET.extend({
  ...CONCERNED.shape,
  handlers: z
    .array(
      z.object({
        queue: z.string().describe('the queue'),
        handler: z.string().describe('the handler'),
        running: z.number().describe('its running jobs'),
        waiting: z.number().describe('its waiting jobs'),
      }),
    )
    .describe('most jobs first; of a tenant none: jobs are not counted by tenant'),
  counted_at: time().nullable().describe('when they were counted'),
});

export function killForecast(target: KillTarget, counts: Counts): z.output<typeof FORECAST> {
  const handlers = handlersOf(counts)
    .filter((each) => target.scope !== 'tenant' && isCovered(target, each))
    .map(({ queue, handler, states }) => {
      return { queue, handler, running: states.leased, waiting: waitingIn(states) };
    })
    .filter(({ running, waiting }) => running + waiting > 0)
    .sort((a, b) => b.running + b.waiting - a.running - a.waiting);
  const { scope, name } = target;
  return {
    ...{ scope, name: name ?? null, ...concernedBy(target, counts) },
    ...{ handlers, counted_at: isoTime(counts.nowMs) },
  };
}
