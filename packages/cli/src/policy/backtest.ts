import {
  type BacktestFigure,
  type BacktestResult,
  backtest,
  backtestLimits,
  type FailIf,
  failIfProblem,
  type Measured,
  MIN_BACKTEST_SESSIONS,
  parseFailIf,
  tooFewOutages,
} from '@redrive/lab';
import { sideOf } from '@redrive/operate/run';
import type { RunCommand } from '../command/command-spec.ts';
import { listOption } from '../command/option-values.ts';
import { configsOf, loadConfig } from '../config/load-config.ts';
import { loadRecording } from '../lab/load-recording.ts';
import { CliError, EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { formatDuration } from '../terminal/times.ts';

const WEEK_MS = 604_800_000;

export const runBacktest: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const conditions = listOption(options, 'failIf').map(conditionOf);
  const [before, after] = [
    await sideOf(configsOf(invocation), args[0] ?? ''),
    await sideOf(configsOf(invocation), args[1] ?? ''),
  ];
  const config = await loadConfig(invocation);
  const recording = await loadRecording(invocation, config, WEEK_MS);
  const policies = { old: before.policy.policy, new: after.policy.policy };
  const result = backtest(recording.attempts, policies, before.policy.id);
  if (result.sessions < MIN_BACKTEST_SESSIONS) {
    const known = [...new Set(recording.attempts.groups.map(({ policy }) => policy))].sort();
    throw new CliError(
      'refused',
      `${recording.source} has ${result.sessions} sessions of ${before.policy.id}, and a back-test needs ${MIN_BACKTEST_SESSIONS}.`,
      known.length === 0 ? undefined : `It has sessions of ${known.join(', ')}.`,
    );
  }
  const failed = conditions.flatMap((condition) => failIfProblem(condition, result) ?? []);
  if (options.json) {
    printJson(io, documentOf(before.label, after.label, result, failed));
  } else if (options.markdown) {
    printLines(io, markdownLines(before.label, after.label, result, failed));
  } else {
    const columns: Column[] = ['', before.label, after.label, 'change'].map((title, at) => ({
      title: printable(title),
      ...(at === 0 ? { colour: 'cyan' } : { align: 'right' }),
    }));
    printLines(io, [headOf(result), '', ...tableLines(io.screen, columns, rowsOf(result)), '']);
    printText(io, limitsOf(result).join(' '));
    for (const text of failed) io.stderr(`${printable(text)}\n`);
  }
  if (recording.stopped) return EXIT.interrupted;
  if (failed.length > 0) return EXIT.differs;
  return recording.cut ? EXIT.partial : EXIT.ok;
};

function conditionOf(text: string): FailIf {
  const condition = parseFailIf(text);
  if (condition !== undefined) return condition;
  const hint =
    'Write a figure (attempts, recovered, exhausted, wasted, latency), > or <, and a change: "exhausted > +0.1pp", "attempts > +5%", "latency > +10s".';
  throw new CliError('usage', `--fail-if is not a condition: ${text}`, hint);
}

const FIGURES: readonly (readonly [BacktestFigure, string])[] = [
  ['attempts', 'attempts per session'],
  ['recovered', 'recovered'],
  ['exhausted', 'exhausted'],
  ['wasted', 'wasted attempts per session'],
  ['latency', 'added latency'],
];

function headOf({ sessions, fromMs, toMs }: BacktestResult): string {
  const time = (ms: number) => new Date(ms).toISOString();
  return `${sessions.toLocaleString('en')} sessions from ${time(fromMs)} to ${time(toMs)}`;
}

function rowsOf(result: BacktestResult): string[][] {
  return FIGURES.map(([figure, title]) => [
    title,
    figureText(figure, result.old[figure]),
    figureText(figure, result.new[figure]),
    figureText(figure, result.change[figure], true),
  ]);
}

function figureText(figure: BacktestFigure, measured: Measured | null, signed = false): string {
  if (measured === null) return 'no figure';
  const { value, spread } = measured;
  const sign = signed && value >= 0 ? '+' : '';
  if (figure === 'latency') {
    const text = formatDuration(Math.abs(Math.round(value)));
    return `${value < 0 ? '-' : sign}${text} (+-${formatDuration(Math.round(spread))})`;
  }
  if (figure === 'recovered' || figure === 'exhausted') {
    const unit = signed ? 'pp' : '%';
    return `${sign}${(value * 100).toFixed(2)} ${unit} (+-${(spread * 100).toFixed(2)})`;
  }
  return `${sign}${value.toFixed(3)} (+-${spread.toFixed(3)})`;
}

const limitsOf = (result: BacktestResult) => backtestLimits(result, formatDuration);

function markdownLines(
  before: string,
  after: string,
  result: BacktestResult,
  failed: readonly string[],
): string[] {
  const cells = (row: readonly string[]) =>
    `| ${row.map((cell) => printable(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    `**Back-test**: ${headOf(result)}`,
    '',
    cells(['', before, after, 'change']),
    '|---|---|---|---|',
    ...rowsOf(result).map(cells),
    '',
    ...limitsOf(result),
    ...failed.map((text) => `\n**Refused**: ${printable(text)}`),
  ];
}

function documentOf(
  before: string,
  after: string,
  result: BacktestResult,
  failed: readonly string[],
) {
  return {
    old: before,
    new: after,
    sessions: result.sessions,
    since: new Date(result.fromMs).toISOString(),
    until: new Date(result.toMs).toISOString(),
    dependencies: result.dependencies.map(({ dependency, outages, ownFailures, gapMs }) => ({
      dependency,
      outages,
      own_failures: ownFailures,
      sampling_gap_ms: gapMs,
    })),
    unfinished: result.unfinished,
    figures: { old: result.old, new: result.new, change: result.change },
    too_few_outages: tooFewOutages(result),
    limits: limitsOf(result),
    failed_conditions: failed,
  };
}
