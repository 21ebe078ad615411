import {
  type CourseItem,
  isUndecided,
  KNOWN_TO_ALL_MS,
  type OperationCourse,
} from './operation-course.ts';

/** How an item stands now. */
export interface ItemStanding {
  readonly id: string;
  readonly generation: number;
  /** Absent: its generation has not ended. `other`: neither by success nor by failure. */
  readonly end?: 'succeeded' | 'failed' | 'other' | undefined;
  /** It is parked because this operation's ramp is undecided. */
  readonly held: boolean;
  /** Attempts of this generation that failed. */
  readonly failed: number;
}

export interface CourseNews {
  readonly course: OperationCourse;
  /** How many of `underWay` were not acted on yet, and are not parked. */
  readonly pending: number;
  /** Items of `underWay` that are still parked: they are to be let go, when all know of them. */
  readonly parked: readonly CourseItem[];
}

/**
 * The course with all that is known by now. `revision` is the operation's, read before the standings: where it is no
 * higher than `sentAt`, the newest items may not have been acted on yet; where it is, an item that has not changed has
 * refused. An item of an undecided ramp has come back with its first failed attempt, any other one when it ends so.
 */
export function hearOfItems(
  course: OperationCourse,
  standings: ReadonlyMap<string, ItemStanding>,
  revision: number,
): CourseNews {
  const undecided = isUndecided(course);
  const underWay: CourseItem[] = [];
  const parked: CourseItem[] = [];
  const held = [...course.held];
  let pending = 0;
  const count = { succeeded: 0, cameBack: 0 };
  // Of the stage under way.
  const stage = { succeeded: 0, cameBack: 0, dropped: 0 };
  for (const item of course.underWay) {
    const standing = standings.get(item.id);
    const now = item.earlier ? 0 : 1;
    switch (endOf(item, standing, undecided)) {
      case 'succeeded':
        count.succeeded += 1;
        stage.succeeded += now;
        break;
      case 'came back':
        count.cameBack += 1;
        stage.cameBack += now;
        if (standing?.held) held.push(heldItem(item, standing));
        break;
      case 'dropped':
        stage.dropped += now;
        break;
      case 'unchanged':
        if (revision > course.sentAt) {
          stage.dropped += now;
        } else {
          pending += 1;
          underWay.push(item);
        }
        break;
      case 'under way':
        underWay.push(item);
        if (standing?.held) parked.push(item);
        break;
    }
  }
  if (underWay.length === course.underWay.length) return { course, pending, parked };
  return {
    course: { ...course, underWay, held, ...counted(course, count, stage) },
    pending,
    parked,
  };
}

function heldItem({ id, generation }: CourseItem, { failed }: ItemStanding): CourseItem {
  return { id, generation, failed };
}

function endOf(
  item: CourseItem,
  standing: ItemStanding | undefined,
  undecided: boolean,
): 'succeeded' | 'came back' | 'dropped' | 'unchanged' | 'under way' {
  if (standing === undefined) return 'dropped';
  if (standing.generation < item.generation) return 'unchanged';
  // Somebody has sent it again: it had come back.
  if (standing.generation > item.generation) return 'came back';
  if (standing.end === 'other') return 'dropped';
  if (standing.end !== undefined) return standing.end === 'succeeded' ? 'succeeded' : 'came back';
  const hasFailed = undecided && standing.failed > (item.failed ?? 0);
  // One of before may have failed while the ramp was decided, and has gone on since.
  return hasFailed && (standing.held || !item.earlier) ? 'came back' : 'under way';
}

function counted(
  { ramp, succeeded, cameBack }: OperationCourse,
  count: { succeeded: number; cameBack: number },
  stage: { succeeded: number; cameBack: number; dropped: number },
): Partial<OperationCourse> {
  const totals = {
    succeeded: succeeded + count.succeeded,
    cameBack: cameBack + count.cameBack,
  };
  if (ramp === undefined) return totals;
  const at = {
    ...ramp.at,
    sent: Math.max(0, ramp.at.sent - stage.dropped),
    succeeded: ramp.at.succeeded + stage.succeeded,
    cameBack: ramp.at.cameBack + stage.cameBack,
  };
  return { ...totals, ramp: { ...ramp, at } };
}

/**
 * The course when these items are about to be acted on. One that it knows already (from before a crash) counts once; the
 * same course: it knows all of them.
 */
export function sendItems(
  course: OperationCourse,
  items: readonly CourseItem[],
  revision: number,
): OperationCourse {
  const { ramp } = course;
  const known = new Set(course.underWay.map(({ id }) => id));
  const added = items.filter(({ id }) => !known.has(id));
  if (added.length === 0) return course;
  const gone = new Set(added.map(({ id }) => id));
  const sent = {
    ...course,
    underWay: [...course.underWay, ...added],
    again: course.again.filter(({ id }) => !gone.has(id)),
    sentAt: revision,
    knownAtMs: undefined,
  };
  if (ramp === undefined) return sent;
  return { ...sent, ramp: { ...ramp, at: { ...ramp.at, sent: ramp.at.sent + added.length } } };
}

/**
 * The course with the time from which every process knows what is under way, where the ramp is undecided. It counts from
 * a time that was read after the items were written, however long that write took. The same course: it has one.
 */
export function countKnown(course: OperationCourse, nowMs: number): OperationCourse {
  const { knownAtMs = Infinity, underWay } = course;
  // Further ahead it is from before the clock was set back, and they would wait for as long.
  const isCounted = knownAtMs - nowMs <= KNOWN_TO_ALL_MS;
  if (isCounted || underWay.length === 0 || !isUndecided(course)) return course;
  return { ...course, knownAtMs: nowMs + KNOWN_TO_ALL_MS };
}

/** The course at the beginning of a stage of its ramp. What was held comes free when the last one begins. */
export function enterStage(course: OperationCourse, stage: number): OperationCourse {
  const { ramp } = course;
  if (ramp === undefined) return course;
  const at = { stage, sent: 0, succeeded: 0, cameBack: 0 };
  const entered = { ...course, ramp: { ...ramp, at } };
  return isUndecided(entered) ? entered : { ...entered, held: [] };
}
