import type { JobState, Store } from '@redrive/durable';
import { type Counts, JOB_STATES } from '@redrive/durable/store';
import type { Io } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';

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

/** `1 job`, `1,234 jobs` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1,234`; `10,000+` where counting stopped. */
export function countText(count: number, bounded: boolean): string {
  return `${count.toLocaleString('en')}${bounded && count > 0 ? '+' : ''}`;
}

/**
 * Says that no job has this queue or handler. It may be stopped all the same, for those to come; it may as well be a
 * slip, and then nothing is held back.
 */
export async function tellStranger(
  io: Io,
  store: Pick<Store, 'counts'>,
  scope: 'queue' | 'handler',
  name: string,
): Promise<void> {
  const { groups } = await store.counts();
  const known = [...new Set(groups.map((group) => group[scope]))].sort();
  if (known.length === 0 || known.includes(name)) return;
  const text = `No job has the ${scope} ${name}; there are jobs of ${known.join(', ')}.`;
  io.stderr(`${printable(text)}\n`);
}
