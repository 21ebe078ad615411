import { systemClock } from '@redrive/core';
import { type RetryMetrics, retryMetrics } from '@redrive/durable/audit';
import type { RunCommand } from '../command/command-spec.ts';
import { textOption, timeOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { formatDuration } from '../terminal/times.ts';

const DAY_MS = 86_400_000;

export const runMetricsShow: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const clock = io.clock ?? systemClock;
  const nowMs = clock.now();
  const sinceMs = timeOption(options, 'since', nowMs) ?? nowMs - DAY_MS;
  const untilMs = timeOption(options, 'until', nowMs) ?? nowMs;
  if (sinceMs >= untilMs) throw new CliError('usage', '--since must be before --until.');
  const metrics = await withStore(invocation, (store) => retryMetrics(store, { sinceMs, untilMs }));
  if (options.json) printJson(io, metrics);
  else printLines(io, linesOf(io.screen, metrics, textOption(options, 'by') ?? 'policy'));
};

function linesOf(screen: Screen, metrics: RetryMetrics, by: string): string[] {
  const { total_sessions: sessions, successful_sessions: successes } = metrics;
  const window = `${metrics.time_window_start} to ${metrics.time_window_end}`;
  if (sessions === 0) return [`No sessions ended from ${window}.`];
  const shares = Object.entries(by === 'subsystem' ? metrics.by_subsystem : metrics.by_policy);
  const columns: readonly Column[] = [
    { title: by, colour: 'cyan' },
    ...['sessions', 'succeeded', 'attempts each'].map(
      (title): Column => ({ title, align: 'right' }),
    ),
  ];
  const rows = shares.map(([name, share]) => [
    name,
    String(share.sessions),
    percent(share.success_rate),
    share.average_attempts.toFixed(2),
  ]);
  return [
    `${sessions} sessions from ${window}`,
    `  succeeded  ${successes} (${percent(successes / sessions)})`,
    `  given up   ${metrics.failed_sessions}`,
    `  attempts   ${metrics.total_attempts}, ${metrics.average_attempts_per_session.toFixed(2)} each, ${metrics.max_attempts_in_session} at most`,
    `  duration   ${formatDuration(metrics.average_duration_per_session * 1_000)} each`,
    '',
    ...tableLines(screen, columns, rows),
  ];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
