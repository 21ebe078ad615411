import type { FullStore } from '@redrive/durable';
import type { DeadFilter } from '@redrive/durable/dead-letters';
import { iso, isoTime, MAX_DEAD_COUNT } from '@redrive/durable/store';
import * as z from 'zod';
import { time } from '../action/scalars.ts';
import { GROUP, groupAnswers } from './group-answer.ts';
import { COUNT, diedAgain } from './letter-answer.ts';

const BUCKETS = z.array(z.object({ from: time().describe('its beginning, UTC'), ...COUNT }));

export const STATS = z.object({
  total: z.object(COUNT).describe('dead letters'),
  oldest_died_at: time().nullable().describe('the first death'),
  oldest_id: z.string().nullable().describe('of that one'),
  newest_died_at: time().nullable().describe('the newest death'),
  tallied: z.number().describe('number of newest letters that the next fields cover'),
  came_back: z.number().describe('of these, letters that were requeued and died again'),
  reasons: z
    .array(
      z.object({
        reason: z.string().describe('a reason code'),
        count: z.number().describe('how many'),
      }),
    )
    .describe('of these letters, the most frequent first'),
  handlers: z
    .array(
      z.object({
        handler: z.string().describe('its name'),
        count: z.number().describe('how many'),
      }),
    )
    .describe('of these letters, the most frequent first'),
  causes: z.array(GROUP).describe('at most 10, the newest death first'),
  per_hour: BUCKETS.describe('the last 24 hours, the oldest first'),
  per_day: BUCKETS.describe('the last 14 days, the oldest first'),
});
export type StatsAnswer = z.output<typeof STATS>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS = 24;
const DAYS = 14;
/** Causes that are shown: those with the newest deaths. */
const CAUSES = 10;
/** Letters that are looked at one by one. */
const MAX_TALLIED = 10_000;
const PAGE = 1_000;

/** Reads the figures. Every read is bounded, so the number of dead letters does not matter. */
export async function statsAnswer(
  store: FullStore,
  filter: DeadFilter,
  nowMs: number,
): Promise<StatsAnswer> {
  const [total, oldest, newest, causes, hours, days, tally] = await Promise.all([
    store.countDead(filter, MAX_DEAD_COUNT),
    store.deadLetters(filter, { limit: 1, first: 'oldest' }),
    store.deadLetters(filter, { limit: 1 }),
    store.deadGroups(filter, { limit: CAUSES }),
    buckets(store, filter, nowMs, HOUR_MS, HOURS),
    buckets(store, filter, nowMs, DAY_MS, DAYS),
    tallyOf(store, filter),
  ]);
  return {
    total: { count: total.count, bounded: total.bounded },
    oldest_died_at: isoTime(oldest.jobs[0]?.finishedAtMs),
    oldest_id: oldest.jobs[0]?.id ?? null,
    newest_died_at: isoTime(newest.jobs[0]?.finishedAtMs),
    ...tally,
    causes: await groupAnswers(store, filter, causes.groups, nowMs),
    per_hour: hours,
    per_day: days,
  };
}

async function tallyOf(store: FullStore, filter: DeadFilter) {
  const reasons = new Map<string, number>();
  const handlers = new Map<string, number>();
  let back = 0;
  let tallied = 0;
  let after: string | undefined;
  do {
    const page = await store.deadLetters(filter, { limit: PAGE, after });
    for (const job of page.jobs) {
      add(reasons, job.reason ?? 'none');
      add(handlers, job.handler);
      back += diedAgain(job) ? 1 : 0;
    }
    tallied += page.jobs.length;
    after = page.next;
    // A page that found nothing has looked at enough.
    if (page.jobs.length === 0) break;
  } while (after !== undefined && tallied < MAX_TALLIED);
  return {
    tallied,
    came_back: back,
    reasons: sorted(reasons).map(([reason, count]) => ({ reason, count })),
    handlers: sorted(handlers).map(([handler, count]) => ({ handler, count })),
  };
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...counts].sort(([, a], [, b]) => b - a);
}

async function buckets(
  store: FullStore,
  filter: DeadFilter,
  nowMs: number,
  widthMs: number,
  count: number,
): Promise<StatsAnswer['per_hour']> {
  const endMs = Math.floor(nowMs / widthMs) * widthMs + widthMs;
  const { diedAfterMs = -Infinity, diedBeforeMs = Infinity } = filter;
  const all: StatsAnswer['per_hour'] = [];
  for (let fromMs = endMs - count * widthMs; fromMs < endMs; fromMs += widthMs) {
    const inside = {
      ...filter,
      diedAfterMs: Math.max(fromMs, diedAfterMs),
      diedBeforeMs: Math.min(fromMs + widthMs, diedBeforeMs),
    };
    const isEmpty = inside.diedAfterMs >= inside.diedBeforeMs;
    const none = { count: 0, bounded: false };
    const found = isEmpty ? none : await store.countDead(inside, MAX_DEAD_COUNT);
    all.push({ from: iso(fromMs), count: found.count, bounded: found.bounded });
  }
  return all;
}
