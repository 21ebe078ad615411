import type { Pause } from '../control/kill-switches.ts';
import type { KillScope, KillTarget } from '../control/kill-target.ts';
import type { Job } from '../job/job.ts';

/** The word for people: `handler`. */
export function wordOf(scope: KillScope): string {
  return scope === 'operation' ? 'handler' : scope;
}

/** Whether a kill switch or a pause covers such jobs. If their tenant is not given, a switch of a tenant covers none. */
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
      // A paused schedule makes no new jobs, and stops none.
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
