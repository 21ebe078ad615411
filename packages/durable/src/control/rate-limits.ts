import { type OptionTable, resolveOptions } from '@redrive/core/fields';
import { type Actor, keptWhy } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import type { RateDocument } from './claim-rates.ts';
import type { WaitingRate } from './control-store.ts';
import { rateOfName } from './rules/rate.ts';
import { documentsIn, updateControl } from './update-control.ts';

/** A rate that workers have declared, and the jobs that it keeps back. */
export interface RateLimit extends RateDocument {
  /** Such as `handler:mail/tenant/1000ms`. */
  readonly name: string;
  /** By value. */
  readonly waiting: readonly WaitingRate[];
}

/** All rates of a store, by name, also those that no worker has any more. */
export async function rateLimits(
  store: FullStore,
): Promise<{ readonly nowMs: number; readonly limits: readonly RateLimit[] }> {
  const [controls, rates] = await Promise.all([store.controls(), store.rates()]);
  const waiting = Map.groupBy(rates, ({ name }) => name);
  const limits = [...documentsIn(controls, 'rate')].map(([name, document]) => {
    return { name, ...document, waiting: waiting.get(name) ?? [] };
  });
  return { nowMs: controls.nowMs, limits };
}

export interface SetRate {
  readonly name: string;
  /** Absent: as the workers declare it again. */
  readonly limit?: number | undefined;
  /** Default: the limit. */
  readonly burst?: number | undefined;
  readonly actor: Actor;
}

const count = { kind: 'integer', min: 1, max: 1_000_000 } as const;
const COUNTS: OptionTable<Pick<SetRate, 'limit' | 'burst'>> = {
  limit: [undefined, count],
  burst: [undefined, count],
};

/**
 * Changes the limit of a rate for all workers at once, until it is changed again. The worker's own limit stays known.
 *
 * @returns the document, or `undefined` if no worker has declared a rate of that name.
 * @throws RedriveError `invalid_option`, `control_conflict`, `store_unavailable`.
 */
export async function setRate(
  store: FullStore,
  { name, limit, burst = limit, actor }: SetRate,
): Promise<RateDocument | undefined> {
  resolveOptions('rate', { limit, burst }, COUNTS);
  if (rateOfName(name) === undefined) return undefined;
  const { after } = await updateControl(store, {
    of: 'rate',
    key: name,
    next: (current, atMs) => {
      if (current === undefined) return undefined;
      const { set: _, ...declared } = current;
      if (limit === undefined || burst === undefined) return declared;
      return { ...declared, set: { limit, burst, by: actor.name, why: keptWhy(actor.why), atMs } };
    },
    note: (before) => ({
      by: actor.name,
      why: keptWhy(actor.why),
      act: limit === undefined ? 'reset' : 'set',
      limit,
      burst,
      before: before?.set?.limit ?? before?.limit,
    }),
  });
  return after;
}
