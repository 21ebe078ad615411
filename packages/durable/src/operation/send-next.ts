import {
  type CourseItem,
  isFollowed,
  isUndecided,
  type OperationCourse,
  sendItems,
} from '@redrive/core/control';
import type { ActCommand, Actor } from '../store/commands.ts';
import type { FullStore } from '../store/full-store.ts';
import { type ActPage, actPage } from './act-pages.ts';
import { type ActWish, actOn, cutOffOf } from './act-wish.ts';
import { standingsFor } from './item-standings.ts';
import type { Operation } from './operation.ts';

export interface Sending {
  readonly store: FullStore;
  readonly wish: ActWish;
  readonly operation: Operation;
  readonly course: OperationCourse;
  readonly nowMs: number;
  /** How many may go. */
  readonly items: number;
  /** They were written down before, and come next in the operation. */
  readonly pending: boolean;
  /** Whether the course is to be written, whatever goes. */
  readonly mustWrite: boolean;
  /** `false`: somebody else was faster, and nothing may be done. */
  readonly write: (next: OperationCourse) => Promise<boolean>;
}

/**
 * Writes the next items down, and lets them go: at once, or where the ramp is undecided, at the next call, when every
 * process knows of them. Answers whether any were acted on.
 */
export async function sendNext(sending: Sending): Promise<boolean> {
  const { course, items, operation, nowMs, write } = sending;
  if (course.again.length > 0 && !sending.pending) {
    const next = course.again.slice(0, items);
    await write(sendItems(course, next, operation.revision, nowMs));
    return false;
  }
  const { store, wish } = sending;
  const { id, revision } = operation;
  const page = await nextPage(sending);
  const jobs = isFollowed(course) ? await withGenerations(store, page.jobs) : page.jobs;
  const sent = isFollowed(course)
    ? sendItems(course, nextGenerations(jobs), revision, nowMs)
    : course;
  if ((sent !== course || sending.mustWrite) && !(await write(sent))) return false;
  if (sent !== course && isUndecided(sent)) return false;
  const answer = await store.stepOperation({
    id,
    revision,
    acts: jobs.map((job) => actOn(wish, job, id)),
    cursor: page.next,
    finished: page.next === undefined,
  });
  return answer.ok && jobs.length > 0;
}

async function nextPage({ store, wish, operation, items }: Sending): Promise<ActPage> {
  const { acted, refused, cursor, request } = operation;
  const limit = 'ids' in wish.target ? Infinity : wish.target.limit;
  const room = Math.min(items, limit - acted - refused);
  if (room <= 0) return { jobs: [], next: undefined };
  return actPage(store, wish, cutOffOf(request) ?? Infinity, { limit: room, after: cursor });
}

/** Whoever named a job by its id alone meant it as it is now. */
async function withGenerations(store: FullStore, jobs: ActPage['jobs']): Promise<ActPage['jobs']> {
  const unknown = jobs.filter(({ generation }) => generation === undefined);
  if (unknown.length === 0) return jobs;
  const standings = await standingsFor(store, unknown, '');
  return jobs.map((job) => ({ generation: standings.get(job.id)?.generation, ...job }));
}

/** What they become by the act. One that is not there becomes nothing. */
function nextGenerations(jobs: ActPage['jobs']): CourseItem[] {
  return jobs.flatMap(({ id, generation }) =>
    generation === undefined ? [] : [{ id, generation: generation + 1 }],
  );
}

/** Lets items go that wait for the ramp. One that does not wait any more refuses, which is as well. */
export async function unpark(
  store: FullStore,
  operation: string,
  items: readonly CourseItem[],
  actor: Actor,
): Promise<void> {
  const acts = items.map(
    ({ id, generation }): ActCommand => ({
      kind: 'act',
      act: 'unpark',
      id,
      generation,
      actor,
      operation,
    }),
  );
  await store.apply(acts);
}
