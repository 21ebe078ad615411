import type { ActSubject } from '../dead-letter/act-forecast.ts';
import {
  type BoundedCount,
  type DeadFilter,
  type DeadGroup,
  type DeadGroupPage,
  type DeadGroupPageRequest,
  type DeadPage,
  type DeadPageRequest,
  MAX_DEAD_COUNT,
  MAX_DEAD_SCAN,
} from '../dead-letter/dead-letter-store.ts';
import {
  checkAtMost,
  checkDeadFilter,
  checkGroupPage,
  deadPage,
  foldAscii,
} from '../dead-letter/dead-query.ts';
import type { Job } from '../job/job.ts';
import { placeText, readPlace } from '../store/page.ts';
import { compareText } from './compare-text.ts';
import type { JobTable } from './job-table.ts';
import { pageOf } from './queries.ts';

/** One page of dead letters, in the order of their deaths or against it. */
export function listDead(
  table: JobTable,
  filter: DeadFilter,
  given?: Partial<DeadPageRequest>,
): DeadPage {
  const page = deadPage(given);
  const place = page.after === undefined ? undefined : readPlace(page.after);
  const ids =
    page.first === 'oldest' ? table.dead.earliestFirst(place) : table.dead.latestFirst(place);
  return pageOf(table, ids, {
    fits: matcherOf(table, filter),
    timeOf: diedAt,
    limit: page.limit,
    maxScan: MAX_DEAD_SCAN,
  });
}

/** How many there are, as far as it is counted. */
export function countDead(table: JobTable, filter: DeadFilter, atMost: number): BoundedCount {
  checkAtMost(atMost);
  const fits = matcherOf(table, filter);
  let count = 0;
  for (const id of table.dead) {
    // A job in the index exists.
    if (!fits(table.get(id) as Job)) continue;
    if (count === atMost) return { count, bounded: true };
    count += 1;
  }
  return { count, bounded: false };
}

/** One page of causes, the one with the newest death first. */
export function listDeadGroups(
  table: JobTable,
  filter: DeadFilter,
  { limit, after }: DeadGroupPageRequest,
): DeadGroupPage {
  checkGroupPage(limit);
  const place = after === undefined ? undefined : readPlace(after);
  const all = [...groupsOf(table, filter).values()].sort(byNewestDeath);
  const from =
    place === undefined ? 0 : all.findIndex((group) => byNewestDeath(placed(place), group) < 0);
  const groups = from < 0 ? [] : all.slice(from, from + limit);
  const last = groups.at(-1);
  if (last === undefined || last === all.at(-1)) return { groups };
  return { groups, next: placeText({ atMs: last.lastDiedAtMs, id: last.fingerprint }) };
}

function groupsOf(table: JobTable, filter: DeadFilter): Map<string, DeadGroup> {
  const fits = matcherOf(table, filter);
  const groups = new Map<string, DeadGroup>();
  for (const id of table.dead) {
    // A job in the index exists.
    const job = table.get(id) as Job;
    const { fingerprint } = job;
    const pattern = fingerprint && table.groups.patternOf(fingerprint);
    if (fingerprint === undefined || pattern === undefined || !fits(job)) continue;
    const { count = 0, firstDiedAtMs = diedAt(job) } = groups.get(fingerprint) ?? {};
    groups.set(fingerprint, {
      fingerprint,
      pattern,
      count: Math.min(count + 1, MAX_DEAD_COUNT),
      bounded: count === MAX_DEAD_COUNT,
      firstDiedAtMs,
      lastDiedAtMs: diedAt(job),
      newestId: id,
    });
  }
  return groups;
}

/** The facts that decide about acts on these jobs. */
export function actSubjectsOf(table: JobTable, ids: readonly string[]): ActSubject[] {
  return table.all(ids).map(({ id, state, account, purgedFrom, uniqueKey }) => {
    const keyHolder = uniqueKey === undefined ? undefined : table.holderOf(uniqueKey);
    return { id, state, generation: account.generation, purgedFrom, uniqueKey, keyHolder };
  });
}

function matcherOf(table: JobTable, filter: DeadFilter): (job: Job) => boolean {
  checkDeadFilter(filter);
  const { diedAfterMs = -Infinity, diedBeforeMs = Infinity, text, tag, ...same } = filter;
  const wanted = Object.entries(same).filter(([, value]) => value !== undefined);
  const folded = text === undefined ? undefined : foldAscii(text);
  const hasText = ({ fingerprint }: Job): boolean => {
    const pattern = fingerprint && table.groups.patternOf(fingerprint);
    return pattern !== undefined && foldAscii(pattern).includes(folded ?? '');
  };
  return (job) =>
    // All other fields of the filter are fields of a job with the same name.
    wanted.every(([name, value]) => job[name as keyof typeof same] === value) &&
    (tag === undefined || job.tags.includes(tag)) &&
    (folded === undefined || hasText(job)) &&
    diedAt(job) >= diedAfterMs &&
    diedAt(job) < diedBeforeMs;
}

function diedAt({ finishedAtMs, submittedAtMs }: Job): number {
  return finishedAtMs ?? submittedAtMs;
}

type GroupPlace = Pick<DeadGroup, 'lastDiedAtMs' | 'fingerprint'>;

function placed({ atMs, id }: { atMs: number; id: string }): GroupPlace {
  return { lastDiedAtMs: atMs, fingerprint: id };
}

function byNewestDeath(a: GroupPlace, b: GroupPlace): number {
  return b.lastDiedAtMs - a.lastDiedAtMs || compareText(b.fingerprint, a.fingerprint);
}
