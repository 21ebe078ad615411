import type { JobState } from '@redrive/durable';
import { JOB_STATES } from '@redrive/durable/store';
import * as z from 'zod';
import type { InputProblem } from '../action/refusal.ts';
import { count, flag, moment, nameText, pace, ramp, share, time } from '../action/scalars.ts';
import { DEAD_FILTER } from '../dead-letter/dead-filter.ts';

export const MAX_LIMIT = 100_000_000;
/** Ids in one request. */
const MAX_IDS = 100_000;

/** The act of a bulk operation, and its target: ids, a filter, or the letters of a purge. */
export const WISH = {
  act: z
    .enum(['requeue', 'reset', 'purge', 'restore', 'cancel'])
    .describe('requeue, reset, purge or restore dead letters; cancel jobs'),
  of: z
    .enum(['dead_letters', 'jobs'])
    .optional()
    .describe('the items that the filter selects; default: dead_letters; for cancel: jobs'),
  ids: z
    .array(nameText())
    .max(MAX_IDS)
    .default([])
    .describe('ids; without ids, a filter selects them'),
  ...DEAD_FILTER,
  state: z
    .enum(JOB_STATES as readonly [JobState, ...JobState[]]) // The list is not empty.
    .optional()
    .describe('only jobs in this state, with `of` jobs'),
  all: flag.default(false).describe('all dead letters, or all that match the filter'),
  limit: count(1, MAX_LIMIT)
    .optional()
    .describe(
      'at most this many of the letters that match the filter, the oldest first; default 1,000, with --all no limit',
    ),
  purge: nameText()
    .optional()
    .describe(
      'restore only: all letters of this purge, by the id of its bulk operation; with --detach at most 1,000',
    ),
  cut_off: time()
    .optional()
    .describe('letters that die at this time or later are left out; default: now'),
  deadline: moment.optional().describe('deadline of the new generation: a time, or +2h'),
};

/** How it is carried out. */
export const TERMS = {
  id: nameText()
    .optional()
    .describe(
      'id of the bulk operation; the same id again continues it and repeats nothing; default: a new id',
    ),
  confirm: z
    .union([z.number(), z.string().max(64)])
    .optional()
    .describe(
      'the confirmation of a filter: the number of letters that the plan says, or any for any number',
    ),
  wait: flag
    .default(false)
    .describe(
      'true: the answer comes when it has ended, or after two seconds; the same id again continues it. false: workers do it',
    ),
  rate: pace.optional().describe('letters per second at most, such as 50/s; default: no limit'),
  ramp: ramp
    .optional()
    .describe(
      'sizes of the first stages, such as 1,10,100, then all; the next stage begins when enough jobs of a stage succeed; none: all at once',
    ),
  stop_share: share
    .optional()
    .describe('stop when more than this share of a stage fails again; default 0.2'),
  max_in_flight: count(1, 2_000)
    .optional()
    .describe('requeued jobs without a result at one time, 1 to 2,000'),
};

export const PLAN_INPUT = z.strictObject(WISH);
export const SUBMIT_INPUT = z.strictObject({ ...WISH, ...TERMS });
export type Wish = z.output<typeof PLAN_INPUT>;
export type Submission = z.output<typeof SUBMIT_INPUT>;

const FILTERS = ['state', ...Object.keys(DEAD_FILTER)] as readonly (keyof Wish)[];

/** Whether it selects by a filter, which may be all. */
export function hasFilter(wish: Wish): boolean {
  return wish.all || FILTERS.some((field) => wish[field] !== undefined);
}

export function ofJobs({ act, of = act === 'cancel' ? 'jobs' : 'dead_letters' }: Wish): boolean {
  return of === 'jobs';
}

export const NOTHING_SELECTED: InputProblem = {
  field: 'ids',
  message: 'No dead letters were selected.',
  hint: 'Give ids, or a filter such as --group or --handler; --all selects all dead letters.',
};

/** What contradicts itself. A limit or a confirmation that had no effect would let the caller expect fewer changes. */
export function problemsOf(wish: Wish & Partial<Submission>): readonly InputProblem[] {
  const { ids, purge, id, act, limit } = wish;
  const confirm = wish.confirm === 'any' ? undefined : wish.confirm;
  const isFilter = hasFilter(wish);
  const problem = (field: string, message: string, hint?: string) => [{ field, message, hint }];
  if ([ids.length > 0, isFilter, purge !== undefined].filter(Boolean).length > 1) {
    return problem('ids', 'Select dead letters by ids or by a filter, not by both.');
  }
  if (ids.length === 0 && !isFilter && purge === undefined && id === undefined) {
    return [NOTHING_SELECTED];
  }
  if (purge !== undefined && act !== 'restore') return problem('purge', 'is for restore only.');
  if (wish.state !== undefined && !ofJobs(wish)) return problem('state', 'is for jobs only.');
  if (isFilter || (limit === undefined && confirm === undefined)) return [];
  return problem(
    limit === undefined ? 'confirm' : 'limit',
    'needs a filter, and there is none.',
    'Leave it out: ids, --purge and --operation select the letters already.',
  );
}
