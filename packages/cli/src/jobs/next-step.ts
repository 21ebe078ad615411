import type { Job } from '@redrive/durable';
import {
  type AttendedOverview,
  isCovered,
  lossesOf,
  SUSPECT_LOSSES,
  targetText,
} from '@redrive/durable/store';
import { ageText, formatAge, formatTime, spanText } from '../terminal/times.ts';
import { parkedText } from './parked-text.ts';
import { REASON_TEXT } from './reason-text.ts';

export interface Circumstances {
  /** For jobs that are ready or parked. Absent: nothing is known to stop it. */
  readonly overview?: AttendedOverview | undefined;
  readonly nowMs: number;
}

/** The next event of a job, its time, and its reason: one sentence or two. */
export function nextStep(job: Job, { overview, nowMs }: Circumstances): string {
  const when = (atMs = nowMs) => `${formatTime(atMs)} (${formatAge(atMs, nowMs)})`;
  const sendAgain = `To run it again: redrive jobs retry ${job.id}`;
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
  return ` It lost ${losses} leases, so a worker claims it only while it runs few other jobs, after more losses only while it runs none.`;
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
