import { type CourseItem, isOver, type OperationCourse } from './operation-course.ts';
import { openPace } from './release-pace.ts';

/** Who wants something of a course, and why. */
export interface CourseActor {
  readonly by: string;
  readonly why?: string | undefined;
}

/** What operators want of an act on many that is under way. */
export type CourseAct =
  | { readonly kind: 'pause' | 'resume' | 'abort' }
  /** Absent: as fast as it goes. */
  | { readonly kind: 'rate'; readonly perSecond?: number | undefined };

/**
 * The course after an operator's act. The same one: it is so already. `undefined`: this cannot be, because it is over.
 * One that its ramp has stopped begins its ramp again, with what was held first.
 */
export function actOnCourse(
  course: OperationCourse,
  act: CourseAct,
  { by, why }: CourseActor,
  nowMs: number,
): OperationCourse | undefined {
  const said = { by, why, sinceMs: nowMs };
  if (isOver(course))
    return act.kind === 'abort' && course.state === 'aborted' ? course : undefined;
  switch (act.kind) {
    case 'pause':
      return course.state === 'running' ? { ...course, ...said, state: 'paused' } : course;
    case 'resume':
      if (course.state === 'running') return course;
      return {
        ...(course.state === 'stopped' ? begunAgain(course) : course),
        ...said,
        state: 'running',
      };
    case 'abort':
      return { ...course, ...said, state: 'aborted', underWay: [], held: [], again: [] };
    case 'rate': {
      const { perSecond } = act;
      const pace = perSecond === undefined ? undefined : openPace(nowMs, perSecond);
      return { ...course, pace };
    }
  }
}

function begunAgain(course: OperationCourse): OperationCourse {
  const { ramp, held, again, underWay } = course;
  const next = { ...course, held: [], again: [...again, ...held] };
  if (ramp === undefined) return next;
  const at = { stage: 0, sent: 0, succeeded: 0, cameBack: 0 };
  const items = underWay.map((item) => ({ ...item, earlier: true as const }));
  return { ...next, underWay: items, ramp: { ...ramp, at } };
}

/** The course when its ramp stops it. `parked`: items of `underWay` that were not let go yet; they stay where they are. */
export function stopCourse(
  course: OperationCourse,
  parked: readonly CourseItem[],
  { by, why }: CourseActor,
  nowMs: number,
): OperationCourse {
  const stay = new Set(parked.map(({ id }) => id));
  return {
    ...course,
    state: 'stopped',
    sinceMs: nowMs,
    by,
    why,
    underWay: course.underWay.filter(({ id }) => !stay.has(id)),
    held: [
      ...course.held,
      ...parked.map(({ id, generation, failed }) => ({ id, generation, failed })),
    ],
  };
}
