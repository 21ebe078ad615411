import { type AttemptLog, type JobAttempt, numberedThrough } from '@redrive/durable/store';
import { formatDuration } from '../terminal/duration.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime } from '../terminal/times.ts';
import { wrapWords } from '../terminal/wrap-words.ts';

const GAP = '  ';
const MIN_NUMBER_WIDTH = 2;

/** Every attempt that was kept: when, after which wait, how long, with which error, and what was decided. */
export function attemptLines(screen: Screen, { kept, omitted }: AttemptLog): string[] {
  if (kept.length === 0) return [];
  const width = Math.max(MIN_NUMBER_WIDTH, ...kept.map((attempt) => numberOf(attempt).length));
  const [first = [], ...others] = kept.map((attempt) => linesOf(screen, attempt, width));
  // The first attempt is always kept; what was left out came after it.
  const gap = omitted === 0 ? [] : [`${omitted} more, left out here; the audit log has all`];
  return [
    '',
    screen.paint('cyan', 'attempts'),
    ...[first, gap, ...others].flat().map((line) => GAP + line),
  ];
}

function linesOf(screen: Screen, attempt: JobAttempt, numberWidth: number): string[] {
  const { startedAtMs, delayBeforeMs, durationMs, entry, rung } = attempt;
  const where = rung === undefined ? '' : `${rung}, `;
  const wait = delayBeforeMs > 0 ? `, after a wait of ${formatDuration(delayBeforeMs)}` : '';
  const colour = entry === 'succeeded' ? 'green' : entry === 'failed' ? 'red' : 'yellow';
  const number = numberOf(attempt).padStart(numberWidth);
  const indent = ' '.repeat(number.length) + GAP;
  return [
    `${number}${GAP}${where}${formatTime(startedAtMs)}${wait}, took ${formatDuration(durationMs)}: ${screen.paint(colour, entry)}`,
    ...wrapped(screen, indent, errorText(attempt)),
    ...wrapped(screen, indent, followText(attempt)),
  ];
}

/** Line breaks of an error stay: the end of a program's stderr, or a stack, is unreadable without them. */
function wrapped(screen: Screen, indent: string, text: string): string[] {
  if (text === '') return [];
  const lines = text
    .split(/\r?\n/)
    .flatMap((line) => wrapWords(printable(line), screen.columns - indent.length - GAP.length));
  return lines.map((line) => indent + line);
}

function numberOf(attempt: JobAttempt): string {
  const { generation } = attempt;
  const number = numberedThrough(attempt);
  return generation === 1 ? String(number) : `${generation}.${number}`;
}

function errorText({ error, errorClass }: JobAttempt): string {
  if (error === undefined) return '';
  return `${error.type}: ${error.message}${errorClass === undefined ? '' : ` (${errorClass})`}`;
}

/** The reason code, and the wait that it led to. */
function followText({ action, reason, delayMs = 0 }: JobAttempt): string {
  if (action === 'succeed') return '';
  if (action === 'retry') {
    return `${reason}: again ${delayMs === 0 ? 'at once' : `after ${formatDuration(delayMs)}`}`;
  }
  if (action === 'hand-over')
    return `${reason}: handed over to a job, which is due after ${formatDuration(delayMs)}`;
  if (action === 'park') return `${reason}: parked for ${formatDuration(delayMs)}`;
  return reason === 'cancelled' ? '' : `${reason}: given up`;
}
