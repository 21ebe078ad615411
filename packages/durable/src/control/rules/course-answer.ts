import { isFollowed, type OperationCourse } from './operation-course.ts';
import { rampAnswer } from './ramp.ts';
import { paceWaitMs, type ReleasePace, takeFromPace } from './release-pace.ts';

/** What is to be done now for an act on many. */
export type CourseAnswer =
  /** So many more items may be acted on. `pace`: what is left of it then. */
  | { readonly kind: 'send'; readonly items: number; readonly pace?: ReleasePace | undefined }
  /** Nothing for so long. */
  | { readonly kind: 'wait'; readonly waitMs: number }
  | { readonly kind: 'next'; readonly stage: number }
  /** Too many came back. */
  | { readonly kind: 'stop' }
  | { readonly kind: 'finish' }
  /** It is paused, stopped or over. */
  | { readonly kind: 'rest' };

/** How long until it is worth looking again how items have ended. */
const LOOK_AGAIN_MS = 200;

export interface CourseMoment {
  /** Whether there are items that were not yet acted on. */
  readonly more: boolean;
  /** Items that were written down and not acted on: these first, when all know of them. */
  readonly pending: number;
  /** How many fit into one step. */
  readonly atMost: number;
  readonly nowMs: number;
}

/** What to do now. Stops before it sends: what has come back counts first. */
export function courseAnswer(
  course: OperationCourse,
  { more, pending, atMost, nowMs }: CourseMoment,
): CourseAnswer {
  const { ramp, again, underWay, maxInFlight = Infinity, pace } = course;
  if (course.state !== 'running') return { kind: 'rest' };
  const stage = ramp ? rampAnswer(ramp.plan, ramp.at) : SEND_ALL;
  if (stage.kind === 'stop') return stage;
  // They have taken their place in the stage, among those in flight and in the pace already.
  if (pending > 0) {
    const waitMs = (course.knownAtMs ?? 0) - nowMs;
    return waitMs > 0
      ? { kind: 'wait', waitMs }
      : { kind: 'send', items: Math.min(pending, atMost), pace };
  }
  if (stage.kind === 'next') return stage;
  if (!more && again.length === 0) return underWay.length === 0 ? { kind: 'finish' } : LOOK_AGAIN;
  if (stage.kind === 'wait') return LOOK_AGAIN;
  const room = isFollowed(course) ? maxInFlight - underWay.length : Infinity;
  const items = Math.min(stage.items, room, atMost);
  if (items <= 0) return LOOK_AGAIN;
  if (pace === undefined) return { kind: 'send', items };
  const taken = takeFromPace(pace, items, nowMs);
  if (taken.granted > 0) return { kind: 'send', items: taken.granted, pace: taken.pace };
  return { kind: 'wait', waitMs: Math.max(1, paceWaitMs(pace, nowMs)) };
}

const SEND_ALL = { kind: 'send', items: Infinity } as const;
const LOOK_AGAIN = { kind: 'wait', waitMs: LOOK_AGAIN_MS } as const;
