import type { Figure, Quartiles, Scene, SceneSummary } from '@redrive/lab';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { columns, tableLines } from '../terminal/table.ts';
import { formatDuration } from '../terminal/times.ts';

type Format = (value: number) => string;

const count: Format = (value) => Math.round(value).toLocaleString('en');
const times: Format = (value) => `${value.toFixed(2)}x`;
const share: Format = (value) => `${(value * 100).toFixed(1)} %`;
const time: Format = (value) => formatDuration(Math.round(value));

const ROWS: readonly (readonly [figure: Figure, title: string, format: Format])[] = [
  ['sessions', 'sessions', count],
  ['succeeded', 'succeeded', count],
  ['exhausted', 'given up', count],
  ['mostParked', 'most parked', count],
  ['parked', 'parked at the end', count],
  ['attemptsWhileDown', 'attempts while down', count],
  ['peakPerSecond', 'most calls in one second', count],
  ['goodputAfterMs', '95 % goodput after', time],
  ['drained99AfterMs', '99 % ended after', time],
  ['drainedAfterMs', 'all ended after', time],
  ['latencyP50Ms', 'latency, median', time],
  ['latencyP95Ms', 'latency, 95th percentile', time],
  ['latencyP99Ms', 'latency, 99th percentile', time],
  ['othersSucceeded', 'others’ calls that succeeded', share],
];

const COLUMNS = columns(' | median:right,cyan | quartiles:right,dim');

/** The results of a simulation, for people. */
export function summaryLines(screen: Screen, scene: Scene, summary: SceneSummary): string[] {
  const { layers, figures, seeds, cut } = summary;
  const many = layers.length > 1;
  const rows = [
    ...ROWS.filter(([figure]) => matters(scene, figure)).map(([figure, title, format]) =>
      rowOf(title, figures[figure], format, figure.startsWith('latency') ? 'none' : 'never'),
    ),
    ...layers.flatMap(({ attempts, amplification }, n) => {
      const layer = many ? `, layer ${n + 1}` : '';
      return [
        rowOf(`attempts${layer}`, attempts, count),
        rowOf(`attempts per session${layer}`, amplification, times),
      ];
    }),
  ];
  const about = [scene.description, `${seeds} ${seeds === 1 ? 'seed' : 'seeds'}.`].join(' ');
  const limit =
    cut === 0
      ? []
      : [
          `${cut} of ${seeds} runs ended early, at 10,000,000 attempts, 1,000,000 open sessions or 100,000,000 events.`,
        ];
  return [
    screen.paint('cyan', printable(scene.name)),
    ...wrapWords(printable(about.trim()), screen.columns),
    '',
    ...tableLines(screen, COLUMNS, rows),
    '',
    ...curves(screen, summary),
    ...limit,
  ];
}

/** Figures that only some scenes have. */
function matters({ arrivals, callers, dependency }: Scene, figure: Figure): boolean {
  const { outages } = dependency;
  if (figure === 'mostParked' || figure === 'parked') return callers.kind === 'jobs';
  if (figure === 'othersSucceeded') return dependency.others !== undefined;
  if (outages.kind === 'drawn') return true;
  if (figure === 'attemptsWhileDown') return outages.outages.length > 0;
  // Goodput after an outage needs arrivals after it.
  const lastMs = outages.outages.at(-1)?.untilMs ?? Infinity;
  return figure !== 'goodputAfterMs' || (arrivals.kind === 'rate' && lastMs < arrivals.forMs);
}

function rowOf(
  title: string,
  { q1, median, q3 }: Quartiles,
  format: Format,
  absent = 'never',
): string[] {
  const text = (value: number | null) => (value === null ? absent : format(value));
  return [title, text(median), q1 === q3 ? '' : `${text(q1)} to ${text(q3)}`];
}

const BLOCKS = ['▁▂▃▄▅▆▇█', '.:-=+*#@'] as const;

/** Calls, successes and parked jobs over time, each scaled to its own maximum. */
function curves(screen: Screen, { series }: SceneSummary): string[] {
  const last = series.attempts.findLastIndex((value, n) => value + (series.parked[n] ?? 0) > 0);
  const blocks = screen.unicode ? BLOCKS[0] : BLOCKS[1];
  const names = ['attempts', 'succeeded', 'parked'] as const;
  const width = Math.max(10, screen.columns - 30);
  return names.flatMap((name) => {
    const points = squeezed(series[name].slice(0, last + 1), width);
    const most = Math.max(...points);
    if (!(most > 0)) return [];
    const drawn = points.map((value) =>
      value === 0 ? ' ' : (blocks[Math.min(7, Math.floor((value / most) * 8))] ?? ' '),
    );
    return [`${name.padEnd(10)} ${drawn.join('')} max ${count(most)}`];
  });
}

/** The largest value of each part, so that a peak stays one. */
function squeezed(values: readonly number[], width: number): number[] {
  const parts = Math.min(width, values.length);
  return Array.from({ length: parts }, (_, n) => {
    const from = Math.floor((n * values.length) / parts);
    const until = Math.max(from + 1, Math.floor(((n + 1) * values.length) / parts));
    return Math.max(...values.slice(from, until));
  });
}
