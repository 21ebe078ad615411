import { type Outage, outageAt, type World } from '../backtest/world.ts';
import type { Attempts } from '../recording/attempts.ts';

/** A session in one generation, as it was recorded. */
export interface SessionCourse {
  readonly session: number;
  readonly group: number;
  attempts: number;
  /** The attempt that succeeded, from 1. 0: none did. */
  succeededAt: number;
  lastMs: number;
  /** It was given up at `lastMs`, and one more wait would have been this long. */
  givenUpWaitMs: number | undefined;
  /** Given up because of its limits, not because of its error. */
  isExhausted: boolean;
  /** The outage that its last failure met. */
  outage: Outage | undefined;
  /** Retries that failed while the dependency was down for all. */
  retriesWhileDown: number;
  lastType: string | undefined;
  /** Retries after the first failure of `lastType`. */
  retriesOfType: number;
  /** A requeue after it succeeded at the first attempt. */
  requeuedWell: boolean;
}

const EXHAUSTED: ReadonlySet<string> = new Set([
  'max_attempts_exceeded',
  'ttl_exceeded',
  'allowance_exhausted',
  'beyond_horizon',
]);

/** The sessions of an outage that tried again after it had ended. */
export interface Trials {
  recovered: number;
  failed: number;
}

/** The outages of each dependency. */
export type Outages = ReadonlyMap<string, World['outages']>;

/**
 * Every session of a recording that began in it, one entry per generation. Most succeed at once: they are only counted,
 * by their group, because a course needs more memory than its attempts.
 */
export function coursesOf(
  attempts: Attempts,
  outages: Outages,
): {
  readonly courses: SessionCourse[];
  readonly atOnce: ReadonlyMap<number, number>;
  /** Outages of which no session tried again have no entry. */
  readonly trials: ReadonlyMap<Outage, Trials>;
} {
  const atOnce = new Map<number, number>();
  const trials = new Map<Outage, Trials>();
  const open = new Map<number, { course: SessionCourse; generation: number }>();
  const all: SessionCourse[] = [];
  for (let at = 0; at < attempts.size; at += 1) {
    const one = attempts.at(at);
    const known = open.get(one.session);
    const isNew = one.attempt === 1 || (known !== undefined && one.generation > known.generation);
    if (!isNew && known === undefined) continue;
    if (one.attempt === 1 && known === undefined && one.outcome === 'succeeded') {
      atOnce.set(one.group, (atOnce.get(one.group) ?? 0) + 1);
      continue;
    }
    if (isNew) {
      const course = newCourse(one.session, one.group);
      if (known !== undefined) known.course.requeuedWell = one.outcome === 'succeeded';
      open.set(one.session, { course, generation: one.generation });
      all.push(course);
    }
    const course = open.get(one.session)?.course;
    if (course === undefined) continue;
    const before = isNew ? known?.course : course;
    if (before !== undefined) countTrial(trials, before, one);
    const { dependency } = attempts.groupOf(at);
    take(course, one, outages.get(dependency) ?? []);
  }
  return { courses: all, atOnce, trials };
}

/** The first attempt after an outage shows whether the outage was the cause of the session's failure. */
function countTrial(
  trials: Map<Outage, Trials>,
  { outage }: SessionCourse,
  { outcome, endMs }: ReturnType<Attempts['at']>,
): void {
  if (outage === undefined || outcome === 'not_run' || endMs < outage.toMs) return;
  const own = trials.get(outage) ?? { recovered: 0, failed: 0 };
  trials.set(outage, own);
  if (outcome === 'succeeded') own.recovered += 1;
  else own.failed += 1;
}

function newCourse(session: number, group: number): SessionCourse {
  return {
    session,
    group,
    attempts: 0,
    succeededAt: 0,
    lastMs: 0,
    givenUpWaitMs: undefined,
    isExhausted: false,
    outage: undefined,
    retriesWhileDown: 0,
    lastType: undefined,
    retriesOfType: 0,
    requeuedWell: false,
  };
}

function take(
  course: SessionCourse,
  one: ReturnType<Attempts['at']>,
  outages: World['outages'],
): void {
  course.lastMs = one.endMs;
  if (one.outcome !== 'not_run') course.attempts += 1;
  if (one.outcome === 'succeeded') {
    course.succeededAt = course.attempts;
    return;
  }
  if (one.action === 'give-up') {
    course.isExhausted = EXHAUSTED.has(one.reason);
    course.givenUpWaitMs = one.delayMs ?? 0;
  }
  if (one.outcome !== 'failed') return;
  const outage = outageAt(outages, one.endMs);
  course.outage = outage;
  if (outage !== undefined && course.attempts > 1) course.retriesWhileDown += 1;
  course.retriesOfType = one.errorType === course.lastType ? course.retriesOfType + 1 : 0;
  course.lastType = one.errorType;
}
