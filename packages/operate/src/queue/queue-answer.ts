import type { Pause } from '@redrive/durable/control';
import { type Counts, countStates, iso, JOB_STATES } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';

/** The number of jobs in each state. */
export const STATES = z.object({
  scheduled: z.number().describe('wait until they are due'),
  ready: z.number().describe('may start'),
  parked: z.number().describe('wait for a cause, such as an open breaker'),
  leased: z.number().describe('run now'),
  succeeded: z.number().describe('done'),
  dead: z.number().describe('given up'),
  cancelled: z.number().describe('cancelled by a person or a program'),
  purged: z.number().describe('deleted, and can be restored for a while'),
});

/** The states in which there are more jobs than counted. */
export const BOUNDED_STATES = z
  .array(z.enum(JOB_STATES))
  .describe('the states in which there are more jobs than counted');

export const PAUSE = z.object({
  scope: z.enum(['queue', 'handler', 'schedule']).describe('a queue, a handler or a schedule'),
  name: z.string().describe('its name'),
  since: time().describe('when it was paused'),
  by: z.string().describe('who paused it'),
  why: z.string().nullable().describe('the reason that was given'),
});
export const PAUSES = z
  .array(PAUSE)
  .describe('paused queues, handlers and schedules; running jobs finish');

export function pauseAnswer({ scope, name, sinceMs, by, why }: Pause): z.output<typeof PAUSE> {
  return { scope, name, since: iso(sinceMs), by, why: why ?? null };
}

export const QUEUE = z.object({
  queue: z.string().describe('its name'),
  paused: z.boolean().describe('true: none of its jobs is started'),
  states: STATES.describe('jobs in each state'),
  bounded: BOUNDED_STATES,
});

/** The queues that have jobs or are paused, by name. */
export function queueAnswers(counts: Counts, all: readonly Pause[]): z.output<typeof QUEUE>[] {
  const paused = new Set(all.filter(({ scope }) => scope === 'queue').map(({ name }) => name));
  const names = new Set([...counts.groups.map(({ queue }) => queue), ...paused]);
  return [...names].sort().map((queue) => ({
    queue,
    paused: paused.has(queue),
    states: countStates(counts, (group) => group.queue === queue),
    bounded: counts.groups
      .filter((group) => group.queue === queue && group.bounded)
      .map(({ state }) => state),
  }));
}
