import type { Job, Store } from '@redrive/durable';
import type { EngagedKill, KillTarget, Pause } from '@redrive/durable/control';
import type { Counts, KillScope } from '@redrive/durable/store';
import type { Invocation } from '../command/command-spec.ts';
import { countStates, tellStranger } from '../store/job-counts.ts';
import { CliError } from '../terminal/cli-error.ts';

/** Scopes as people type them. Stores and JSON call a handler an operation, and that word is accepted, too. */
const WORDS = new Map<string, KillScope>([
  ['all', 'all'],
  ['queue', 'queue'],
  ['handler', 'operation'],
  ['operation', 'operation'],
  ['tenant', 'tenant'],
]);

/** The word for people: `handler`. */
export function wordOf(scope: KillScope): string {
  return scope === 'operation' ? 'handler' : scope;
}

/** What the command line names. @throws CliError with the exit code 2. */
export function killTarget({ args, command }: Invocation): KillTarget {
  const [given = '', name] = args;
  const scope = WORDS.get(given);
  const hint = `Write "redrive ${command} all", or a scope and its name: "redrive ${command} queue mail".`;
  if (scope === undefined) {
    const message = `There is no kill switch for "${given}": use all, queue, handler or tenant.`;
    throw new CliError('usage', message, hint);
  }
  if (scope === 'all') {
    if (name === undefined) return { scope };
    throw new CliError('usage', 'A kill switch for all has no name.', hint);
  }
  if (name !== undefined) return { scope, name };
  throw new CliError('usage', `The name of the ${wordOf(scope)} is missing.`, hint);
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

/** As the command line names it: `all`, `queue mail`. */
export function targetWords({ scope, name }: KillTarget): string {
  return name === undefined ? scope : `${wordOf(scope)} ${name === '' ? "''" : name}`;
}

/** Says where no job has the name. Tenants are not counted. */
export async function tellStrangeTarget(
  { io }: Pick<Invocation, 'io'>,
  store: Pick<Store, 'counts'>,
  { scope, name = '' }: KillTarget,
): Promise<void> {
  if (scope === 'queue') await tellStranger(io, store, 'queue', name);
  if (scope === 'operation') await tellStranger(io, store, 'handler', name);
}

/** How many jobs it concerns; `null`: nobody counts by tenant. */
export interface Concerned {
  readonly running: number | null;
  readonly waiting: number | null;
  readonly bounded: boolean;
}

export function concernedBy({ scope, name }: KillTarget, counts: Counts): Concerned {
  if (scope === 'tenant') return { running: null, waiting: null, bounded: false };
  const states = countStates(
    counts,
    ({ queue, handler }) =>
      scope === 'all' || (scope === 'queue' ? queue === name : handler === name),
  );
  const waiting = states.scheduled + states.ready + states.parked;
  return { running: states.leased, waiting, bounded: counts.bounded };
}

/** A kill switch as JSON prints it. */
export function killDocument({ scope, name, mode, sinceMs, by, why }: EngagedKill) {
  return {
    scope,
    name: name ?? null,
    mode,
    since: new Date(sinceMs).toISOString(),
    by,
    why: why ?? null,
  };
}
