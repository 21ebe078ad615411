import { JOB_STATES, type JobState } from '../job/job.ts';
import type { Counts } from '../store/store.ts';

export type CountsByState = Readonly<Record<JobState, number>>;

/** The number of jobs in each state, over the groups that fit. */
export function countStates(
  { groups }: Pick<Counts, 'groups'>,
  fits: (group: Counts['groups'][number]) => boolean = () => true,
): CountsByState {
  const sums = Object.fromEntries(JOB_STATES.map((state) => [state, 0]));
  for (const group of groups.filter(fits)) {
    sums[group.state] = (sums[group.state] ?? 0) + group.count;
  }
  // It has every state, because it was made from the list of them.
  return sums as CountsByState;
}

/** `1 job`, `1,234 jobs` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1,234`; `10,000+` where counting stopped. */
export function countText(count: number, bounded: boolean): string {
  return `${count.toLocaleString('en')}${bounded && count > 0 ? '+' : ''}`;
}

/** One entry per queue and handler, by name. */
export function handlersOf(counts: Counts) {
  const keys = new Map(counts.groups.map((group) => [`${group.queue}\0${group.handler}`, group]));
  return [...keys.values()]
    .map(({ queue, handler }) => ({
      queue,
      handler,
      states: countStates(counts, (group) => group.queue === queue && group.handler === handler),
    }))
    .sort((a, b) => compare(a.queue, b.queue) || compare(a.handler, b.handler));
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
