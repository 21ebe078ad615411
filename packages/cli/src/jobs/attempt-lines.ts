import type { ReasonCode } from '@redrive/core';
import { errorWords, PARKED_AT_MOST_MS } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatDuration, formatTime } from '../terminal/times.ts';

type Job = AnswerOf<typeof ACTIONS.jobs.show>;
type Attempt = Job['attempts'][number];

const GAP = '  ';
const MIN_NUMBER_WIDTH = 2;

/** Every attempt that was kept: when, after which wait, how long, with which error, and what was decided. */
export function attemptLines(
  screen: Screen,
  { attempts: kept, omitted_attempts: omitted }: Pick<Job, 'attempts' | 'omitted_attempts'>,
): string[] {
  if (kept.length === 0) return [];
  const width = Math.max(MIN_NUMBER_WIDTH, ...kept.map((attempt) => numberOf(attempt).length));
  const [first = [], ...others] = kept.map((attempt, index) => {
    // Where attempts were left out, the one before the second is not known.
    const before = index === 1 && omitted > 0 ? undefined : kept[index - 1];
    return linesOf(screen, attempt, before, width);
  });
  // The first attempt is always kept; what was left out came after it.
  const gap =
    omitted === 0 ? [] : [`${omitted} more attempts are not shown; the audit log has all`];
  return [
    '',
    screen.paint('cyan', 'attempts'),
    ...[first, gap, ...others].flat().map((line) => GAP + line),
  ];
}

function linesOf(
  screen: Screen,
  attempt: Attempt,
  before: Attempt | undefined,
  numberWidth: number,
): string[] {
  const { timestamp, entry, rung } = attempt;
  const where = rung === 'call' ? `${rung}, ` : '';
  const wait = waitText(attempt, before);
  const colour = entry === 'succeeded' ? 'green' : entry === 'failed' ? 'red' : 'yellow';
  const number = numberOf(attempt).padStart(numberWidth);
  const indent = ' '.repeat(number.length) + GAP;
  return [
    `${number}${GAP}${where}${formatTime(Date.parse(timestamp))}${wait}${tookText(attempt)}: ${screen.paint(colour, entryText(attempt))}`,
    ...wrapped(screen, indent, errorText(attempt)),
    ...wrapped(screen, indent, LOSS_TEXT[entry] ?? ''),
    ...wrapped(screen, indent, followText(attempt)),
  ];
}

/** Parking ends with its cause, so only the two attempts show how long it took. The delay is an older one then. */
function waitText(attempt: Attempt, before: Attempt | undefined): string {
  const { timestamp, delay, generation } = attempt;
  if (before?.action === 'park' && before.generation === generation) {
    const parkedMs = Date.parse(timestamp) - Date.parse(before.timestamp) - ms(before.duration);
    return `, after it was parked for ${formatDuration(Math.max(0, parkedMs))}`;
  }
  return delay > 0 ? `, after a wait of ${formatDuration(ms(delay))}` : '';
}

function ms(seconds: number): number {
  return Math.round(seconds * 1_000_000) / 1_000;
}

/** Parked before its handler was called. */
function isBlocked({ entry, error, action }: Attempt): boolean {
  return entry === 'blocked' && error === null && action === 'park';
}

function tookText(attempt: Attempt): string {
  return isBlocked(attempt) ? '' : `, took ${formatDuration(ms(attempt.duration))}`;
}

/** Nothing is charged for the probe of an open breaker, so it is entered as blocked, though it ran. */
function entryText(attempt: Attempt): string {
  if (isBlocked(attempt)) return 'did not start';
  const { entry, probe } = attempt;
  return entry === 'blocked' && probe ? 'probe failed, not charged' : entry;
}

const LOSS_TEXT: Readonly<Record<string, string>> = {
  process_lost: 'its worker stopped answering; it was not claimed alone, so no attempt was charged',
  lease_lost: 'its worker stopped answering while it held only this job: one attempt charged',
};

/** Line breaks of an error stay: the end of a program's stderr, or a stack, is unreadable without them. */
function wrapped(screen: Screen, indent: string, text: string): string[] {
  if (text === '') return [];
  const lines = text
    .split(/\r?\n/)
    .flatMap((line) => wrapWords(printable(line), screen.columns - indent.length - GAP.length));
  return lines.map((line) => indent + line);
}

function numberOf(attempt: Attempt): string {
  const { generation, attempt_number: number } = attempt;
  return generation === 1 ? String(number) : `${generation}.${number}`;
}

function errorText({ error, error_class: errorClass }: Attempt): string {
  if (error === null) return '';
  return `${errorWords(`${error.type}: ${error.message}`)}${errorClass === null ? '' : ` (${errorClass})`}`;
}

/** The event that released it, by the reason that it was parked for. */
const PARKED_UNTIL: Readonly<Record<string, string>> = {
  breaker_open: 'until the breaker closes, or until it is the probe',
  gate_closed: 'until the gate opens',
  kill_switch: 'until its turn after the release of a kill switch',
} satisfies Partial<Record<ReasonCode, string>>;

/** The reason code, and the wait that it led to. */
function followText({ action, reason, next_delay: delay }: Attempt): string {
  const delayMs = ms(delay ?? 0);
  if (action === 'succeed') return '';
  if (action === 'retry') {
    return `${reason}: again ${delayMs === 0 ? 'at once' : `after ${formatDuration(delayMs)}`}`;
  }
  if (action === 'hand-over')
    return `${reason}: handed over to a job, which is due after ${formatDuration(delayMs)}`;
  if (action === 'park') {
    const until = delayMs < PARKED_AT_MOST_MS ? undefined : PARKED_UNTIL[reason];
    return `${reason}: parked ${until ?? `for at most ${formatDuration(delayMs)}`}`;
  }
  return reason === 'cancelled' ? '' : `${reason}: given up`;
}
