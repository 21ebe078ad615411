import type { ReasonCode } from '@redrive/core';
import { commandText } from '@redrive/core/fields';
import { causeName, SUSPECT_LOSSES } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { ageText, formatAge, formatDue, formatTime, spanText } from '../terminal/times.ts';

type Job = AnswerOf<typeof ACTIONS.jobs.show>;

/** The next event of a job, its time, and its reason: one sentence or two. */
export function nextStep(job: Job, nowMs: number): string {
  const when = (at: string | null | undefined) => {
    const atMs = at == null ? nowMs : Date.parse(at);
    return `${formatTime(atMs)} (${formatAge(atMs, nowMs)})`;
  };
  const finished = () => when(job.finished_at);
  const sendAgain = `To run it again: ${commandText`redrive jobs retry ${job.id}`}`;
  switch (job.state) {
    case 'scheduled':
      return scheduledText(job, nowMs, when);
    case 'ready':
      return stoppedText(job, when) ?? readyText(job);
    case 'parked':
      return parkedText(job, nowMs);
    case 'leased':
      return leasedText(job, nowMs, when);
    case 'succeeded': {
      const made = job.attempts_made === 1 ? '1 attempt' : `${job.attempts_made} attempts`;
      return `${made}, succeeded at ${finished()}.`;
    }
    case 'dead':
      return `It was given up at ${finished()}: ${because(job)}. ${sendAgain}`;
    case 'cancelled':
      return `It was cancelled at ${finished()}. ${sendAgain}`;
    case 'purged':
      return 'It was purged, and is deleted for good when its retention time is over.';
  }
}

type When = (at: string | null | undefined) => string;

function scheduledText(job: Job, nowMs: number, when: When): string {
  const { next_retry_at: due, handler } = job;
  const dueAtMs = due === null ? nowMs : Date.parse(due);
  const isRetry = job.executions > 0;
  const which = isRetry ? 'The next attempt' : 'The first attempt';
  const why = isRetry ? `: ${because(job)}` : ', as requested';
  if (dueAtMs - nowMs >= 1_000) return `${which} starts at ${when(due)}${why}.${suspectText(job)}`;
  const since = `since ${formatTime(dueAtMs)} (for ${spanText(Math.max(1_000, nowMs - dueAtMs))})`;
  return `${which} has been due ${since}${why}. It waits for a worker that handles ${handler}.${suspectText(job)}`;
}

function leasedText({ lease, ...job }: Job, nowMs: number, when: When): string {
  const worker = lease?.worker ?? 'a worker';
  const cancel = job.cancel_requested ? ' A cancellation was requested.' : '';
  const untilMs = lease ? Date.parse(lease.until) : nowMs;
  if (untilMs < nowMs) {
    return `Its lease ran out ${ageText(untilMs, nowMs)} (worker ${worker}): the next worker that has the handler takes it over.${cancel}`;
  }
  const company = lease?.alone ? ' The worker runs no other job at the same time.' : '';
  return `Attempt ${job.attempts_made} has been running on ${worker} since ${when(lease?.since)}; its lease ends at ${when(lease?.until)}.${company}${cancel}`;
}

function readyText(job: Job): string {
  return `It waits for a worker that handles ${job.handler}${job.executions > 0 ? `: ${because(job)}` : ''}.${suspectText(job)}`;
}

/** Why a job that may have ended its process is not claimed like the others. */
function suspectText({ losses }: Job): string {
  if (losses < SUSPECT_LOSSES) return '';
  return ` It lost ${losses} leases in a row, so a worker claims it only while it runs few other jobs, after more losses only while it runs none.`;
}

function stoppedText({ kill_switch: kill, pause }: Job, when: When): string | undefined {
  const stop = kill ?? pause;
  if (stop === null) return undefined;
  const target = targetText(stop);
  const act = kill ? `a kill switch for ${target} was engaged` : `${target} was paused`;
  const both = kill && pause ? ` The ${pause.scope} ${pause.name} is paused, too.` : '';
  return `It waits, because ${act} at ${when(stop.since)} by ${stop.by}${stop.why ? `: ${stop.why}` : ''}.${both}`;
}

function targetText({ scope, name }: NonNullable<Job['pause']>): string {
  if (scope === 'all') return 'everything';
  return name === '' ? `jobs without a ${scope}` : `the ${scope} ${name}`;
}

function because({ reason }: Job): string {
  const text: string | undefined = REASONS[reason ?? ''];
  return reason === null ? 'it was requeued' : text === undefined ? reason : `${reason}, ${text}`;
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

const REASONS: Readonly<Record<string, string>> = REASON_TEXT;

type Parked = NonNullable<Job['parked']>;

/** The event that a parked job waits for, in the few words of a table. */
export function parkedNext(parked: Parked, dueAtMs: number | undefined, nowMs: number): string {
  if (parked.held_by !== null) return 'held';
  switch (parked.waits_for) {
    case 'breaker':
      return probeCell(parked, nowMs);
    case 'gate':
      return `gate opens ${formatAge(Date.parse(parked.until ?? ''), nowMs)}`;
    case 'kill':
      return 'kill switch';
    case 'nothing':
      return parked.has_worker ? 'being released' : 'no worker';
    case 'time':
      return dueAtMs === undefined ? '' : formatDue(dueAtMs, nowMs);
  }
}

/** Why a job is parked, and the event that it waits for: one sentence or two. */
function parkedText({ parked, cause, next_retry_at: due }: Job, nowMs: number): string {
  const name = causeName(cause ?? '');
  if (parked === null) return `It is parked under ${name}.`;
  const { held_by: holder, held_why: why } = parked;
  if (holder !== null) {
    return `It is parked under ${name} and held by ${holder}${why === null ? '' : `: ${why}`}. To release it: ${commandText`redrive park release ${name}`}`;
  }
  switch (parked.waits_for) {
    case 'breaker':
      return `It is parked: ${breakerText(parked, nowMs)}`;
    case 'gate':
      return `It is parked: the gate of ${parked.dependency} is closed. It runs after the gate opens ${formatAge(Date.parse(parked.until ?? ''), nowMs)}.`;
    case 'kill':
      return `It is parked: a kill switch is engaged. It runs after the switch is released: redrive kill list`;
    case 'nothing': {
      const next = parked.has_worker
        ? 'it is being released'
        : 'a worker releases it, and none that has its handler is alive';
      return `It is parked under ${name}, and that cause is gone: ${next}.`;
    }
    case 'time': {
      const dueAtMs = due === null ? nowMs : Date.parse(due);
      return `It is parked under ${name}, until ${formatTime(dueAtMs)} (${formatDue(dueAtMs, nowMs)}).`;
    }
  }
}

/** A forced breaker has no probe: only its operator, or the end of the forced time, closes it. */
function breakerText({ dependency, probe, next_probe_at: next }: Parked, nowMs: number): string {
  const breaker = `the breaker of ${dependency} is`;
  switch (probe) {
    case 'running':
      return `${breaker} half-open, and a probe is under way. It runs when the breaker closes, or as a later probe.`;
    case 'none':
      return `${breaker} forced open. It runs after the breaker is reset: ${commandText`redrive breakers reset ${dependency ?? ''}`}`;
    case 'no_worker':
      return `${breaker} open. It runs when the breaker closes, or as its probe; no worker that has its handler is alive to probe.`;
    case 'planned':
      return `${breaker} open. It runs when the breaker closes, or as its probe; next probe ${formatDue(Date.parse(next ?? ''), nowMs)}.`;
  }
}

function probeCell({ probe, next_probe_at: next }: Parked, nowMs: number): string {
  if (probe === 'planned') return `probe ${formatDue(Date.parse(next ?? ''), nowMs)}`;
  const words = { running: 'probe under way', none: 'breaker reset', no_worker: 'no worker' };
  return words[probe];
}
