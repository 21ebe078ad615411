import type { FullStore } from '@redrive/durable';
import {
  type Counts,
  countStates,
  isBounded,
  type JobFilter,
  type JobPage,
} from '@redrive/durable/store';
import * as z from 'zod';
import { STATES } from '../queue/queue-answer.ts';
import { withoutUpkeep } from './job-filter.ts';

export const JOB_COUNTS = z.object({
  states: STATES.describe('jobs in each state'),
  bounded: z.boolean().describe('true: there are more jobs than counted'),
  upkeep: z.number().describe("jobs of Redrive's own upkeep that match and are not counted"),
});

/**
 * How many jobs match, by state. Handlers and queues are counted by the store; for any other filter the newest jobs that
 * match are read.
 */
export async function jobCounts(
  store: FullStore,
  filter: JobFilter,
  upkeep: boolean,
): Promise<z.output<typeof JOB_COUNTS>> {
  const { handler, queue, states } = filter;
  const { groups, isSample } = isCounted(filter)
    ? { ...(await store.counts()), isSample: false }
    : await newest(store, filter);
  const { otherThan } = upkeep ? filter : withoutUpkeep(filter);
  const fits = (group: Group) =>
    (handler === undefined || group.handler === handler) &&
    (queue === undefined || group.queue === queue) &&
    (states?.includes(group.state) ?? true);
  const isLeftOut = (group: Group) => otherThan?.includes(group.handler) ?? false;
  const isMeant = (group: Group) => fits(group) && !isLeftOut(group);
  const leftOut = groups.filter((group) => fits(group) && isLeftOut(group));
  return {
    states: countStates({ groups }, isMeant),
    bounded: isSample || isBounded({ groups }, isMeant),
    upkeep: leftOut.reduce((sum, { count }) => sum + count, 0),
  };
}

/** How many jobs of upkeep a list leaves out. `null`: its filter is one that the store has no counts for. */
export async function upkeepLeftOut(store: FullStore, filter: JobFilter): Promise<number | null> {
  return isCounted(filter) ? (await jobCounts(store, filter, false)).upkeep : null;
}

/** Whether the store has counts for a filter: of handlers, queues and states. */
function isCounted({ handler, queue, states, ...others }: JobFilter): boolean {
  return Object.values(others).every((each) => each === undefined);
}

type Group = Counts['groups'][number];

const PAGE_ROWS = 1_000;
const MAX_PAGES = 10;

/** The newest jobs of a filter, each as a group, and whether there are more. */
async function newest(store: FullStore, filter: JobFilter) {
  const jobs: JobPage['jobs'][number][] = [];
  let next: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await store.jobs(filter, { limit: PAGE_ROWS, after: next });
    jobs.push(...page.jobs);
    next = page.next;
    if (next === undefined) break;
  }
  const groups = jobs.map(({ handler, queue, state }): Group => {
    return { handler, queue, state, count: 1 };
  });
  return { groups, isSample: next !== undefined };
}
