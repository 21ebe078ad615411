import { nearest } from '@redrive/core/fields';
import {
  endHold,
  holdPark,
  type ParkedJobs,
  parkedCauses,
  releasePark,
} from '@redrive/durable/control';
import { causeName, readOverview } from '@redrive/durable/store';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import type { Context } from '../action/context.ts';
import { Refusal } from '../action/refusal.ts';
import { count, nameText, pace } from '../action/scalars.ts';
import { CONDITION, conditionOf, PARK, parkAnswer } from './park-answer.ts';

const CAUSE = z.strictObject({
  cause: nameText().describe('the cause, such as breaker:bank: its short name or the full one'),
});
const SHORT_NAME = z.string().describe('its short name');
const HELD = z.object({
  cause: SHORT_NAME,
  held: z.boolean().describe('whether it is held now'),
  held_by: z.string().nullable().describe('who holds it, or held it; null: nobody'),
  changed: z.boolean().describe('false: it was in that state already, or a dry run'),
});
const NO_CAUSE = { no_match: 'no job is parked for that cause' };

export const PARKS = {
  list: action({
    at: 'GET /v1/parks',
    summary: 'list the causes that jobs are parked for: since when, how many jobs, next probe',
    details:
      'A cause is an open breaker, a closed gate, or a kill switch that was released with --pace. When the cause is gone, its jobs are released automatically, at a growing pace.',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: z.strictObject({}),
    answer: z.object({ causes: z.array(PARK).describe('by name; empty: no job is parked') }),
    run: async ({ store, asOf }) => {
      const { parked, hasWorker, nowMs } = await readOverview(store);
      asOf(nowMs);
      return { causes: parked.map((park) => parkAnswer(park, hasWorker)) };
    },
  }),

  release: act({
    at: 'POST /v1/parks/release',
    summary: 'make parked jobs of a cause ready: all, some, or at a pace',
    details:
      'It ends a hold, unless --count is given. If the cause still exists, the jobs are parked again when they are claimed: first force the breaker closed, or open the gate. With --pace the jobs are released when the cause is gone.',
    role: 'operator',
    refusals: NO_CAUSE,
    input: CAUSE.extend({
      count: count(1, 1_000_000).optional().describe('at most this many, the longest parked first'),
      pace: pace
        .optional()
        .describe(
          'release the jobs gradually: the first rate, such as 5/s; it grows, and falls again when jobs fail',
        ),
    }),
    check: (input) =>
      input.count !== undefined && input.pace !== undefined
        ? [{ field: 'count', message: 'cannot be given together with pace' }]
        : [],
    answer: z.object({
      cause: SHORT_NAME,
      released: z.number().describe('jobs that are ready now, or would be'),
      more: z.boolean().describe('true: the cause has more parked jobs'),
      pace: z.number().nullable().describe('jobs per second at first; null: without a pace'),
      ...CONDITION.shape,
      has_worker: z
        .boolean()
        .describe('false: no live worker has the handlers of parked jobs, so they wait for one'),
    }),
    run: async ({ store, actor }, { cause: given, count, pace: perSecond, dry_run }) => {
      const { parked, hasWorker } = await readOverview(store);
      const park = knownCause(parked, given);
      const { cause } = park;
      const pace = perSecond === undefined ? undefined : { perSecond };
      const { released, more } = dry_run
        ? planned(park, count, pace !== undefined)
        : await releasePark(store, { cause, count, pace, actor });
      return {
        ...{ cause: causeName(cause), released, more, pace: perSecond ?? null },
        ...{ ...conditionOf(park), has_worker: hasWorker },
      };
    },
  }),

  hold: act({
    at: 'POST /v1/parks/hold',
    summary: 'hold the jobs of a cause: they stay parked even when the cause is gone',
    details:
      'The hold applies to the jobs that are parked for the cause now and later. A new job runs normally if the cause is gone. Each job is held for a day at most; to stop jobs for longer, pause their queue or handler.',
    role: 'operator',
    refusals: NO_CAUSE,
    input: CAUSE,
    answer: HELD,
    run: (context, input) => setHold(context, input, true),
  }),

  endHold: act({
    at: 'POST /v1/parks/end-hold',
    summary: 'end a hold: the jobs are released when the cause is gone',
    role: 'operator',
    refusals: NO_CAUSE,
    input: CAUSE,
    answer: HELD,
    run: (context, input) => setHold(context, input, false),
  }),
};

function planned({ count: all, bounded }: ParkedJobs, count = Infinity, isPaced: boolean) {
  const released = isPaced ? 0 : Math.min(all, count);
  return { released, more: bounded || released < all };
}

async function setHold(
  { store, actor }: Context,
  { cause: given, dry_run }: { readonly cause: string; readonly dry_run: boolean },
  held: boolean,
) {
  const { cause, held: before } = knownCause(await parkedCauses(store), given);
  const carryOut = held ? holdPark : endHold;
  const { changed } = dry_run ? { changed: false } : await carryOut(store, { cause, actor });
  return {
    cause: causeName(cause),
    held: dry_run ? before !== undefined : held,
    held_by: before?.by ?? (changed ? actor.name : null),
    changed,
  };
}

/** By either of its names. @throws Refusal `not_found`, with the causes. */
function knownCause(parked: readonly ParkedJobs[], given: string): ParkedJobs {
  const found = parked.find(({ cause }) => cause === given || causeName(cause) === given);
  if (found !== undefined) return found;
  const names = parked.map(({ cause }) => causeName(cause));
  // `bank` alone may well mean `breaker:bank`.
  const close = names.find((name) => name.endsWith(`:${given}`)) ?? nearest(given, names);
  const hint =
    close !== undefined
      ? `Did you mean ${close}?`
      : names.length === 0
        ? 'No job is parked.'
        : `Jobs are parked under ${names.slice(0, 20).join(', ')}.`;
  throw new Refusal('not_found', `No job is parked under ${given}.`, hint);
}
