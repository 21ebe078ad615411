import type { AttemptLog, JobAttempt } from '@redrive/durable/store';
import { formatDuration } from '../terminal/duration.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { formatTime } from '../terminal/times.ts';

const COLUMNS: readonly Column[] = [
  { title: '#', align: 'right', colour: 'cyan' },
  { title: 'started', colour: 'dim' },
  { title: 'waited', align: 'right' },
  { title: 'took', align: 'right' },
  { title: 'error', shrinks: true },
  { title: 'what followed', shrinks: true },
];

/** Every attempt that was kept: when, after which wait, how long, with which error, and what was decided. */
export function attemptLines(screen: Screen, { kept, omitted }: AttemptLog): string[] {
  if (kept.length === 0) return [];
  const rows = kept.map((attempt) => [
    numberOf(attempt),
    formatTime(attempt.startedAtMs),
    formatDuration(attempt.delayBeforeMs),
    formatDuration(attempt.durationMs),
    errorText(attempt),
    followText(attempt),
  ]);
  const table = tableLines(screen, COLUMNS, rows);
  // The first attempt is always kept; what was left out came after it.
  const gap = omitted === 0 ? [] : [`   and ${omitted} more, left out here; the audit log has all`];
  return ['', ...table.slice(0, 2), ...gap, ...table.slice(2)];
}

function numberOf({ generation, attempt }: JobAttempt): string {
  return generation === 1 ? String(attempt) : `${generation}.${attempt}`;
}

function errorText({ error, errorClass, entry }: JobAttempt): string {
  if (error === undefined) return entry === 'succeeded' ? '' : entry;
  return `${error.type}: ${error.message}${errorClass === undefined ? '' : ` (${errorClass})`}`;
}

function followText({ action, reason, delayMs = 0 }: JobAttempt): string {
  if (action === 'retry') return `${reason}: wait ${formatDuration(delayMs)}`;
  return action === 'park' ? `${reason}: parked ${formatDuration(delayMs)}` : reason;
}
