import { ActForecast } from '../dead-letter/act-forecast.ts';
import type { ActResult } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { actPage } from './act-pages.ts';
import { type ActWish, actOn, checkWish } from './act-wish.ts';
import { refuseOthers } from './letters-only.ts';

/** The forecast of a bulk operation. */
export interface ActPlan {
  /** Jobs that died (or were purged) at this time or later are left out. */
  readonly cutOffMs: number;
  readonly eligible: number;
  readonly ineligible: number;
  /** The first jobs that would refuse, at most 100, and why. */
  readonly refusals: readonly ActRefusal[];
  /** The first jobs that would be acted on, at most 100. */
  readonly sampleIds: readonly string[];
  /** The last job that would be acted on. Absent: none would. */
  readonly lastId?: string | undefined;
  /** There are more than the wish's limit or than `MAX_PLANNED`, which were not looked at. */
  readonly more: boolean;
}

export interface ActRefusal {
  readonly id: string;
  readonly refusal: Extract<ActResult, { ok: false }>['refusal'];
}

/** The most jobs that a plan reads. */
export const MAX_PLANNED = 10_000;
/** The most jobs that a plan lists by id. */
export const MAX_NAMED = 100;
const BATCH = 500;

/**
 * Predicts a bulk operation without doing it: which jobs it would act on, and which would refuse and why. Only reads: it
 * takes no lock and writes nothing.
 *
 * @throws RedriveError `invalid_option`, `payload_too_large`, `not_a_dead_letter`, `store_unavailable`.
 */
export async function planActs(store: FullStore, wish: ActWish): Promise<ActPlan> {
  checkWish(wish);
  await refuseOthers(store, wish);
  const { target } = wish;
  const given = 'ids' in target ? undefined : target.cutOffMs;
  const cutOffMs = given ?? (await store.pulse([])).nowMs;
  const limit = Math.min('ids' in target ? MAX_PLANNED : target.limit, MAX_PLANNED);
  const forecast = new ActForecast();
  const refusals: ActRefusal[] = [];
  const sampleIds: string[] = [];
  let lastId: string | undefined;
  let eligible = 0;
  let ineligible = 0;
  let after: string | undefined;
  for (;;) {
    const room = Math.min(BATCH, limit - eligible - ineligible);
    if (room === 0) break;
    const page = await actPage(store, wish, cutOffMs, { limit: room, after });
    if (page.jobs.length > 0) forecast.add(await store.actSubjects(page.jobs.map(({ id }) => id)));
    for (const job of page.jobs) {
      const { id } = job;
      const result = forecast.predict(actOn(wish, job, undefined));
      if (result.ok) {
        eligible += 1;
        lastId = id;
        if (sampleIds.length < MAX_NAMED) sampleIds.push(id);
      } else {
        ineligible += 1;
        if (refusals.length < MAX_NAMED) refusals.push({ id, refusal: result.refusal });
      }
    }
    after = page.next;
    if (after === undefined) break;
  }
  return { cutOffMs, eligible, ineligible, refusals, sampleIds, lastId, more: after !== undefined };
}
