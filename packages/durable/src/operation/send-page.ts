import {
  type BulkItem,
  type BulkProgress,
  type ItemNow,
  isFollowed,
  noteSent,
} from '../control/rules/bulk-progress.ts';
import { carryEscalations } from '../escalation/carry-escalations.ts';
import type { JobState } from '../job/job.ts';
import type { FullStore } from '../store/full-store.ts';
import { type ActPage, actPage } from './act-pages.ts';
import { type ActWish, actOn, cutOffOf } from './act-wish.ts';
import type { JobStanding, Operation } from './operation.ts';
import type { ActRefusal } from './plan-acts.ts';

export interface PageToSend {
  readonly store: FullStore;
  readonly wish: ActWish;
  readonly operation: Operation;
  readonly progress: BulkProgress;
  /** The number of items that may be sent. */
  readonly items: number;
  /** Whether the progress has changed already, and is to be written in any case. */
  readonly mustWrite: boolean;
  /** `false`: another process was first, and nothing may be done. */
  readonly write: (next: BulkProgress) => Promise<boolean>;
}

export interface SentPage {
  readonly sent: boolean;
  readonly refusals: readonly ActRefusal[];
}

const NOTHING: SentPage = { sent: false, refusals: [] };

/** Writes down the next items, if their results are observed, and acts on them. */
export async function sendPage(page: PageToSend): Promise<SentPage> {
  const { store, wish, operation, progress, mustWrite, write } = page;
  const { jobs: found, next: cursor } = await nextPage(page);
  const jobs = isFollowed(progress) ? await withGenerations(store, found) : found;
  const noted = isFollowed(progress)
    ? noteSent(progress, nextGenerations(jobs), operation.revision)
    : progress;
  if ((noted !== progress || mustWrite) && !(await write(noted))) return NOTHING;
  // Before the letters arrive in their new cause: otherwise it would be news.
  if (wish.act === 'regroup') await carryEscalations(store, jobs, operation.by);
  const { id, revision } = operation;
  const acts = jobs.map((job) => actOn(wish, job, id));
  const finished = cursor === undefined;
  const answer = await store.stepOperation({ id, revision, acts, cursor, finished });
  if (!answer.ok) return NOTHING;
  const refusals = answer.results.flatMap((result, index) =>
    result.ok ? [] : [{ id: jobs[index]?.id ?? '', refusal: result.refusal }],
  );
  return { sent: jobs.length > 0, refusals };
}

/**
 * A step without acts. A process that has written items down and not sent them cannot send them any more, so they are
 * known not to be sent; they come again with the next page.
 */
export async function skipPending(
  store: FullStore,
  { id, revision, cursor }: Operation,
): Promise<void> {
  await store.stepOperation({ id, revision, cursor, acts: [], finished: false });
}

async function nextPage({ store, wish, operation, items }: PageToSend): Promise<ActPage> {
  const { acted, refused, cursor, request } = operation;
  const limit = 'ids' in wish.target ? Infinity : wish.target.limit;
  const room = Math.min(items, limit - acted - refused);
  if (room <= 0) return { jobs: [], next: undefined };
  return actPage(store, wish, cutOffOf(request) ?? Infinity, { limit: room, after: cursor });
}

/** A job that was named by its id alone is meant as it is now. */
async function withGenerations(store: FullStore, jobs: ActPage['jobs']): Promise<ActPage['jobs']> {
  const unknown = jobs.filter(({ generation }) => generation === undefined);
  if (unknown.length === 0) return jobs;
  const now = await itemsNow(store, unknown);
  return jobs.map((job) => ({ generation: now.get(job.id)?.generation, ...job }));
}

/** The items after the act. A job that does not exist becomes none. */
function nextGenerations(jobs: ActPage['jobs']): BulkItem[] {
  return jobs.flatMap(({ id, generation }) =>
    generation === undefined ? [] : [{ id, generation: generation + 1 }],
  );
}

const AT_ONCE = 1_000;

/** The items of a bulk operation as they are now, by id. */
export async function itemsNow(
  store: Pick<FullStore, 'standings'>,
  items: readonly Pick<BulkItem, 'id'>[],
): Promise<ReadonlyMap<string, ItemNow>> {
  const now = new Map<string, ItemNow>();
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const ids = items.slice(from, from + AT_ONCE).map(({ id }) => id);
    for (const found of await store.standings(ids)) {
      now.set(found.id, { generation: found.generation, result: resultOf(found) });
    }
  }
  return now;
}

/** The first attempt decides, also when a later one has ended the job: the answer does not depend on the time of the look. */
function resultOf({ state, failed }: JobStanding): ItemNow['result'] {
  return failed > 0 ? 'failed' : RESULTS[state];
}

const RESULTS: Readonly<Partial<Record<JobState, ItemNow['result']>>> = {
  succeeded: 'succeeded',
  dead: 'failed',
  cancelled: 'other',
  // It had ended before, and nobody knows how any more.
  purged: 'other',
};
