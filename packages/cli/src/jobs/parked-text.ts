import type { Job, JobSummary } from '@redrive/durable';
import type { ParkedJobs } from '@redrive/durable/control';
import { type AttendedOverview, causeName, type WaitsFor } from '@redrive/durable/store';
import { formatAge, formatDue, formatTime } from '../terminal/times.ts';

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
    return `It is parked under ${name} and held by ${held.by}${why}. To release it: redrive park release ${name}`;
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
      : `${breaker} forced open. It runs after the breaker is reset: redrive breakers reset ${dependency}`;
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
