import type { EngagedKill, Pause } from '../control/kill-switches.ts';
import type { KillScope, KillTarget } from '../control/kill-target.ts';
import type { Job, JobState } from '../job/job.ts';
import type { Counts } from '../store/store.ts';
import { type CountsByState, countStates, handlersOf, isBounded } from './job-counts.ts';
import { iso, isoTime } from './times.ts';

/** The word for people: `handler`. */
export function wordOf(scope: KillScope): string {
  return scope === 'operation' ? 'handler' : scope;
}

/** Whether a kill switch or a pause covers such jobs. A switch of a tenant does not, where the tenant is not known. */
export function isCovered(
  { scope, name }: KillTarget | Pick<Pause, 'scope' | 'name'>,
  { queue, handler, tenant }: Pick<Job, 'queue' | 'handler'> & Partial<Pick<Job, 'tenant'>>,
): boolean {
  switch (scope) {
    case 'all':
      return true;
    case 'queue':
      return name === queue;
    case 'tenant':
      return name === tenant;
    case 'schedule':
      // It stops ticks, not jobs.
      return false;
    default:
      return name === handler;
  }
}

/** `everything`, `the queue mail`, `the handler resize` */
export function targetText({ scope, name }: KillTarget): string {
  if (scope === 'all') return 'everything';
  return name === '' ? `jobs without a ${wordOf(scope)}` : `the ${wordOf(scope)} ${name}`;
}

/** How many jobs it concerns; `null`: nobody counts by tenant. */
export interface Concerned {
  readonly running: number | null;
  readonly waiting: number | null;
  readonly bounded: boolean;
}

export function concernedBy(target: KillTarget, counts: Counts): Concerned {
  if (target.scope === 'tenant') return { running: null, waiting: null, bounded: false };
  const fits = (group: Counts['groups'][number]) => isCovered(target, group);
  const states = countStates(counts, fits);
  const bounded = isBounded(counts, (group) => fits(group) && CONCERNED.has(group.state));
  return { running: states.leased, waiting: waitingIn(states), bounded };
}

const CONCERNED: ReadonlySet<JobState> = new Set(['scheduled', 'ready', 'parked', 'leased']);

const waitingIn = ({ scheduled, ready, parked }: CountsByState) => scheduled + ready + parked;

/** The jobs that a kill switch would stop, by handler, most first. For a tenant nobody counts: the list is empty. */
export function killForecast(target: KillTarget, counts: Counts) {
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

/** A kill switch as JSON prints it. */
export function killDocument({ scope, name, mode, sinceMs, by, why }: EngagedKill) {
  return {
    scope,
    name: name ?? null,
    mode,
    since: iso(sinceMs),
    by,
    why: why ?? null,
  };
}

/** The queues that have jobs or are paused, by name. */
export function queuesOf(counts: Counts, all: readonly Pause[]) {
  const paused = new Set(all.filter(({ scope }) => scope === 'queue').map(({ name }) => name));
  const names = new Set([...counts.groups.map(({ queue }) => queue), ...paused]);
  return [...names].sort().map((queue) => ({
    queue,
    paused: paused.has(queue),
    states: countStates(counts, (group) => group.queue === queue),
    /** The states in which there are more. */
    bounded: counts.groups
      .filter((group) => group.queue === queue && group.bounded)
      .map(({ state }) => state),
  }));
}

/** A pause as JSON prints it. */
export function pauseDocument({ scope, name, sinceMs, by, why }: Pause) {
  return { scope, name, since: iso(sinceMs), by, why: why ?? null };
}
