import {
  type BoundedCount,
  type DeadFilter,
  MAX_DEAD_COUNT,
} from '../dead-letter/dead-letter-store.ts';
import type { JobSummary } from '../job/job.ts';
import type { FullStore } from '../store/full-store.ts';
import { groupDocument, type HandledGroup, withHandlers } from './group-document.ts';
import { diedAgain } from './letter-document.ts';
import { iso, isoTime } from './times.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS = 24;
const DAYS = 14;
/** Causes that are shown: those with the newest deaths. */
const CAUSES = 10;
/** Letters that are looked at one by one. */
const MAX_TALLIED = 10_000;
const PAGE = 1_000;

export interface DeadStats {
  readonly total: BoundedCount;
  readonly oldest: JobSummary | undefined;
  readonly newest: JobSummary | undefined;
  /** Counts among the newest `tallied`. */
  readonly reasons: ReadonlyMap<string, number>;
  readonly handlers: ReadonlyMap<string, number>;
  readonly cameBack: number;
  readonly tallied: number;
  readonly causes: readonly HandledGroup[];
  /** Deaths in each of the last 24 hours and 14 days, the oldest first. */
  readonly hours: readonly Bucket[];
  readonly days: readonly Bucket[];
}

export interface Bucket extends BoundedCount {
  readonly fromMs: number;
}

/** Reads the figures. Every read is bounded, so the number of dead letters does not matter. */
export async function readStats(
  store: FullStore,
  filter: DeadFilter,
  nowMs: number,
): Promise<DeadStats> {
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
    total,
    oldest: oldest.jobs[0],
    newest: newest.jobs[0],
    ...tally,
    causes: await withHandlers(store, filter, causes.groups, nowMs),
    hours,
    days,
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
  return { reasons: sorted(reasons), handlers: sorted(handlers), cameBack: back, tallied };
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}

async function buckets(
  store: FullStore,
  filter: DeadFilter,
  nowMs: number,
  widthMs: number,
  count: number,
): Promise<Bucket[]> {
  const endMs = Math.floor(nowMs / widthMs) * widthMs + widthMs;
  const { diedAfterMs = -Infinity, diedBeforeMs = Infinity } = filter;
  const all: Bucket[] = [];
  for (let fromMs = endMs - count * widthMs; fromMs < endMs; fromMs += widthMs) {
    const inside = {
      ...filter,
      diedAfterMs: Math.max(fromMs, diedAfterMs),
      diedBeforeMs: Math.min(fromMs + widthMs, diedBeforeMs),
    };
    const isEmpty = inside.diedAfterMs >= inside.diedBeforeMs;
    const none = { count: 0, bounded: false };
    all.push({ fromMs, ...(isEmpty ? none : await store.countDead(inside, MAX_DEAD_COUNT)) });
  }
  return all;
}

/** As JSON prints it. */
export function statsDocument(stats: DeadStats) {
  return {
    total: { count: stats.total.count, bounded: stats.total.bounded },
    oldest_died_at: isoTime(stats.oldest?.finishedAtMs),
    oldest_id: stats.oldest?.id ?? null,
    newest_died_at: isoTime(stats.newest?.finishedAtMs),
    tallied: stats.tallied,
    came_back: stats.cameBack,
    reasons: countList(stats.reasons, 'reason'),
    handlers: countList(stats.handlers, 'handler'),
    causes: stats.causes.map(groupDocument),
    per_hour: stats.hours.map(bucketDocument),
    per_day: stats.days.map(bucketDocument),
  };
}

function countList(counts: ReadonlyMap<string, number>, name: string) {
  return [...counts].map(([key, count]) => ({ [name]: key, count }));
}

function bucketDocument({ fromMs, count, bounded }: Bucket) {
  return { from: iso(fromMs), count, bounded };
}
