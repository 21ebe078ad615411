import { countText, errorWords, MAX_FAILING_SCAN } from '@redrive/durable/store';
import { causeText, failureSizes, handlersText } from '@redrive/operate/texts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { ageText, formatTime } from '../terminal/times.ts';
import type { Status } from './status.ts';

type Failure = Status['failing'][number];

/** Causes in the text; `--json` has all. */
const MAX_ROWS = 10;
/** The causes that fail now, each with its numbers and the next command to type. */
export function failingLines(
  screen: Screen,
  { failing: failures, failing_sampled: sampled, failing_more: more }: Status,
  nowMs: number,
): string[] {
  if (failures.length === 0) return [];
  const shown = failures.slice(0, MAX_ROWS);
  const counts = shown.map((each) => countText(jobsOf(each), each.bounded));
  const width = Math.max(...counts.map(({ length }) => length));
  const indent = ' '.repeat(width + 4);
  const wrapped = (text: string) => wrapWords(printable(text), screen.columns - indent.length);
  const rest = failures.length - shown.length;
  const firstRate = shown.findIndex(({ per_minute }) => per_minute > 0);
  return [
    '',
    `${screen.paint('red', 'Failing now:')}${sampled ? screen.paint('dim', SAMPLED) : ''}`,
    ...shown.flatMap((failure, index) => {
      const [title = '', ...titleRest] = wrapped(causeText(failure));
      const count = (counts[index] ?? '').padStart(width);
      return [
        `  ${screen.paint('red', count)}  ${screen.paint('bold', title)}`,
        ...titleRest.map((line) => indent + screen.paint('bold', line)),
        ...factsOf(failure, nowMs, index === firstRate)
          .flatMap(wrapped)
          .map((line) => indent + line),
        indent + screen.paint('cyan', printable(failure.next)),
      ];
    }),
    ...(rest > 0
      ? [`  and ${countText(rest, more)} more causes; --json has ${failures.length}`]
      : []),
  ];
}

const SAMPLED = ` (of the ${MAX_FAILING_SCAN.toLocaleString('en')} jobs of each state that are due first)`;

/** The time that all rates are taken over; named beside the first one. */
const RATE_WINDOW = ' over 10 min';

function factsOf(failure: Failure, nowMs: number, isFirstRate: boolean): string[] {
  const { per_minute, last_error: lastError, dependency, first_seen } = failure;
  const [sinceMs, lastMs] = [Date.parse(failure.since), Date.parse(failure.last)];
  const at = dependency === null ? '' : ` at ${dependency}`;
  const rate = per_minute === 0 ? '' : `, ${rateText(per_minute)}${isFirstRate ? RATE_WINDOW : ''}`;
  const seen = first_seen === null ? '' : `, first seen ${formatTime(Date.parse(first_seen))}`;
  const since = `since ${formatTime(sinceMs)} (${ageText(sinceMs, nowMs)})`;
  const times = `${since}, last ${ageText(lastMs, nowMs)}${rate}${seen}`;
  const error = lastError && `${lastError.type}: ${lastError.message}`.replaceAll(/\s+/g, ' ');
  return [
    `${handlersText(failure)}${at}: ${failureSizes(failure)}`,
    times,
    ...(error === null || error === failure.pattern ? [] : [`last error: ${errorWords(error)}`]),
  ];
}

function jobsOf({ retrying, parked, dead }: Failure): number {
  return retrying + parked + dead;
}

function rateText(perMinute: number): string {
  return `${Number(perMinute.toPrecision(2)).toLocaleString('en')}/min`;
}
