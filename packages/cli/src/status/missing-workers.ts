import {
  type ControlOverview,
  type HandlerWithoutWorker,
  handlersWithoutWorker,
} from '@redrive/durable';
import type { Counts } from '@redrive/durable/store';
import type { Status } from './read-status.ts';

/** Handlers whose jobs no live worker takes. Jobs that an operator has stopped need no worker now. */
export function missingWorkers({
  counts,
  live,
  control,
}: Pick<Status, 'counts' | 'live' | 'control'>): readonly HandlerWithoutWorker[] {
  const groups = counts.groups.filter((group) => !isStopped(group, control));
  return handlersWithoutWorker({ groups }, live);
}

/** Whether an operator keeps jobs of this queue and handler from starting. */
export function isStopped(
  { queue, handler }: Pick<Counts['groups'][number], 'queue' | 'handler'>,
  { killSwitches, pauses }: Pick<ControlOverview, 'killSwitches' | 'pauses'>,
): boolean {
  const isKilled = killSwitches.some(({ scope, name }) => {
    if (scope === 'all') return true;
    // Jobs are not counted by tenant.
    return scope !== 'tenant' && name === (scope === 'queue' ? queue : handler);
  });
  return (
    isKilled || pauses.some(({ scope, name }) => name === (scope === 'queue' ? queue : handler))
  );
}
