import {
  type CourseItem,
  isFollowed,
  isUndecided,
  type OperationCourse,
  sendItems,
} from '../control/rules/index.ts';
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
  const { course, items, operation, write } = sending;
  if (course.again.length > 0 && !sending.pending) {
    const next = course.again.slice(0, items);
    await write(sendItems(course, next, operation.revision));
    return false;
  }
  if (sending.pending) return sendPending(sending);
  const page = await nextPage(sending, items);
  const jobs = isFollowed(course) ? await withGenerations(sending.store, page.jobs) : page.jobs;
  const sent = isFollowed(course)
    ? sendItems(course, nextGenerations(jobs), operation.revision)
    : course;
  if ((sent !== course || sending.mustWrite) && !(await write(sent))) return false;
  if (sent !== course && isUndecided(sent)) return false;
  return step(sending, { ...page, jobs });
}

/**
 * Acts on those that were written down, and on no others: where one of them is not found any more, another one comes in
 * its place, which nobody knows of yet.
 */
async function sendPending(sending: Sending): Promise<boolean> {
  const { store, course, items, operation, wish } = sending;
  if (sending.mustWrite && !(await sending.write(course))) return false;
  const known = new Map(course.underWay.map(({ id, generation }) => [id, generation - 1]));
  // Nothing comes in between what was named one by one.
  const isKnown = ({ id }: { readonly id: string }) => 'ids' in wish.target || known.has(id);
  let page = await nextPage(sending, items);
  const strange = page.jobs.findIndex((job) => !isKnown(job));
  if (strange > 0) page = await nextPage(sending, strange);
  if (!page.jobs.every(isKnown)) {
    await forgetPending(store, operation);
    return false;
  }
  // One that is not under way any more has had its turn: no job is in generation 0, so it refuses.
  const jobs = page.jobs.map(({ id }) => ({ id, generation: known.get(id) ?? 0 }));
  return step(sending, { ...page, jobs });
}

/** A step that does nothing: whatever was written down before it, and not acted on, is known to have had its turn. */
export async function forgetPending(
  store: FullStore,
  { id, revision, cursor }: Operation,
): Promise<void> {
  await store.stepOperation({ id, revision, cursor, acts: [], finished: false });
}

async function step({ store, wish, operation }: Sending, page: ActPage): Promise<boolean> {
  const { id, revision } = operation;
  const answer = await store.stepOperation({
    id,
    revision,
    acts: page.jobs.map((job) => actOn(wish, job, id)),
    cursor: page.next,
    finished: page.next === undefined,
  });
  return answer.ok && page.jobs.length > 0;
}

async function nextPage({ store, wish, operation }: Sending, items: number): Promise<ActPage> {
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
