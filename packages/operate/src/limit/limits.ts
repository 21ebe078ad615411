import { nearest } from '@redrive/core/fields';
import { type RateLimit, rateLimits, setRate } from '@redrive/durable/control';
import * as z from 'zod';
import { act, action } from '../action/action.ts';
import { Refusal } from '../action/refusal.ts';
import { count, flag, nameText } from '../action/scalars.ts';
import { LIMIT, limitAnswer } from './limit-answer.ts';

const MAX_LIMIT = 1_000_000;

export const LIMITS = {
  list: action({
    at: 'GET /v1/limits',
    summary: 'list the rates of handlers and queues, and how many jobs wait for each',
    details:
      'Workers declare the rates of their handlers and queues. A job above a rate stays ready. A Retry-After of the other side is a gate: see "redrive gates list".',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: z.strictObject({}),
    answer: z.object({ limits: z.array(LIMIT).describe('by name; empty: no worker has a rate') }),
    run: async ({ store, asOf }) => {
      const { nowMs, limits } = await rateLimits(store);
      asOf(nowMs);
      return { limits: limits.map(limitAnswer) };
    },
  }),

  set: act({
    at: 'POST /v1/limits/set',
    summary: 'change a rate for all workers now, until it is changed again',
    role: 'operator',
    refusals: { no_match: 'no worker has declared a rate of that name' },
    input: z.strictObject({
      name: nameText().describe('the rate, as "redrive limits list" names it'),
      limit: count(1, MAX_LIMIT).optional().describe('starts that it allows in its time'),
      burst: count(1, MAX_LIMIT)
        .optional()
        .describe('starts that may come at once after a pause; the default is the limit'),
      reset: flag.optional().describe('the limit that the workers declare applies again'),
    }),
    check: ({ limit, burst, reset }) => {
      const given = limit !== undefined || burst !== undefined;
      if (reset && given)
        return [{ field: 'reset', message: 'cannot be given together with limit' }];
      if (!reset && limit === undefined) return [{ field: 'limit', message: 'is missing' }];
      return [];
    },
    answer: z.object({
      limit: LIMIT.describe('the rate as it is now, or would be'),
      changed: z.boolean().describe('false: a dry run'),
    }),
    run: async ({ store, actor, asOf }, { name, limit, burst, dry_run }) => {
      const { nowMs, limits } = await rateLimits(store);
      asOf(nowMs);
      const before = knownLimit(limits, name);
      const set = limit === undefined ? undefined : { limit, burst: burst ?? limit };
      const after = dry_run
        ? { ...before, set: set && { ...set, by: actor.name, why: actor.why, atMs: nowMs } }
        : { ...before, ...(await setRate(store, { name, ...set, actor })) };
      const { set: _, ...declared } = after;
      return { limit: limitAnswer(set === undefined ? declared : after), changed: !dry_run };
    },
  }),
};

/** @throws Refusal `not_found`, with the nearest name. */
function knownLimit(limits: readonly RateLimit[], name: string): RateLimit {
  const found = limits.find((limit) => limit.name === name);
  if (found !== undefined) return found;
  const names = limits.map((limit) => limit.name);
  const close = nearest(name, names);
  const hint =
    names.length === 0
      ? 'No worker has declared a rate.'
      : close === undefined
        ? `Rates: ${names.slice(0, 20).join(', ')}.`
        : `Did you mean ${close}?`;
  throw new Refusal('not_found', `No rate is called ${name}.`, hint);
}
