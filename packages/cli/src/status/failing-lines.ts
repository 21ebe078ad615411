import type { FailuresNow } from '@redrive/durable/control';
import type { Failure } from '@redrive/durable/store';
import { MAX_FAILING_SCAN } from '@redrive/durable/store';
import { errorWords } from '../jobs/reason-text.ts';
import { causeName } from '../park/cause-name.ts';
import { countText } from '../store/job-counts.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { ageText, formatTime } from '../terminal/times.ts';
import { wrapWords } from '../terminal/wrap-words.ts';

/** Causes in the text; `--json` has all. */
const MAX_ROWS = 10;
/** Handlers that are named; the rest is counted. */
const MAX_HANDLERS = 3;

/** The causes that fail now, each with its numbers and the next command to type. */
export function failingLines(screen: Screen, { failures, sampled, nowMs }: FailuresNow): string[] {
  if (failures.length === 0) return [];
  const shown = failures.slice(0, MAX_ROWS);
  const counts = shown.map((each) => countText(jobsOf(each), each.bounded));
  const width = Math.max(...counts.map(({ length }) => length));
  const indent = ' '.repeat(width + 4);
  const wrapped = (text: string) => wrapWords(printable(text), screen.columns - indent.length);
  const rest = failures.length - shown.length;
  const firstRate = shown.findIndex(({ perMinute }) => perMinute > 0);
  return [
    '',
    `${screen.paint('red', 'Failing now:')}${sampled ? screen.paint('dim', SAMPLED) : ''}`,
    ...shown.flatMap((failure, index) => {
      const [title = '', ...more] = wrapped(causeText(failure));
      const count = (counts[index] ?? '').padStart(width);
      return [
        `  ${screen.paint('red', count)}  ${screen.paint('bold', title)}`,
        ...more.map((line) => indent + screen.paint('bold', line)),
        ...factsOf(failure, nowMs, index === firstRate)
          .flatMap(wrapped)
          .map((line) => indent + line),
        indent + screen.paint('cyan', printable(nextCommand(failure))),
      ];
    }),
    ...(rest > 0 ? [`  and ${rest} more causes; --json has all`] : []),
  ];
}

const SAMPLED = ` (of the ${MAX_FAILING_SCAN.toLocaleString('en')} jobs of each state that are due first)`;

/** The time that all rates are taken over, as `Failure.perMinute` says; named beside the first one. */
const RATE_WINDOW = ' over 10 min';

function factsOf(failure: Failure, nowMs: number, isFirstRate: boolean): string[] {
  const { sinceMs, lastMs, firstSeenMs, perMinute, lastError, dependency } = failure;
  const at = dependency === undefined ? '' : ` at ${dependency}`;
  const rate = perMinute === 0 ? '' : `, ${rateText(perMinute)}${isFirstRate ? RATE_WINDOW : ''}`;
  const seen = firstSeenMs === undefined ? '' : `, first seen ${formatTime(firstSeenMs)}`;
  const since = `since ${formatTime(sinceMs)} (${ageText(sinceMs, nowMs)})`;
  const times = `${since}, last ${ageText(lastMs, nowMs)}${rate}${seen}`;
  const error = lastError && `${lastError.type}: ${lastError.message}`.replaceAll(/\s+/g, ' ');
  return [
    `${handlersText(failure)}${at}: ${failureSizes(failure)}`,
    times,
    ...(error === undefined || error === failure.pattern
      ? []
      : [`last error: ${errorWords(error)}`]),
  ];
}

/** The pattern of its errors. Without one: the causes that its jobs are parked under. */
export function causeText({ pattern, causes }: Failure): string {
  return errorWords(pattern) || `parked under ${causes.map(causeName).join(', ')}`;
}

/** `12 retrying, 30 parked, 1 dead` */
export function failureSizes({ retrying, parked, dead, bounded }: Failure): string {
  const parts = [
    [retrying, 'retrying'],
    [parked, 'parked'],
    [dead, 'dead'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${countText(count, bounded)} ${word}`)
    .join(', ');
}

/** `charge, refund` */
export function handlersText({ handlers }: Pick<Failure, 'handlers'>): string {
  const rest = handlers.length - MAX_HANDLERS;
  const named = handlers.slice(0, MAX_HANDLERS).join(', ') || 'jobs';
  return rest > 0 ? `${named} and ${rest} more handlers` : named;
}

/** Looks at the dependency that is down, the newest dead letter, or the job that failed last. */
export function nextCommand({ causes, dependency, letterId, jobId }: Failure): string {
  if (causes.some((cause) => cause.startsWith('gate:'))) return 'redrive gates list';
  if (dependency !== undefined) return `redrive breakers show ${dependency}`;
  if (letterId !== undefined) return `redrive dlq show ${letterId}`;
  return jobId === undefined ? 'redrive park list' : `redrive jobs show ${jobId}`;
}

function jobsOf({ retrying, parked, dead }: Failure): number {
  return retrying + parked + dead;
}

function rateText(perMinute: number): string {
  return `${Number(perMinute.toPrecision(2)).toLocaleString('en')}/min`;
}
