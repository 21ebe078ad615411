import { chargedAttempts, isRunning } from '@redrive/core/stored';
import { describe, expect, it } from 'vitest';
import {
  firstWorld,
  keyOf,
  MAX_ATTEMPTS,
  NOW,
  type Step,
  stepsFrom,
  type World,
} from '../testing/world.ts';
import { isFinal, type JobLife, type JobState } from './job.ts';
import type { JobEvent } from './transition.ts';

/** Where each state may lead, as the architecture draws it: written down a second time, on purpose. */
const DIAGRAM: Readonly<Record<JobState, readonly JobState[]>> = {
  scheduled: ['scheduled', 'ready', 'cancelled', 'dead'],
  ready: ['ready', 'scheduled', 'leased', 'cancelled', 'dead'],
  parked: ['parked', 'ready', 'scheduled', 'cancelled', 'dead'],
  leased: ['leased', 'succeeded', 'scheduled', 'ready', 'parked', 'dead', 'cancelled'],
  succeeded: ['purged'],
  dead: ['dead', 'ready', 'purged'],
  cancelled: ['cancelled', 'ready', 'purged'],
  purged: ['succeeded', 'dead', 'cancelled'],
};

/** What is wrong with a job as such. */
function* problemsOf(life: JobLife): Iterable<string> {
  const { state, account } = life;
  const settled = Object.values(account.entries).reduce((sum, count) => sum + count, 0);
  if (account.claims !== settled + (state === 'leased' ? 1 : 0)) yield 'the sum of claims';
  if (isRunning(account) !== (state === 'leased')) yield 'an attempt runs while it is leased';
  if (chargedAttempts(account) > MAX_ATTEMPTS) yield 'more attempts charged than allowed';
  if ((life.lease !== undefined) !== (state === 'leased')) yield 'a lease while it is leased';
  const waits = state === 'scheduled' || state === 'parked';
  if ((life.dueAtMs !== undefined) !== waits) yield 'a due time while it waits';
  if ((life.cause !== undefined) !== (state === 'parked')) yield 'a cause while it is parked';
  if ((life.finishedAtMs !== undefined) !== isFinal(state)) yield 'an end when it is finished';
  if ((life.purgedFrom !== undefined) !== (state === 'purged')) yield 'what it was before';
}

/** What is wrong with how a job went from one state to the next. */
function* problemsOfStep(
  before: JobLife,
  { event, answer, next, job = 0 }: Step,
): Iterable<string> {
  const after = next.jobs[job];
  if (event === undefined || after === undefined) return;
  if (answer?.ok !== true) {
    if (after !== before) yield 'a refusal that changes something';
    return;
  }
  if (!DIAGRAM[before.state].includes(after.state)) yield `${before.state} to ${after.state}`;
  const physical = event.kind === 'promote' || event.kind === 'extend';
  if (answer.recorded === physical) yield 'a record too many or too few';
  if (after.revision !== before.revision + (answer.recorded ? 1 : 0)) yield 'a gap of revisions';
  const newGeneration = event.kind === 'requeue' || event.kind === 'reset' ? 1 : 0;
  const raises = event.kind === 'claim' || event.kind === 'settle' || newGeneration === 1;
  if (after.token !== before.token + (raises ? 1 : 0)) yield 'a token that does not rise';
  const claims = event.kind === 'claim' ? 1 : 0;
  if (after.account.executions !== before.account.executions + claims) yield 'executions';
  if (after.account.generation !== before.account.generation + newGeneration) yield 'generations';
  if (event.kind === 'reset' && after.state !== before.state) yield 'a reset that moves it';
  if (event.kind === 'settle' && event.settlement.token !== before.token) yield 'a stale write';
  if (event.kind === 'extend' && event.token !== before.token) yield 'a stale heartbeat';
  yield* problemsOfTime(before, after, event);
}

/** What happened before its time, or after it. */
function* problemsOfTime(before: JobLife, after: JobLife, event: JobEvent): Iterable<string> {
  const { dueAtMs = NOW, deadlineMs = Number.POSITIVE_INFINITY, lease } = before;
  const alive = lease !== undefined && lease.untilMs > NOW;
  switch (event.kind) {
    case 'claim':
      if (deadlineMs <= NOW) yield 'a claim past the deadline';
      return;
    case 'expire':
      if (deadlineMs > NOW) yield 'given up before the deadline';
      return;
    case 'promote':
      if (dueAtMs > NOW) yield 'promoted before its time';
      return;
    case 'unpark':
      if (!event.byHand && dueAtMs > NOW) yield 'released before its time';
      return;
    case 'settle':
      if (event.settlement.by === 'expired' && alive) yield 'rescued while the lease lives';
      return;
    case 'extend':
      if (!alive) yield 'a lease that came back to life';
      if ((after.lease?.untilMs ?? 0) < (lease?.untilMs ?? 0)) yield 'a lease that got shorter';
  }
}

/** What is wrong with who holds what. */
function* problemsOfHolds({ jobs, holds }: World): Iterable<string> {
  for (const [index, life] of jobs.entries()) {
    const current = holds.filter((hold) => hold?.job === index && hold.token === life.token);
    if (current.length > 1) yield 'two workers with the newest token';
    if (current.length > 0 && life.state !== 'leased') yield 'a valid token without a lease';
    if (holds.some((hold) => hold?.job === index && hold.token > life.token)) yield 'a token ahead';
  }
}

function* problemsIn(world: World, step: Step): Iterable<string> {
  const before = world.jobs[step.job ?? 0];
  const after = step.next.jobs[step.job ?? 0];
  if (before === undefined || after === undefined) return;
  yield* problemsOf(after);
  yield* problemsOfStep(before, step);
  yield* problemsOfHolds(step.next);
}

function explore(start: World): { worlds: number; problems: string[]; stuck: number } {
  const seen = new Map<string, number>([[keyOf(start), 0]]);
  const queue: World[] = [start];
  const cameFrom: number[][] = [[]];
  const ended: number[] = [];
  const problems: string[] = [];
  for (let index = 0; index < queue.length; index++) {
    const world = queue[index] as World;
    queue[index] = NOTHING;
    if (world.jobs.every(({ state }) => isFinal(state))) ended.push(index);
    for (const step of stepsFrom(world)) {
      // A refusal that leaves everything as it was.
      if (step.next === world) continue;
      for (const problem of problemsIn(world, step)) {
        problems.push(`${step.name} of ${keyOf(world)}: ${problem}`);
      }
      if (problems.length > 20) return { worlds: seen.size, problems, stuck: 0 };
      const key = keyOf(step.next);
      const known = seen.get(key);
      if (known === undefined) {
        seen.set(key, queue.length);
        cameFrom.push([]);
        queue.push(step.next);
      }
      if (BY_ITSELF.has(step.name)) cameFrom[known ?? queue.length - 1]?.push(index);
    }
  }
  return { worlds: seen.size, problems, stuck: seen.size - countLeading(ended, cameFrom) };
}

/** What needs no operator: time, and workers that do their work. */
const BY_ITSELF = new Set([
  'time passes',
  'promote',
  'unpark',
  'claim',
  'success',
  'rescue',
  'expire',
]);
const NOTHING = firstWorld(0, 0, false);

/** How many worlds lead to one of these. */
function countLeading(to: readonly number[], cameFrom: readonly (readonly number[])[]): number {
  const leading = new Set(to);
  for (const world of leading) for (const before of cameFrom[world] ?? []) leading.add(before);
  return leading.size;
}

describe('every life of a job', () => {
  it.each([
    ['two workers and two jobs', firstWorld(2, 2, false)],
    ['three workers and a job with a deadline', firstWorld(1, 3, true)],
  ])(
    'is legal, for %s, with three attempts',
    (_, start) => {
      const { worlds, problems, stuck } = explore(start);
      expect(problems).toEqual([]);
      expect(stuck, 'worlds from which not every job ends by itself').toBe(0);
      expect(worlds).toBeGreaterThan(500);
    },
    120_000,
  );
});
