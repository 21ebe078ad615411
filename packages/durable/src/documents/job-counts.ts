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

/** Whether counting stopped in one of the groups that fit, so that their sum is a lower bound. */
export function isBounded(
  { groups }: Pick<Counts, 'groups'>,
  fits: (group: Counts['groups'][number]) => boolean = () => true,
): boolean {
  return groups.some((group) => group.bounded === true && fits(group));
}

/** `1 job`, `1,234 jobs` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1,234`; `10,000+` where counting stopped. */
export function countText(count: number, bounded: boolean): string {
  return `${count.toLocaleString('en')}${bounded && count > 0 ? '+' : ''}`;
}

/** One entry per queue and handler, by name. `bounded`: the states in which there are more. */
export function handlersOf(counts: Counts) {
  const lanes = Map.groupBy(counts.groups, ({ queue, handler }) => `${queue}\0${handler}`);
  return [...lanes.values()]
    .flatMap((groups) => {
      const [first] = groups;
      if (first === undefined) return [];
      const { queue, handler } = first;
      const bounded = groups.filter((group) => group.bounded).map(({ state }) => state);
      return [{ queue, handler, states: countStates({ groups }), bounded }];
    })
    .sort((a, b) => compare(a.queue, b.queue) || compare(a.handler, b.handler));
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
