import type { RampPlan, RampStage } from './ramp.ts';
import type { ReleasePace } from './release-pace.ts';

/** Kind `operation`; its key is the operation's id. How an act on many goes on, and what is known of it. */
export interface OperationCourse {
  /** `stopped`: by its ramp, because too many came back. `aborted`: for good. */
  readonly state: 'running' | 'paused' | 'stopped' | 'aborted' | 'finished';
  /** Since when it is in this state. */
  readonly sinceMs: number;
  /** Who said so last, and why. */
  readonly by: string;
  readonly why?: string | undefined;
  /** Acts per second at most, as a pace that does not grow. Absent: as fast as it goes. */
  readonly pace?: ReleasePace | undefined;
  /** Items that were acted on and have not ended, at most. Absent: any number. */
  readonly maxInFlight?: number | undefined;
  /** Absent: all at once. */
  readonly ramp?: { readonly plan: RampPlan; readonly at: RampStage } | undefined;
  /**
   * Items under way, where somebody wants to know how they end (a ramp, or a maximum in flight): written before they are
   * acted on, so that a crash in between loses none of them.
   */
  readonly underWay: readonly CourseItem[];
  /** The operation's revision when the newest of `underWay` were written. */
  readonly sentAt: number;
  /**
   * From then on every process knows what is under way, as far as the ramp is undecided: not before, these may go. Absent:
   * `countKnown` is to say it, after the write of the newest of them.
   */
  readonly knownAtMs?: number | undefined;
  /** Items that came back and have attempts left: these wait until the ramp is decided. */
  readonly held: readonly CourseItem[];
  /** Items that were held when somebody resumed it: the next ones to go. */
  readonly again: readonly CourseItem[];
  /** Of all stages, also of those before a resume. */
  readonly succeeded: number;
  readonly cameBack: number;
  /** How many items there were at the beginning, where that is known. */
  readonly total?: { readonly count: number; readonly bounded: boolean } | undefined;
  /** What it is about, where somebody has named them one by one. */
  readonly ids?: readonly (string | CourseItem)[] | undefined;
  /** Which process carries it out, and until when nobody else does. */
  readonly runner?: { readonly worker: string; readonly untilMs: number } | undefined;
  /** It is over, and all that follows from that is done. */
  readonly settled?: boolean | undefined;
}

/**
 * A process whose knowledge of the documents is older than a second starts nothing. So this long after a change, with some
 * to spare, nobody starts an attempt without knowing of it.
 */
export const KNOWN_TO_ALL_MS = 1_500;

/** A job in the generation that it got by the act. */
export interface CourseItem {
  readonly id: string;
  readonly generation: number;
  /** Attempts of this generation that had failed when it was sent. Absent: none. */
  readonly failed?: number | undefined;
  /** It was under way when somebody resumed the course: how it ends says nothing about the ramp that began then. */
  readonly earlier?: true | undefined;
}

/** Whether it wants to know how its items end. */
export function isFollowed({
  ramp,
  maxInFlight,
}: Pick<OperationCourse, 'ramp' | 'maxInFlight'>): boolean {
  return ramp !== undefined || maxInFlight !== undefined;
}

/** Whether nothing more comes of it. */
export function isOver({ state }: Pick<OperationCourse, 'state'>): boolean {
  return state === 'finished' || state === 'aborted';
}

/** Whether its ramp has not yet come to its last stage: an item that fails an attempt now waits with the rest of them. */
export function isUndecided(course: OperationCourse): boolean {
  const { ramp } = course;
  return ramp !== undefined && !isOver(course) && ramp.at.stage < ramp.plan.stages.length;
}
