import { countText, errorWords } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Colour, Screen } from '../terminal/screen.ts';
import { ageCell, type Cell, columns, countCell, shownText, timeCell } from '../terminal/table.ts';
import { formatAge, formatDue, formatTime } from '../terminal/times.ts';
import { NO_PROBE } from '../workers/worker-view.ts';

export const BREAKER_COLUMNS = columns(
  'dependency:cyan | state:yellow | changed | failures:right | opens at:right | next probe | parked:right | ends:optional',
);

export type Breaker = AnswerOf<typeof ACTIONS.breakers.show>;
type Forced = NonNullable<Breaker['forced']>;

const COLOURS: Readonly<Record<Breaker['state'], Colour>> = {
  open: 'red',
  half_open: 'yellow',
  closed: 'green',
};

export function breakerRow(breaker: Breaker, nowMs: number): Cell[] {
  return [
    breaker.policy_id,
    stateText(breaker),
    ageCell(sinceMs(breaker), nowMs),
    String(breaker.failure_count),
    String(breaker.threshold),
    probeCell(breaker, nowMs, ''),
    countCell(breaker.parked, breaker.bounded),
    breaker.forced === null ? '' : endCell(breaker.forced, nowMs),
  ];
}

/** All about one. */
export function breakerLines(screen: Screen, breaker: Breaker, nowMs: number): string[] {
  const { policy_id, state, failure_count, threshold, forced, parked, bounded } = breaker;
  const { last_failure_time: lastTime, last_error: lastError } = breaker;
  const last =
    lastTime === undefined ? '' : `, the last one ${formatAge(Date.parse(lastTime), nowMs)}`;
  const changedMs = sinceMs(breaker);
  const facts: [string, string][] = [
    ['changed', `${formatTime(changedMs)}, ${formatAge(changedMs, nowMs)}`],
    ['failures', `${failure_count} in a row${last}; ${threshold} open it`],
    ...(lastError === null ? [] : [['last error', errorText(lastError)] as [string, string]]),
    ['forced', forced === null ? 'no' : forcedText(forced, nowMs)],
    ['next probe', shownText(probeCell(breaker, nowMs, 'none'))],
    ['parked', `${countText(parked, bounded)} ${parked === 1 ? 'job' : 'jobs'}`],
  ];
  return [
    `${screen.paint('bold', printable(policy_id))}  ${screen.paint(COLOURS[state], stateText(breaker))}`,
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
export function errorText({ type, message }: NonNullable<Breaker['last_error']>): string {
  return errorWords(`${type}: ${message}`).replaceAll(/\s+/g, ' ');
}

/** Of a breaker, or of the jobs that are parked for one. */
export function probeCell(
  { probe, next_probe_at: at }: Pick<Breaker, 'probe' | 'next_probe_at'>,
  nowMs: number,
  none: string,
): Cell {
  if (probe === 'no_worker') return NO_PROBE;
  if (probe === 'running') return 'under way';
  return at === null ? none : timeCell(formatDue(Date.parse(at), nowMs), Date.parse(at));
}

/** `half-open`: the name in JSON has an underscore. */
export function stateText({ state, forced }: Breaker): string {
  return forced === null ? state.replace('_', '-') : `forced ${state}`;
}

function sinceMs({ forced, last_state_change }: Breaker): number {
  return Date.parse(forced?.since ?? last_state_change);
}

/** `ends in 30 min, by eve: maintenance` */
function forcedText(forced: Forced, nowMs: number): string {
  const { until, by, why } = forced;
  const end = shownText(endCell(forced, nowMs));
  return `${until === null ? end : `ends ${end}`}, by ${by}${why === null ? '' : `: ${why}`}`;
}

function endCell({ until }: Forced, nowMs: number): Cell {
  return until === null ? 'until it is reset' : ageCell(until, nowMs);
}
