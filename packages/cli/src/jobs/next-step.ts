import type { ReasonCode } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import type { Job, JobSummary } from '@redrive/durable';
import type { ParkedJobs } from '@redrive/durable/control';
import {
  type AttendedOverview,
  causeName,
  isCovered,
  lossesOf,
  SUSPECT_LOSSES,
  targetText,
  type WaitsFor,
} from '@redrive/durable/store';
import { ageText, formatAge, formatDue, formatTime, spanText } from '../terminal/times.ts';

export interface Circumstances {
  /** For jobs that are ready or parked. Absent: nothing is known to stop it. */
  readonly overview?: AttendedOverview | undefined;
  readonly nowMs: number;
}

/** The next event of a job, its time, and its reason: one sentence or two. */
export function nextStep(job: Job, { overview, nowMs }: Circumstances): string {
  const when = (atMs = nowMs) => `${formatTime(atMs)} (${formatAge(atMs, nowMs)})`;
  const sendAgain = `To run it again: ${commandText`redrive jobs retry ${job.id}`}`;
  switch (job.state) {
    case 'scheduled':
      return scheduledText(job, nowMs, when);
    case 'ready':
      return stoppedText(job, overview, when) ?? readyText(job);
    case 'parked':
      return parkedText(job, overview ?? { parked: [], hasWorker: true, nowMs });
    case 'leased':
      return leasedText(job, nowMs, when);
    case 'succeeded':
      return `${attemptsText(job)}, succeeded at ${when(job.finishedAtMs)}.`;
    case 'dead':
      return `It was given up at ${when(job.finishedAtMs)}: ${because(job)}. ${sendAgain}`;
    case 'cancelled':
      return `It was cancelled at ${when(job.finishedAtMs)}. ${sendAgain}`;
    case 'purged':
      return 'It was purged, and is deleted for good when its retention time is over.';
  }
}

function scheduledText(job: Job, nowMs: number, when: (atMs?: number) => string): string {
  const { dueAtMs = nowMs, handler } = job;
  const isRetry = hasRun(job);
  const which = isRetry ? 'The next attempt' : 'The first attempt';
  const why = isRetry ? `: ${because(job)}` : ', as requested';
  const isDue = dueAtMs - nowMs < 1_000;
  if (!isDue) return `${which} starts at ${when(dueAtMs)}${why}.${suspectText(job)}`;
  const since = `since ${formatTime(dueAtMs)} (for ${spanText(Math.max(1_000, nowMs - dueAtMs))})`;
  return `${which} has been due ${since}${why}. It waits for a worker that handles ${handler}.${suspectText(job)}`;
}

function leasedText(job: Job, nowMs: number, when: (atMs?: number) => string): string {
  const { worker = 'a worker', sinceMs, untilMs, alone } = job.lease ?? {};
  const cancel = job.cancelRequested ? ' A cancellation was requested.' : '';
  if (untilMs !== undefined && untilMs < nowMs) {
    return `Its lease ran out ${ageText(untilMs, nowMs)} (worker ${worker}): the next worker that has the handler takes it over.${cancel}`;
  }
  const company = alone === true ? ' The worker runs no other job at the same time.' : '';
  return `Attempt ${job.account.claims} has been running on ${worker} since ${when(sinceMs)}; its lease ends at ${when(untilMs)}.${company}${cancel}`;
}

function attemptsText({ account }: Job): string {
  return account.claims === 1 ? '1 attempt' : `${account.claims} attempts`;
}

function readyText(job: Job): string {
  return `It waits for a worker that handles ${job.handler}${hasRun(job) ? `: ${because(job)}` : ''}.${suspectText(job)}`;
}

/** Why a job that may have ended its process is not claimed like the others. */
function suspectText({ account }: Job): string {
  const losses = lossesOf(account);
  if (losses < SUSPECT_LOSSES) return '';
  return ` It lost ${losses} leases in a row, so a worker claims it only while it runs few other jobs, after more losses only while it runs none.`;
}

function stoppedText(
  job: Job,
  overview: AttendedOverview | undefined,
  when: (atMs: number) => string,
): string | undefined {
  const kill = overview?.killSwitches.find((each) => isCovered(each, job));
  const pause = overview?.pauses.find((each) => isCovered(each, job));
  const stop = kill ?? pause;
  if (stop === undefined) return undefined;
  const act = kill
    ? `a kill switch for ${targetText(kill)} was engaged`
    : `the ${stop.scope} ${stop.name} was paused`;
  const reason = stop.why === undefined ? '' : `: ${stop.why}`;
  const both = kill && pause ? ` The ${pause.scope} ${pause.name} is paused, too.` : '';
  return `It waits, because ${act} at ${when(stop.sinceMs)} by ${stop.by}${reason}.${both}`;
}

function hasRun({ account }: Job): boolean {
  return account.executions > 0;
}

function because({ reason }: Job): string {
  return reason === undefined ? 'it was requeued' : `${reason}, ${REASON_TEXT[reason]}`;
}

/** A reason code in a few words; docs/reference/reason-codes.md has the details. */
export const REASON_TEXT: Readonly<Record<ReasonCode, string>> = {
  succeeded: 'it succeeded',
  retryable_error: 'the error may be temporary',
  rate_limited: 'its dependency rate-limited it',
  final_error: 'trying again cannot help',
  inner_gave_up: 'a call inside it gave up',
  cancelled: 'it was cancelled',
  interrupted: 'a stopping worker released it, and no attempt was charged',
  lease_lost: 'its worker stopped sending heartbeats',
  policy_disabled: 'its policy is disabled and allows one attempt only',
  max_attempts_exceeded: 'all its attempts are used up',
  allowance_exhausted: 'other calls in the same attempt used up its retries',
  ttl_exceeded: 'its deadline has passed',
  beyond_horizon: 'the wait would be too long',
  budget_exhausted: 'the retry budget of its dependency is used up',
  breaker_open: 'the circuit breaker of its dependency is open',
  gate_closed: 'its dependency is rate-limited',
  kill_switch: 'a kill switch stopped it',
  effect_unknown: 'it is unknown whether its effect was applied; a person must decide',
  effect_applied: 'it failed, but its effect was applied; a person must decide',
  handed_over: 'a call handed it over, because the wait was too long for it',
  invalid_message: 'the message of the broker could not be read',
  message_too_large: 'the message of the broker is larger than 1 MiB',
  idempotency_conflict: 'another event with the same idempotency key has another body',
};

/** The causes that jobs are parked under, whether a worker is there to release them, and the store's time. */
export type ParkedNow = Pick<AttendedOverview, 'parked' | 'hasWorker' | 'nowMs'>;

/** The event that a parked job waits for, in the few words of a table. */
export function parkedNext(
  { cause = '', dueAtMs }: Pick<JobSummary, 'cause' | 'dueAtMs'>,
  now: ParkedNow,
): string {
  const { nowMs } = now;
  const { held, waitsFor } = parkOf(cause, now);
  if (held !== undefined) return 'held';
  switch (waitsFor.kind) {
    case 'breaker':
      return probeCell(waitsFor, now.hasWorker, nowMs);
    case 'gate':
      return `gate opens ${formatAge(waitsFor.untilMs, nowMs)}`;
    case 'kill':
      return 'kill switch';
    case 'nothing':
      return now.hasWorker ? 'being released' : 'no worker';
    case 'time':
      return dueAtMs === undefined ? '' : formatDue(dueAtMs, nowMs);
  }
}

/** Why a job is parked, and the event that it waits for: one sentence or two. */
export function parkedText(job: Job, now: ParkedNow): string {
  const { nowMs } = now;
  const { cause = '', dueAtMs = nowMs } = job;
  const name = causeName(cause);
  const { held, waitsFor } = parkOf(cause, now);
  if (held !== undefined) {
    const why = held.why === undefined ? '' : `: ${held.why}`;
    return `It is parked under ${name} and held by ${held.by}${why}. To release it: ${commandText`redrive park release ${name}`}`;
  }
  switch (waitsFor.kind) {
    case 'breaker':
      return `It is parked: ${breakerText(waitsFor, now.hasWorker, nowMs)}`;
    case 'gate':
      return `It is parked: the gate of ${waitsFor.dependency} is closed. It runs after the gate opens ${formatAge(waitsFor.untilMs, nowMs)}.`;
    case 'kill':
      return `It is parked: a kill switch is engaged. It runs after the switch is released: redrive kill list`;
    case 'nothing': {
      const next = now.hasWorker
        ? 'it is being released'
        : 'a worker releases it, and none that has its handler is alive';
      return `It is parked under ${name}, and that cause is gone: ${next}.`;
    }
    case 'time':
      return `It is parked under ${name}, until ${formatTime(dueAtMs)} (${formatDue(dueAtMs, nowMs)}).`;
  }
}

type OpenBreaker = Extract<WaitsFor, { kind: 'breaker' }>;

/** A forced breaker has no probe: only its operator, or the end of the forced time, closes it. */
function breakerText(
  { dependency, state, nextProbeAtMs }: OpenBreaker,
  hasWorker: boolean,
  nowMs: number,
): string {
  const breaker = `the breaker of ${dependency} is`;
  if (nextProbeAtMs === undefined) {
    return state === 'half_open'
      ? `${breaker} half-open, and a probe is under way. It runs when the breaker closes, or as a later probe.`
      : `${breaker} forced open. It runs after the breaker is reset: ${commandText`redrive breakers reset ${dependency}`}`;
  }
  const probe = hasWorker
    ? `next probe ${formatDue(nextProbeAtMs, nowMs)}`
    : 'no worker that has its handler is alive to probe';
  return `${breaker} open. It runs when the breaker closes, or as its probe; ${probe}.`;
}

function probeCell(
  { state, nextProbeAtMs }: OpenBreaker,
  hasWorker: boolean,
  nowMs: number,
): string {
  if (nextProbeAtMs === undefined)
    return state === 'half_open' ? 'probe under way' : 'breaker reset';
  return hasWorker ? `probe ${formatDue(nextProbeAtMs, nowMs)}` : 'no worker';
}

/** A cause that the overview does not have was gone when it was read. */
function parkOf(cause: string, { parked }: ParkedNow): Pick<ParkedJobs, 'held' | 'waitsFor'> {
  return parked.find((park) => park.cause === cause) ?? { waitsFor: { kind: 'nothing' } };
}
