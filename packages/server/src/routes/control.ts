import type { FullStore } from '@redrive/durable';
import {
  endHold,
  engageKill,
  forceBreaker,
  halfOpenBreaker,
  holdPark,
  killSwitches,
  pauses,
  pauseWork,
  releaseKill,
  releasePark,
  resetBreaker,
  resumeWork,
} from '@redrive/durable/control';
import {
  breakerJson,
  breakerView,
  breakerViews,
  causeName,
  concernedBy,
  killDocument,
  killForecast,
  parkJson,
  pauseDocument,
  queuesOf,
  readOverview,
} from '@redrive/durable/store';
import { atLeast } from '@redrive/operate/manifest';
import * as z from 'zod';
import { document } from '../inputs.ts';
import { forbidden, notFound } from '../problem.ts';
import { type AnyRoute, route } from '../route.ts';

const name = z.string().min(1).max(512);
const NOTHING = z.strictObject({});
const DAY_MS = 86_400_000;
const killTarget = z.union([
  z.strictObject({ scope: z.literal('all') }),
  z.strictObject({ scope: z.enum(['queue', 'operation', 'tenant']), name: z.string().max(512) }),
]);
const BREAKER = document({ policy_id: z.string(), state: z.string() });

export const CONTROL_ROUTES: readonly AnyRoute[] = [
  route({
    at: 'GET /v1/kill-switches',
    summary: 'list the engaged kill switches',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: NOTHING,
    answer: document({ engaged: z.array(z.looseObject({ scope: z.string() })) }),
    handle: async ({ store }) => {
      const [engaged, counts] = await Promise.all([killSwitches(store), store.counts()]);
      return {
        engaged: engaged.map((each) => ({ ...killDocument(each), ...concernedBy(each, counts) })),
      };
    },
  }),
  route({
    at: 'GET /v1/kill-switches/forecast',
    summary: 'the jobs that a kill switch would stop, by handler; counts are bounded',
    role: 'viewer',
    reads: 'metrics',
    input: z.strictObject({
      scope: z.enum(['all', 'queue', 'operation', 'tenant']).default('all'),
      name: z.string().max(512).default(''),
    }),
    answer: document({ running: z.number().nullable(), waiting: z.number().nullable() }),
    handle: async ({ store, input: { scope, name } }) =>
      killForecast(scope === 'all' ? { scope } : { scope, name }, await store.counts()),
  }),
  route({
    at: 'POST /v1/kill-switches/engage',
    summary: 'stop everything, a queue, a handler or a tenant, in every process within a second',
    role: 'admin',
    reason: true,
    input: z.strictObject({
      target: killTarget,
      mode: z.enum(['finish', 'interrupt']).default('finish'),
    }),
    answer: document({ scope: z.string(), changed: z.boolean() }),
    handle: async ({ store, input, actor }) => {
      const { changed, engaged } = await engageKill(store, {
        ...input.target,
        mode: input.mode,
        actor,
      });
      const counts = await store.counts();
      return { ...killDocument(engaged), changed, ...concernedBy(input.target, counts) };
    },
  }),
  route({
    at: 'POST /v1/kill-switches/release',
    summary: 'release a kill switch; with a pace, its jobs are released at a growing rate',
    role: 'admin',
    reason: true,
    input: z.strictObject({ target: killTarget, pace: z.number().min(1).max(100_000).optional() }),
    answer: document({ changed: z.boolean() }),
    handle: async ({ store, input, actor }) => {
      const pace = input.pace === undefined ? undefined : { perSecond: input.pace };
      const { released } = await releaseKill(store, { ...input.target, pace, actor });
      if (released === undefined) throw notFound('such kill switch engaged');
      return { changed: true, released: killDocument(released), pace: input.pace ?? null };
    },
  }),
  route({
    at: 'GET /v1/queues',
    summary: 'list the queues that have jobs or are paused, and all pauses',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: NOTHING,
    answer: document({ queues: z.array(z.looseObject({ queue: z.string() })) }),
    handle: async ({ store }) => {
      const [counts, paused] = await Promise.all([store.counts(), pauses(store)]);
      const queues = queuesOf(counts, paused);
      return { queues, bounded: counts.bounded, paused: paused.map(pauseDocument) };
    },
  }),
  ...(
    [
      ['pause', 'pause a queue, a handler or a schedule', pauseWork],
      ['resume', 'resume it', resumeWork],
    ] as const
  ).map(([act, summary, carryOut]) =>
    route({
      at: `POST /v1/pauses/${act}`,
      summary,
      role: 'operator',
      input: z.strictObject({ scope: z.enum(['queue', 'handler', 'schedule']), name }),
      answer: document({ changed: z.boolean() }),
      handle: async ({ store, input, actor }) => {
        const { changed } = await carryOut(store, { ...input, actor });
        return { ...input, paused: act === 'pause', changed };
      },
    }),
  ),
  route({
    at: 'GET /v1/breakers',
    summary: 'list the circuit breakers, those that are not closed first',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: NOTHING,
    answer: document({ breakers: z.array(BREAKER) }),
    handle: async ({ store }) => {
      const overview = await readOverview(store);
      const all = breakerViews(overview);
      return { breakers: all.map((view) => breakerJson(view, overview.nowMs)) };
    },
  }),
  route({
    at: 'POST /v1/breakers/:dependency/force',
    summary: 'force a breaker open or closed, for at most 24 hours; admins also without an end',
    role: 'operator',
    input: z.strictObject({
      dependency: name,
      state: z.enum(['open', 'closed']),
      for_ms: z.number().int().min(1_000).optional(),
    }),
    answer: BREAKER,
    handle: async ({ store, input, actor, who }) => {
      const { dependency, state, for_ms: inMs } = input;
      if ((inMs ?? Infinity) > DAY_MS && !atLeast(who, 'admin')) {
        throw forbidden('Without an end, or for more than 24 hours, this needs the role admin.');
      }
      const until = inMs === undefined ? undefined : { inMs };
      await forceBreaker(store, { dependency, state, until, actor });
      return shownBreaker(store, dependency);
    },
  }),
  ...(
    [
      ['half-open', 'probe a dependency now', halfOpenBreaker],
      ['reset', 'close a breaker and set its count to 0', resetBreaker],
    ] as const
  ).map(([act, summary, carryOut]) =>
    route({
      at: `POST /v1/breakers/:dependency/${act}`,
      summary,
      role: 'operator',
      input: z.strictObject({ dependency: name }),
      answer: BREAKER,
      handle: async ({ store, input, actor }) => {
        await shownBreaker(store, input.dependency);
        await carryOut(store, { dependency: input.dependency, actor });
        return shownBreaker(store, input.dependency);
      },
    }),
  ),
  route({
    at: 'GET /v1/parks',
    summary: 'list the causes that jobs are parked for',
    role: 'viewer',
    reads: 'metrics',
    polled: true,
    input: NOTHING,
    answer: document({ causes: z.array(z.looseObject({ cause: z.string() })) }),
    handle: async ({ store }) => {
      const { parked, hasWorker } = await readOverview(store);
      return { causes: parked.map((park) => parkJson(park, hasWorker)) };
    },
  }),
  route({
    at: 'POST /v1/parks/release',
    summary: 'make parked jobs of a cause ready: all, some, or at a pace',
    role: 'operator',
    input: z.strictObject({
      cause: name,
      count: z.number().int().min(1).max(1_000_000).optional(),
      pace: z.number().min(1).max(100_000).optional(),
    }),
    answer: document({ released: z.number() }),
    handle: async ({ store, input, actor }) => {
      const cause = await fullCause(store, input.cause);
      const pace = input.pace === undefined ? undefined : { perSecond: input.pace };
      const { released, more } = await releasePark(store, {
        cause,
        count: input.count,
        pace,
        actor,
      });
      return { cause: causeName(cause), released, more, pace: input.pace ?? null };
    },
  }),
  ...(
    [
      ['hold', 'hold the jobs of a cause, even when the cause is gone', holdPark],
      ['end-hold', 'end a hold', endHold],
    ] as const
  ).map(([act, summary, carryOut]) =>
    route({
      at: `POST /v1/parks/${act}`,
      summary,
      role: 'operator',
      input: z.strictObject({ cause: name }),
      answer: document({ held: z.boolean(), changed: z.boolean() }),
      handle: async ({ store, input, actor }) => {
        const cause = await fullCause(store, input.cause);
        const { changed } = await carryOut(store, { cause, actor });
        return { cause: causeName(cause), held: act === 'hold', changed };
      },
    }),
  ),
];

async function shownBreaker(store: FullStore, dependency: string) {
  const overview = await readOverview(store);
  const found = overview.breakers.find((each) => each.dependency === dependency);
  if (found === undefined) throw notFound(`breaker of ${dependency}`);
  return breakerJson(breakerView(found, overview), overview.nowMs);
}

/** By its short name or the full one. @throws Problem 404 */
async function fullCause(store: FullStore, given: string): Promise<string> {
  const { parked } = await readOverview(store);
  const found = parked.find(({ cause }) => cause === given || causeName(cause) === given);
  if (found === undefined) throw notFound(`job parked under ${given}`);
  return found.cause;
}
