import type { EnqueueResult } from '../store/commands.ts';
import { firstCursor, lastTick, nextTick, type SchedulePlan } from './plan.ts';
import type { Schedule, ScheduleDocument } from './schedule.ts';

/** A tick that is later than this was missed. A cursor that is further ahead shows that the clock was set back. */
export const LATE_MS = 60_000;
/** The holder has this time after a tick before another worker enqueues it. */
export const HOLD_MS = 2_000;

export interface LookInput {
  readonly schedule: Schedule;
  /** `undefined`: no worker has seen the schedule before. */
  readonly document: ScheduleDocument | undefined;
  readonly worker: string;
  readonly nowMs: number;
  /** A kill switch or a pause covers it. */
  readonly isStopped: boolean;
  /** The process has just declared it: its definition replaces another one at once. */
  readonly isNew: boolean;
}

export type LookAnswer =
  /** Nothing to do before this time. `Infinity`: until a document changes. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** The document is written without a tick: the schedule or its definition is new. */
  | { readonly kind: 'begin'; readonly cursorMs: number }
  /** It has a new holder, and nothing else is new. */
  | { readonly kind: 'hold'; readonly document: ScheduleDocument }
  | {
      readonly kind: 'tick';
      readonly tickMs: number;
      /** Ticks before this one that nobody enqueued. */
      readonly missed: number;
      /** `false`: the tick itself is missed, too. */
      readonly enqueue: boolean;
    };

/** Decides what a worker does about a schedule now. Pure. */
export function lookAtSchedule(input: LookInput): LookAnswer {
  const { schedule, document, worker, nowMs, isStopped, isNew } = input;
  const { plan } = schedule;
  const first = firstCursor(schedule, nowMs);
  if (document === undefined) return { kind: 'begin', cursorMs: first };
  const isOthers = document.holder !== worker && document.untilMs > nowMs;
  const isAhead = document.cursorMs > nowMs + LATE_MS;
  if (isAhead || !isSame(document.plan, plan)) {
    // Ticks of another plan, or of a wrong clock, say nothing about the ticks of this one.
    const cursorMs = Math.min(nowMs, Math.max(first, document.cursorMs));
    if (isAhead || isNew || !isOthers) return { kind: 'begin', cursorMs };
  } else if (isNew && !isSame(definitionOf(document), definitionOf(schedule))) {
    return { kind: 'begin', cursorMs: document.cursorMs };
  }
  if (isStopped) return { kind: 'wait', untilMs: Infinity };
  if (isOthers) return { kind: 'wait', untilMs: document.untilMs };
  const last = lastTick(plan, document.cursorMs, nowMs);
  if (last === undefined) return { kind: 'wait', untilMs: nextTick(plan, nowMs) ?? Infinity };
  const enqueue = schedule.missed === 'last' || nowMs - last.tickMs <= LATE_MS;
  return { kind: 'tick', tickMs: last.tickMs, missed: last.earlier, enqueue };
}

/** The answer where this worker takes the schedule over from another one. `undefined`: it cannot, or has nothing to take. */
export function takeOver(input: LookInput): Exclude<LookAnswer, { kind: 'wait' }> | undefined {
  const { schedule, document, worker, isStopped } = input;
  if (document === undefined || document.holder === worker || isStopped) return undefined;
  if (!isSame(definitionOf(document), definitionOf(schedule))) return undefined;
  const held = { ...document, holder: worker };
  const answer = lookAtSchedule({ ...input, document: held });
  return answer.kind === 'wait' ? { kind: 'hold', document: held } : answer;
}

/** The document after a look. `result`: of the tick's enqueue. */
export function documentAfter(
  { schedule, document, worker, nowMs }: LookInput,
  answer: Exclude<LookAnswer, { kind: 'wait' }>,
  result: EnqueueResult | undefined,
): ScheduleDocument {
  if (answer.kind === 'hold') return answer.document;
  const { plan } = schedule;
  const held = {
    ...document,
    ...definitionOf(schedule),
    holder: worker,
    untilMs: (nextTick(plan, nowMs) ?? nowMs) + HOLD_MS,
  };
  const totals = { enqueued: 0, skipped: 0, missed: 0, ...document?.totals };
  if (answer.kind === 'begin') return { ...held, cursorMs: answer.cursorMs, totals };
  const last = resultOf(answer.tickMs, result);
  totals.missed += answer.missed;
  totals[last.result] += 1;
  return { ...held, cursorMs: answer.tickMs, last, totals };
}

/** A job with the tick's own id was enqueued before: by another worker, or by a process that died before its next write. */
function resultOf(
  tickMs: number,
  result: EnqueueResult | undefined,
): Required<ScheduleDocument>['last'] {
  if (result === undefined) return { tickMs, result: 'missed' };
  const isOther = result.ok && result.outcome === 'existing';
  return { tickMs, result: isOther ? 'skipped' : 'enqueued', jobId: result.id };
}

function definitionOf({ plan, overlap, missed, job }: Schedule): Schedule {
  return { plan, overlap, missed, job };
}

function isSame(a: SchedulePlan | Schedule, b: SchedulePlan | Schedule): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
