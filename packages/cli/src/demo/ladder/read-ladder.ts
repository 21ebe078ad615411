import type { Config } from '@redrive/config';
import type { FullStore } from '@redrive/durable';
import { schedules } from '@redrive/durable/control';
import { SWEEP_HANDLER } from '@redrive/durable/documents';
import { readEscalations } from '@redrive/durable/escalation';
import { type Climb, type Counts, climbOf, countStates, numbersIn } from '@redrive/durable/store';
import { rulesOf } from '../../escalation/escalations.ts';
import type { Order, OrderRows } from '../shop/order-rows.ts';
import { type Rung, rungOf } from './rungs.ts';

/** What the store has now, by rung. */
export interface StoredNow {
  readonly counts: Counts;
  readonly stuck: number;
  readonly failed: number;
  readonly deadLetters: number;
  /** Of tier 2 and above. */
  readonly escalations: number;
}

/** Reads the numbers of the ladder from the store. */
export async function readStored(store: FullStore, config: Config): Promise<StoredNow> {
  const [counts, { schedules: all }, { escalations }] = await Promise.all([
    store.counts(),
    schedules(store),
    readEscalations(store, rulesOf(config)),
  ]);
  const swept = numbersIn(all.find(({ name }) => name === SWEEP_HANDLER)?.totals ?? {});
  return {
    counts,
    stuck: orders(swept.retry_job_stuck_documents),
    failed: orders(swept.retry_job_failed_documents),
    deadLetters: countStates(counts).dead,
    escalations: escalations.filter(({ tier }) => tier >= 2).length,
  };
}

/** Of the one collection that the shop has. */
const orders = (number: unknown): number => Number(Object(number).orders ?? 0);

/** Waiting, parked and running jobs of a rung. */
export function jobsOf({ counts }: Pick<StoredNow, 'counts'>, rung: Rung) {
  const states = countStates(counts, ({ queue, handler }) => rungOf(queue, handler) === rung);
  const { scheduled, ready, parked, leased } = states;
  return { waiting: scheduled + ready, parked, running: leased };
}

/** An order that climbs, with all that happened to it. */
export interface Followed {
  readonly order: Order;
  readonly climb: Climb;
}

/** Time before the order was placed in which its first records may be: clocks of threads differ. */
const SLACK_MS = 2_000;
/** An order that is shipped stays on the screen for this time. */
const KEPT_MS = 6_000;

/** Follows one order after the other: the oldest of glass that is not shipped. */
export function follower(store: FullStore, rows: OrderRows, now: () => number) {
  let id: string | undefined;
  let shippedMs: number | undefined;
  return async (): Promise<Followed | undefined> => {
    if (id === undefined || (shippedMs !== undefined && now() - shippedMs >= KEPT_MS)) {
      id = rows.climbing()?.id;
      shippedMs = undefined;
    }
    const order = id === undefined ? undefined : rows.order(id);
    if (order === undefined) {
      id = undefined;
      return undefined;
    }
    if (order.status === 'shipped') shippedMs ??= now();
    const climb = await climbOf(store, order.id, { sinceMs: order.placedMs - SLACK_MS });
    return { order, climb };
  };
}
