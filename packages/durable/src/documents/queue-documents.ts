import type { Pause } from '../control/kill-switches.ts';
import type { Counts } from '../store/store.ts';
import { countStates } from './job-counts.ts';

/** The queues that have jobs or are paused, by name. */
export function queuesOf(counts: Counts, all: readonly Pause[]) {
  const paused = new Set(all.filter(({ scope }) => scope === 'queue').map(({ name }) => name));
  const names = new Set([...counts.groups.map(({ queue }) => queue), ...paused]);
  return [...names].sort().map((queue) => ({
    queue,
    paused: paused.has(queue),
    states: countStates(counts, (group) => group.queue === queue),
  }));
}

/** A pause as JSON prints it. */
export function pauseDocument({ scope, name, sinceMs, by, why = null }: PauseOrNull) {
  return { scope, name, since: new Date(sinceMs).toISOString(), by, why };
}

type PauseOrNull = Omit<Pause, 'why'> & { readonly why?: string | null | undefined };
