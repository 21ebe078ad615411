import { ESCALATION_QUEUE } from '@redrive/durable/escalation';
import { DOCUMENT_QUEUE } from '@redrive/durable/store';
import { ORDERS, SWEPT } from '../shop/shop-config.ts';

/** The rungs of the ladder, the lowest first. */
export const RUNGS = ['call', 'event', 'job', 'document', 'people'] as const;
export type Rung = (typeof RUNGS)[number];

/** The rung of a stored job. `undefined`: it is Redrive's own work, such as a sweep. */
export function rungOf(queue: string, handler: string): Rung | undefined {
  if (queue === ORDERS.source) return 'event';
  if (queue === DOCUMENT_QUEUE) return handler === SWEPT ? 'document' : undefined;
  if (queue === ESCALATION_QUEUE) return handler === 'escalation.notify' ? 'people' : undefined;
  return 'job';
}
