import {
  type BreakerError,
  type BreakerView,
  countText,
  errorWords,
  type ForcedState,
} from '@redrive/durable/store';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Colour, Screen } from '../terminal/screen.ts';
import { ageCell, type Cell, columns, countCell, shownText, timeCell } from '../terminal/table.ts';
import { formatAge, formatDue, formatTime } from '../terminal/times.ts';
import { NO_PROBE } from '../workers/worker-view.ts';

export const BREAKER_COLUMNS = columns(
  'dependency:cyan | state:yellow | changed | failures:right | opens at:right | next probe | parked:right | ends:optional',
);

const COLOURS: Readonly<Record<BreakerView['state'], Colour>> = {
  open: 'red',
  half_open: 'yellow',
  closed: 'green',
};

export function breakerRow(view: BreakerView, nowMs: number): Cell[] {
  return [
    view.dependency,
    stateText(view),
    ageCell(sinceOf(view), nowMs),
    String(view.breaker.failures),
    String(view.breaker.threshold),
    probeCell(view, nowMs, ''),
    countCell(view.parked, view.bounded),
    view.forced === undefined ? '' : endCell(view.forced, nowMs),
  ];
}

/** All about one. */
export function breakerLines(screen: Screen, view: BreakerView, nowMs: number): string[] {
  const { dependency, state, breaker, forced, parked, bounded } = view;
  const { failures, threshold, lastFailureAtMs, lastError } = breaker;
  const last =
    lastFailureAtMs === undefined ? '' : `, the last one ${formatAge(lastFailureAtMs, nowMs)}`;
  const facts: [string, string][] = [
    ['changed', `${formatTime(sinceOf(view))}, ${formatAge(sinceOf(view), nowMs)}`],
    ['failures', `${failures} in a row${last}; ${threshold} open it`],
    ...(lastError === undefined ? [] : [['last error', errorText(lastError)] as [string, string]]),
    ['forced', forced === undefined ? 'no' : forcedText(view, nowMs)],
    ['next probe', shownText(probeCell(view, nowMs, 'none'))],
    ['parked', `${countText(parked, bounded)} ${parked === 1 ? 'job' : 'jobs'}`],
  ];
  return [
    `${screen.paint('bold', printable(dependency))}  ${screen.paint(COLOURS[state], stateText(view))}`,
    ...facts.flatMap(([name, text]) => {
      // An error may be long, and is what people came for: it is wrapped, never cut.
      const [first = '', ...more] = wrapWords(printable(text), screen.columns - INDENT.length);
      return [
        `  ${screen.paint('dim', name.padEnd(10))}  ${first}`,
        ...more.map((line) => INDENT + line),
      ];
    }),
  ];
}

const INDENT = ' '.repeat(14);

/** One line, whatever the message is. */
export function errorText({ type, message }: BreakerError): string {
  return errorWords(`${type}: ${message}`).replaceAll(/\s+/g, ' ');
}

function probeCell(view: BreakerView, nowMs: number, none: string): Cell {
  const { state, nextProbeAtMs, hasWorker } = view;
  if (nextProbeAtMs !== undefined)
    return hasWorker ? timeCell(formatDue(nextProbeAtMs, nowMs), nextProbeAtMs) : NO_PROBE;
  return state === 'half_open' ? 'under way' : none;
}

/** `half-open`: the name in JSON has an underscore. */
function stateText({ state, forced }: BreakerView): string {
  return forced === undefined ? state.replace('_', '-') : `forced ${state}`;
}

function sinceOf({ forced, breaker }: BreakerView): number {
  return forced?.sinceMs ?? breaker.changedAtMs;
}

/** `ends in 30 min, by eve: maintenance` */
function forcedText({ forced }: BreakerView, nowMs: number): string {
  if (forced === undefined) return '';
  const { untilMs, by, why } = forced;
  const end = shownText(endCell(forced, nowMs));
  return `${untilMs === undefined ? end : `ends ${end}`}, by ${by}${why === undefined ? '' : `: ${why}`}`;
}

function endCell({ untilMs }: ForcedState, nowMs: number): Cell {
  return untilMs === undefined ? 'until it is reset' : ageCell(untilMs, nowMs);
}
