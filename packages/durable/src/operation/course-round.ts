import {
  causes,
  countKnown,
  courseAnswer,
  enterStage,
  hearOfItems,
  isFollowed,
  isOver,
  isUndecided,
  type OperationCourse,
  stopCourse,
} from '../control/rules/index.ts';
import type { FullStore } from '../store/full-store.ts';
import { wishOf } from './act-wish.ts';
import { type FoundCourse, findCourse } from './find-course.ts';
import { standingsFor } from './item-standings.ts';
import { forgetPending, sendNext, unpark } from './send-next.ts';
import { releaseHeld, settleCourse } from './settle-course.ts';

/** Who carries out acts on many. */
export interface CourseRunner {
  readonly store: FullStore;
  /** Names this process, and no other one at the same time. */
  readonly worker: string;
  /** Items of one step, 1 to 1,000. */
  readonly batch: number;
}

export type RoundAnswer =
  /** To be called again after so long. `sent`: it has just acted on some. */
  | { readonly kind: 'again'; readonly waitMs: number; readonly sent: boolean }
  /** There is nothing to do for it now. */
  | { readonly kind: 'rest' }
  /** Another process carries it out, at least for so long. */
  | { readonly kind: 'others'; readonly waitMs: number };

/** A process that gives no sign of life for so long has lost it to others. */
export const RUNNER_LEASE_MS = 15_000;
const RENEW_MS = RUNNER_LEASE_MS / 2;
/** How often items are looked at that were under way when it was paused or stopped. */
const REST_MS = 1_000;

/**
 * One step of an act on many: reads what is known, asks core what to do, and does it. Whatever it is about to do is
 * written first, on condition that nobody else has written since; so any number of processes may try, each may end at any
 * place, and each job is acted on once.
 */
export async function courseRound(runner: CourseRunner, id: string): Promise<RoundAnswer> {
  const { store, worker } = runner;
  const actor = { name: `worker:${worker}` };
  const [found, operation] = await Promise.all([findCourse(store, id), store.operation(id)]);
  if (found === undefined) return REST;
  const { course, nowMs } = found;
  const known = countKnown(course, nowMs);
  if (isOver(course)) {
    await settleCourse(store, id, actor);
    return REST;
  }
  const othersMs = heldByOthersMs(course, worker, nowMs);
  if (othersMs > 0) return { kind: 'others', waitMs: othersMs };
  const wish = operation && wishOf(operation, course.ids);
  if (operation === undefined || wish === undefined) return REST;
  const standings = await standingsFor(store, course.underWay, causes.operation(id));
  const news = hearOfItems(known, standings, operation.revision);
  const { course: heard, parked, pending } = news;
  const more = operation.state === 'running';
  const answer = courseAnswer(heard, { more, pending, atMost: runner.batch, nowMs });
  if (pending > 0 && (answer.kind === 'rest' || answer.kind === 'stop')) {
    // Nobody knows when it goes on. They come again then.
    await forgetPending(store, operation);
    return again(0);
  }
  if (parked.length > 0 && answer.kind !== 'stop' && nowMs >= (known.knownAtMs ?? 0)) {
    await unpark(store, id, parked, actor);
  }
  const write = (next: OperationCourse, note?: object) =>
    writeCourse(runner, id, found, next, note);
  switch (answer.kind) {
    case 'rest':
      if (heard !== course || isRenewed(found)) await write(heard);
      return heard.underWay.length > 0 ? again(REST_MS) : REST;
    case 'wait':
      if (heard !== course || isRenewed(found)) await write(heard);
      return again(answer.waitMs);
    case 'next': {
      const entered = enterStage(heard, answer.stage);
      if (!(await write(entered))) return again(0);
      if (!isUndecided(entered)) await releaseHeld(store, id, actor);
      return again(0);
    }
    case 'stop': {
      const why = stopText(heard);
      const said = { by: actor.name, why };
      await write(stopCourse(heard, parked, said, nowMs), { ...said, act: 'stop' });
      return again(0);
    }
    case 'finish': {
      const finished = { ...heard, state: 'finished', sinceMs: nowMs } as const;
      const { succeeded, cameBack } = finished;
      const counts = isFollowed(finished) ? { succeeded, cameBack } : {};
      await write(finished, { by: actor.name, act: 'finish', ...counts });
      return again(0);
    }
    case 'send': {
      const { items, pace } = answer;
      const sent = await sendNext({
        store,
        wish,
        operation,
        course: { ...heard, pace },
        items,
        pending: pending > 0,
        mustWrite: heard !== course || pace !== course.pace || isRenewed(found),
        write,
      });
      return { kind: 'again', waitMs: 0, sent };
    }
  }
}

const REST: RoundAnswer = { kind: 'rest' };

function again(waitMs: number): RoundAnswer {
  return { kind: 'again', waitMs, sent: false };
}

/** For how long another process carries it out, if nothing more is heard of that one. 0: none does. */
export function heldByOthersMs({ runner }: OperationCourse, worker: string, nowMs: number): number {
  if (runner === undefined || runner.worker === worker) return 0;
  const leftMs = Math.max(0, runner.untilMs - nowMs);
  // Longer than any lease: the clock was set back since, and nobody would go on for as long.
  return leftMs > 2 * RUNNER_LEASE_MS ? 0 : leftMs;
}

/** Whether it is time to say that somebody is still at it. */
function isRenewed({ course, nowMs }: FoundCourse): boolean {
  const leftMs = (course.runner?.untilMs ?? 0) - nowMs;
  // Also when the clock was set back: what lies too far ahead keeps nobody else away.
  return leftMs < RENEW_MS || leftMs > RUNNER_LEASE_MS;
}

/** Writes it, unless somebody else has written since it was read. */
async function writeCourse(
  { store, worker }: CourseRunner,
  id: string,
  { revision, nowMs }: FoundCourse,
  next: OperationCourse,
  note: object | undefined,
): Promise<boolean> {
  const document = { ...next, runner: { worker, untilMs: nowMs + RUNNER_LEASE_MS } };
  const [answer] = await store.apply([
    {
      kind: 'control',
      of: 'operation',
      key: id,
      expect: revision,
      document: JSON.stringify(document),
      note: note && JSON.stringify(note),
    },
  ]);
  return answer.ok;
}

function stopText({ ramp }: OperationCourse): string {
  const { stage = 0, sent = 0, cameBack = 0 } = ramp?.at ?? {};
  return `${cameBack} of ${sent} jobs of stage ${stage + 1} failed again`;
}

/** Gives it away, so that others need not wait until the lease runs out. */
export async function letGo({ store, worker }: CourseRunner, id: string): Promise<void> {
  const found = await findCourse(store, id);
  if (found?.course.runner?.worker !== worker) return;
  const { runner: _, ...course } = found.course;
  const document = JSON.stringify(course);
  const command = { kind: 'control', of: 'operation', key: id, expect: found.revision } as const;
  await store.apply([{ ...command, document }]);
}
