import { commandText, nearest } from '@redrive/core/fields';
import {
  endHold,
  holdPark,
  type ParkedJobs,
  parkedCauses,
  releasePark,
} from '@redrive/durable/control';
import { causeName, counted, parkJson, readOverview, type WaitsFor } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { integerOption, paceOption } from '../command/option-values.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { note, printJson, printText } from '../terminal/io.ts';
import { rateText } from '../terminal/parse-rate.ts';
import { printable } from '../terminal/printable.ts';
import { ageCell, type Cell, columns, countCell, printList, timeCell } from '../terminal/table.ts';
import { formatAge, formatDue, isoTime } from '../terminal/times.ts';
import { NO_PROBE, onceThereIsAWorker } from '../workers/worker-view.ts';

export const runParkRelease: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const pace = paceOption(options);
  const count = integerOption(options, 'count', { min: 1, max: 1_000_000 });
  const dry = options.dryRun === true;
  if (options.holdOnly) return setHold(invocation, true);
  return withStore(invocation, async (store) => {
    const { parked, hasWorker } = await readOverview(store);
    const park = findCause(parked, args[0] ?? '');
    const wish = { cause: park.cause, count, pace, actor: actorOf(options) };
    const { released, more } = dry
      ? planned(park, count, pace !== undefined)
      : await releasePark(store, wish);
    const cause = causeName(park.cause);
    const perSecond = pace?.perSecond;
    if (options.json)
      return printJson(io, { cause, released, more, pace: perSecond ?? null, dry_run: dry });
    printText(io, releaseText({ cause, released, more, perSecond, dry, hasWorker }));
    const hint = stillThere(park);
    if (hint !== undefined) note(io, printable(hint));
  });
};

function planned({ count: all, bounded }: ParkedJobs, count = Infinity, isPaced: boolean) {
  const released = isPaced ? 0 : Math.min(all, count);
  return { released, more: bounded || released < all };
}

function releaseText(about: {
  readonly cause: string;
  readonly released: number;
  readonly more: boolean;
  readonly perSecond: number | undefined;
  readonly dry: boolean;
  readonly hasWorker: boolean;
}): string {
  const { cause, released, more, perSecond, dry, hasWorker } = about;
  if (perSecond !== undefined) {
    const verb = dry ? 'would be' : 'are';
    return `The jobs under ${cause} ${verb} released at a growing pace, beginning with ${rateText(perSecond)}${onceThereIsAWorker(hasWorker)}.`;
  }
  const verb = dry ? 'would be' : released === 1 ? 'is' : 'are';
  return `${counted(released, 'job')} under ${cause} ${verb} ready.${more ? ' There are more.' : ''}`;
}

/** Where the cause is still there, releasing alone does not help. */
function stillThere({ waitsFor }: ParkedJobs): string | undefined {
  switch (waitsFor.kind) {
    case 'breaker': {
      const { dependency } = waitsFor;
      return `The breaker of ${dependency} is still open and will park them again. To let them run: ${commandText`redrive breakers force-closed --for 10m ${dependency}`}`;
    }
    case 'gate': {
      const { dependency } = waitsFor;
      return `The gate of ${dependency} is still closed and will park them again. To let them run: ${commandText`redrive gates release ${dependency}`}`;
    }
    default:
      return undefined;
  }
}

export const runParkHold: RunCommand = (invocation) =>
  setHold(invocation, invocation.options.end === true);

async function setHold(invocation: Invocation, ends: boolean): Promise<void> {
  const { io, args, options } = invocation;
  const dry = options.dryRun === true;
  return withStore(invocation, async (store) => {
    const park = findCause(await parkedCauses(store), args[0] ?? '');
    const was = park.held !== undefined;
    const wish = { cause: park.cause, actor: actorOf(options) };
    const { changed } = dry ? { changed: false } : await (ends ? endHold : holdPark)(store, wish);
    const cause = causeName(park.cause);
    if (options.json)
      return printJson(io, { cause, held: dry ? was : !ends, changed, dry_run: dry });
    const what = `Jobs parked under ${cause}`;
    const now = ends ? 'are no longer held' : 'are held';
    const would = ends ? 'would no longer be held' : 'would be held';
    const already = ends ? 'were not held' : `were held already, by ${park.held?.by ?? 'somebody'}`;
    printText(io, `${what} ${dry ? would : changed ? now : already}.`);
    if (!dry && !ends) note(io, `To end the hold: ${commandText`redrive park release ${cause}`}`);
  });
}

/**
 * The jobs that are parked under a cause, by either of its names. @throws CliError with the exit code 3 and the causes.
 */
export function findCause(parked: readonly ParkedJobs[], given: string): ParkedJobs {
  const found = parked.find(({ cause }) => cause === given || causeName(cause) === given);
  if (found !== undefined) return found;
  const names = parked.map(({ cause }) => causeName(cause));
  // `bank` alone may well mean `breaker:bank`.
  const close = names.find((name) => name.endsWith(`:${given}`)) ?? nearest(given, names);
  const hint =
    close !== undefined
      ? `Did you mean ${close}?`
      : names.length === 0
        ? 'No job is parked.'
        : `Jobs are parked under ${names.slice(0, 20).join(', ')}.`;
  throw new CliError('no_match', `No job is parked under ${given}.`, hint);
}

const PARK_COLUMNS = columns(
  'cause:cyan | since | jobs:right | next probe | waits for:yellow,shrinks',
);

function parkRow(park: ParkedJobs, nowMs: number, hasWorker: boolean): Cell[] {
  return [
    causeName(park.cause),
    ageCell(park.sinceMs, nowMs),
    countCell(park.count, park.bounded),
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
