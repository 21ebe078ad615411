import { type Clock, newId } from '@redrive/core';

/**
 * The name of one start of a worker: what it is called, and a part that no other start has. A worker takes the leases
 * under its name for its own, and gives back what it does not know of: under a shared name it would take jobs away from
 * others while they run.
 */
export function workerName(called: string, clock: Clock): string {
  const [, , unique] = newId('', clock).split('_');
  return `${called}-${unique}`;
}
