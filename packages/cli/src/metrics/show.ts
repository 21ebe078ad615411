import { METRIC_DIMENSIONS, type MetricDimension } from '@redrive/durable/audit';
import { counted } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { textOf } from '../action/renderer.ts';
import { textOption } from '../command/option-values.ts';
import { policyText } from '../policy/policy-words.ts';
import { printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { formatDuration } from '../terminal/times.ts';

type Metrics = AnswerOf<typeof ACTIONS.metrics.show>;

export const METRICS_SHOW = textOf<Metrics>(({ io, options, answer }) =>
  printLines(io, linesOf(io.screen, answer, dimensionOf(textOption(options, 'by')))),
);

function dimensionOf(text = 'policy'): MetricDimension {
  // The option takes no other value.
  return METRIC_DIMENSIONS.find((dimension) => dimension === text) ?? 'policy';
}

function linesOf(screen: Screen, metrics: Metrics, by: MetricDimension): string[] {
  const { total_sessions: sessions, successful_sessions: successes } = metrics;
  const window = `${metrics.time_window_start} to ${metrics.time_window_end}`;
  const shares = Object.entries(metrics[`by_${by}`]);
  const columns: readonly Column[] = [
    { title: by, colour: 'cyan' },
    ...['sessions', 'attempts', 'succeeded', 'attempts each'].map(
      (title): Column => ({ title, align: 'right' }),
    ),
  ];
  const rows = shares.map(([name, share]) => [
    shownName(name, by),
    String(share.sessions),
    String(share.total_attempts),
    share.success_rate === null ? '-' : percent(share.success_rate),
    share.average_attempts?.toFixed(2) ?? '-',
  ]);
  const table = rows.length === 0 ? [] : ['', ...tableLines(screen, columns, rows)];
  const imported = importedLines(metrics.imported);
  if (sessions === 0) return [`No sessions ended from ${window}.`, ...imported, ...table];
  return [
    `${counted(sessions, 'session')} from ${window}`,
    `  succeeded  ${successes} (${percent(successes / sessions)})`,
    `  given up   ${metrics.failed_sessions}`,
    `  attempts   ${metrics.total_attempts}, ${metrics.average_attempts_per_session.toFixed(2)} each, ${metrics.max_attempts_in_session} at most`,
    `  duration   ${formatDuration(metrics.average_duration_per_session * 1_000)} each`,
    ...imported,
    ...table,
  ];
}

function importedLines({ sessions, windows, ...metrics }: Metrics['imported']): string[] {
  const parts = [
    ...(sessions > 0 ? [counted(sessions, 'session')] : []),
    ...(windows > 0
      ? [`${counted(metrics.window_sessions, 'session')} of ${counted(windows, 'time window')}`]
      : []),
  ];
  const left = metrics.windows_left_out;
  return [
    ...(parts.length > 0 ? [`  imported   ${parts.join(', ')}`] : []),
    ...(left > 0
      ? [
          `  left out   imported metrics of ${counted(left, 'time window')}, not wholly inside or with sessions of their own`,
        ]
      : []),
  ];
}

function shownName(name: string, by: MetricDimension): string {
  if (name === '') return '(none)';
  return by === 'policy' ? policyText(name) : printable(name);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
