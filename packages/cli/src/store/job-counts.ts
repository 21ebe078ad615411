import { type Counts, JOB_STATES, type JobState } from '@redrive/durable/store';

export type CountsByState = Readonly<Record<JobState, number>>;

/** How many jobs are in each state, of those groups that fit. */
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

/** `1,234`; `10,000+` where counting stopped. */
export function countText(count: number, bounded: boolean): string {
  return `${count.toLocaleString('en')}${bounded && count > 0 ? '+' : ''}`;
}
