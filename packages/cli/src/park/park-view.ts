import type { ParkedJobs, WaitsFor } from '@redrive/durable';
import { countText } from '../store/job-counts.ts';
import { isoTime } from '../terminal/iso-time.ts';
import { rateText } from '../terminal/parse-rate.ts';
import type { Column } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';
import { causeName } from './cause-name.ts';

/** As JSON prints it. */
export function parkJson({
  cause,
  count,
  bounded,
  sinceMs,
  waitsFor,
  held,
  perSecond,
}: ParkedJobs) {
  return {
    cause: causeName(cause),
    key: cause,
    count,
    bounded,
    since: isoTime(sinceMs),
    waits_for: waitsFor.kind,
    until: isoTime(waitsFor.kind === 'gate' ? waitsFor.untilMs : undefined),
    next_probe_at: isoTime(waitsFor.kind === 'breaker' ? waitsFor.nextProbeAtMs : undefined),
    held_by: held?.by ?? null,
    held_why: held?.why ?? null,
    pace: perSecond ?? null,
  };
}

export const PARK_COLUMNS: readonly Column[] = [
  { title: 'cause', colour: 'cyan' },
  { title: 'since' },
  { title: 'jobs', align: 'right' },
  { title: 'next probe' },
  { title: 'waits for', colour: 'yellow', shrinks: true },
];

export function parkRow(park: ParkedJobs, nowMs: number): string[] {
  return [
    causeName(park.cause),
    park.sinceMs === undefined ? '' : formatAge(park.sinceMs, nowMs),
    countText(park.count, park.bounded),
    probeText(park.waitsFor, nowMs),
    waitText(park, nowMs),
  ];
}

function probeText(waitsFor: WaitsFor, nowMs: number): string {
  if (waitsFor.kind !== 'breaker') return '';
  const { nextProbeAtMs } = waitsFor;
  if (nextProbeAtMs === undefined)
    return waitsFor.state === 'half_open' ? 'under way' : 'none: forced';
  return nextProbeAtMs <= nowMs ? 'due' : formatAge(nextProbeAtMs, nowMs);
}

function waitText({ waitsFor, held, perSecond }: ParkedJobs, nowMs: number): string {
  if (held !== undefined) {
    return `held by ${held.by}${held.why === undefined ? '' : `: ${held.why}`}`;
  }
  const reason = reasonText(waitsFor, nowMs);
  if (waitsFor.kind !== 'nothing' || perSecond === undefined) return reason;
  return `coming back, ${rateText(perSecond)} now`;
}

function reasonText(waitsFor: WaitsFor, nowMs: number): string {
  switch (waitsFor.kind) {
    case 'breaker':
      return `the breaker of ${waitsFor.dependency} to close`;
    case 'gate':
      return `the gate to open ${formatAge(waitsFor.untilMs, nowMs)}`;
    case 'kill':
      return 'the kill switch to be released';
    case 'operation':
      return `the ramp of ${waitsFor.id}`;
    case 'time':
      return 'each for its own time';
    case 'nothing':
      return 'coming back';
  }
}
