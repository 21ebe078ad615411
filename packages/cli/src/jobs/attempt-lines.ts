import type { AttemptLog, JobAttempt } from '@redrive/durable/store';
import { formatDuration } from '../terminal/duration.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime } from '../terminal/times.ts';
import { wrapWords } from '../terminal/wrap-words.ts';

const INDENT = '    ';

/** Every attempt that was kept: when, after which wait, how long, with which error, and what was decided. */
export function attemptLines(screen: Screen, { kept, omitted }: AttemptLog): string[] {
  if (kept.length === 0) return [];
  const [first = [], ...others] = kept.map((attempt) => linesOf(screen, attempt));
  // The first attempt is always kept; what was left out came after it.
  const gap = omitted === 0 ? [] : [`${omitted} more, left out here; the audit log has all`];
  return [
    '',
    screen.paint('cyan', 'attempts'),
    ...[first, gap, ...others].flat().map((line) => `  ${line}`),
  ];
}

function linesOf(screen: Screen, attempt: JobAttempt): string[] {
  const { startedAtMs, delayBeforeMs, durationMs, entry } = attempt;
  const wait = delayBeforeMs > 0 ? `, after a wait of ${formatDuration(delayBeforeMs)}` : '';
  const colour = entry === 'succeeded' ? 'green' : entry === 'failed' ? 'red' : 'yellow';
  return [
    `${numberOf(attempt)}  ${formatTime(startedAtMs)}${wait}, took ${formatDuration(durationMs)}: ${screen.paint(colour, entry)}`,
    ...wrapped(screen, errorText(attempt)),
    ...wrapped(screen, followText(attempt)),
  ];
}

function wrapped(screen: Screen, text: string): string[] {
  if (text === '') return [];
  const lines = wrapWords(printable(text), screen.columns - INDENT.length - 2);
  return lines.map((line) => INDENT + line);
}

function numberOf({ generation, attempt }: JobAttempt): string {
  return (generation === 1 ? String(attempt) : `${generation}.${attempt}`).padStart(2);
}

function errorText({ error, errorClass }: JobAttempt): string {
  if (error === undefined) return '';
  return `${error.type}: ${error.message}${errorClass === undefined ? '' : ` (${errorClass})`}`;
}

/** The reason code, and the wait that it led to. */
function followText({ action, reason, delayMs = 0 }: JobAttempt): string {
  if (action === 'succeed') return '';
  if (action === 'retry') return `${reason}: again after ${formatDuration(delayMs)}`;
  return action === 'park'
    ? `${reason}: parked for ${formatDuration(delayMs)}`
    : `${reason}: given up`;
}
