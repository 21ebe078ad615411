import type { FullStore } from '@redrive/durable';
import {
  type Counts,
  countStates,
  FAILING_STATES,
  isBounded,
  type JobFilter,
  MAX_FAILING_SCAN,
} from '@redrive/durable/store';
import * as z from 'zod';
import { fitsJob } from './job-filter.ts';

export const FAILING = z
  .object({
    count: z.number().describe('jobs that match, on all pages'),
    bounded: z.boolean().describe('true: only the 10,000 jobs of each state that are due first'),
    dead: z.number().describe('dead jobs, where no job is failing; dead letters have more'),
    dead_bounded: z.boolean().describe('true: there are more dead jobs'),
  })
  .nullable()
  .describe('the number of failing jobs; null: not asked for');

/** Failing jobs that match, the newest failure first, and how many there are. */
export async function failingJobs(store: FullStore, filter: JobFilter, limit: number) {
  const states = FAILING_STATES.filter((state) => filter.states?.includes(state) ?? true);
  const { jobs, bounded } = await store.failing({ atMost: MAX_FAILING_SCAN, states });
  const found = jobs
    .filter((job) => fitsJob(job, filter))
    .sort((a, b) => (b.lastFailedAtMs ?? 0) - (a.lastFailedAtMs ?? 0));
  const dead =
    found.length === 0 ? await deadJobs(store, filter) : { dead: 0, dead_bounded: false };
  return { jobs: found.slice(0, limit), failing: { count: found.length, bounded, ...dead } };
}

/** Dead jobs are finished, so they are not in the list; a reader of `redrive status` looks for them here. */
async function deadJobs(store: FullStore, filter: JobFilter) {
  const { states, handler, queue, otherThan, ...others } = filter;
  // Counts know handlers and queues only.
  const isKnown = [states, ...Object.values(others)].every((each) => each === undefined);
  const counts = isKnown ? await store.counts() : undefined;
  const isMeant = (group: Counts['groups'][number]) =>
    group.state === 'dead' &&
    (handler === undefined || group.handler === handler) &&
    !otherThan?.includes(group.handler) &&
    (queue === undefined || group.queue === queue);
  return {
    dead: counts ? countStates(counts, isMeant).dead : 0,
    dead_bounded: counts !== undefined && isBounded(counts, isMeant),
  };
}
