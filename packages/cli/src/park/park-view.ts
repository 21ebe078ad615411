import type { ParkedJobs } from '@redrive/durable/control';
import { causeName, parkJson, readOverview, type WaitsFor } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { countText } from '../store/job-counts.ts';
import { withStore } from '../store/with-store.ts';
import { rateText } from '../terminal/parse-rate.ts';
import { ageCell, type Cell, columns, printList, timeCell } from '../terminal/table.ts';
import { formatAge, formatDue, isoTime } from '../terminal/times.ts';
import { NO_PROBE } from '../workers/read-overview.ts';

const PARK_COLUMNS = columns(
  'cause:cyan | since | jobs:right | next probe | waits for:yellow,shrinks',
);

function parkRow(park: ParkedJobs, nowMs: number, hasWorker: boolean): Cell[] {
  return [
    causeName(park.cause),
    ageCell(park.sinceMs, nowMs),
    countText(park.count, park.bounded),
    probeCell(park.waitsFor, nowMs, hasWorker),
    waitCell(park, nowMs, hasWorker),
  ];
}

function probeCell(waitsFor: WaitsFor, nowMs: number, hasWorker: boolean): Cell {
  if (waitsFor.kind !== 'breaker') return '';
  const { nextProbeAtMs } = waitsFor;
  if (nextProbeAtMs === undefined)
    return waitsFor.state === 'half_open' ? 'under way' : 'none: forced';
  if (!hasWorker) return NO_PROBE;
  return timeCell(formatDue(nextProbeAtMs, nowMs), nextProbeAtMs);
}

function waitCell(park: ParkedJobs, nowMs: number, hasWorker: boolean): Cell {
  const { waitsFor, held, perSecond } = park;
  if (held !== undefined) {
    return `held by ${held.by}${held.why === undefined ? '' : `: ${held.why}`}`;
  }
  if (waitsFor.kind !== 'nothing') return reasonCell(waitsFor, nowMs);
  if (!hasWorker) return 'a worker: none that has their handler is alive';
  if (perSecond === undefined) return 'being released';
  return `being released, ${rateText(perSecond)} now`;
}

function reasonCell(waitsFor: Exclude<WaitsFor, { kind: 'nothing' }>, nowMs: number): Cell {
  switch (waitsFor.kind) {
    case 'breaker':
      return `the breaker of ${waitsFor.dependency} to close`;
    case 'gate':
      return {
        shown: `the gate to open ${formatAge(waitsFor.untilMs, nowMs)}`,
        exact: `the gate to open at ${isoTime(waitsFor.untilMs)}`,
      };
    case 'kill':
      return 'the kill switch to be released';
    case 'time':
      return 'each for its own time';
  }
}

const NONE =
  'No job is parked. Jobs are parked when the breaker of their dependency is open, its gate is closed, or a kill switch was released with --pace.';

export const runParkList: RunCommand = async (invocation) => {
  const { parked, nowMs, hasWorker } = await withStore(invocation, readOverview);
  return printList(invocation, {
    name: 'causes',
    items: parked,
    document: (park) => parkJson(park, hasWorker),
    columns: PARK_COLUMNS,
    row: (park) => parkRow(park, nowMs, hasWorker),
    none: NONE,
  });
};
