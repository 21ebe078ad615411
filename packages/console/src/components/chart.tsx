import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { hourMinute, num } from '../format.ts';
import { theme, zone } from '../prefs.ts';
import { type Column, List } from './list.tsx';
import type { Tone } from './state.tsx';

export interface ChartSeries {
  /** Stands at the right end of its line. */
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly tone: Tone;
  readonly fill?: boolean;
}

/** Two scales are two panels on one time axis. */
export interface ChartPanel {
  readonly series: readonly ChartSeries[];
  readonly height?: number;
  readonly max?: number;
}

export interface ChartProps {
  /** One sentence for people who do not see it. */
  readonly label: string;
  readonly timesMs: readonly number[];
  readonly panels: readonly ChartPanel[];
  /** Dashed verticals. */
  readonly marks?: readonly { readonly atMs: number; readonly text: string }[];
  /** Labels of the axis. Default: the time of day. */
  readonly timeText?: (ms: number) => string;
}

const AXIS_PX = 40;
const LABELS_PX = 96;
const MARKS_PX = 18;
const TIMES_PX = 20;
/** Half the height of a label, which stands on the edge of its panel. */
const GAP_PX = 7;
const NARROW_PX = 520;

/** Lines over time with their labels at the right end, a shared cursor, and a table on request. */
export function Chart(props: ChartProps) {
  const { label, timesMs, panels, marks = [], timeText = hourMinute } = props;
  const place = useRef<HTMLDivElement>(null);
  const look = theme.value + zone.value;
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let plots: readonly uPlot[] = [];
    const stop = new AbortController();
    // Loaded with the first chart: it is the largest part of the script.
    void import('uplot').then(({ default: Plot }) => {
      if (stop.signal.aborted) return;
      const draw = () => {
        for (const plot of plots) plot.destroy();
        plots = panels.map((panel, index) => {
          const ends = { isFirst: index === 0, isLast: index === panels.length - 1 };
          const values = panel.series.map((series) => [...series.values]);
          const seconds = timesMs.map((ms) => ms / 1_000);
          return new Plot(
            optionsOf(element, { panel, marks, timeText, ...ends }),
            [seconds, ...values],
            element,
          );
        });
      };
      const watch = new ResizeObserver(draw);
      watch.observe(element);
      const scheme = matchMedia('(prefers-color-scheme: dark)');
      scheme.addEventListener('change', draw, { signal: stop.signal });
      stop.signal.addEventListener('abort', () => watch.disconnect());
    });
    return () => {
      stop.abort();
      for (const plot of plots) plot.destroy();
    };
  }, [timesMs, panels, marks, timeText, look]);
  const all = panels.flatMap(({ series }) => series);
  const rows = timesMs.map((_, index) => index).slice(-60);
  const columns: readonly Column<number>[] = [
    ['Time', (index) => timeText(timesMs[index] ?? 0)],
    ...all.map((series): Column<number> => [series.label, (index) => series.values[index], 'n']),
  ];
  return (
    <figure class="chart">
      <div ref={place} role="img" aria-label={label} />
      <div class="legend only-phone-f">
        {all.map(({ label: text, tone }) => (
          <span key={text} class={`c-${tone}`}>
            {text}
          </span>
        ))}
      </div>
      <details>
        <summary>As a table</summary>
        <List label={label} rows={rows} columns={columns} idOf={String} />
      </details>
    </figure>
  );
}

interface Drawing {
  readonly panel: ChartPanel;
  readonly marks: ChartProps['marks'];
  readonly timeText: (ms: number) => string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function optionsOf(
  element: HTMLElement,
  { panel, marks, timeText, isFirst, isLast }: Drawing,
): uPlot.Options {
  const colour = coloursOf(element);
  const isNarrow = element.clientWidth < NARROW_PX;
  const height =
    (panel.height ?? 62) + (isFirst ? MARKS_PX : GAP_PX) + (isLast ? TIMES_PX : GAP_PX);
  const highest = Math.max(
    1,
    ...panel.series.flatMap(({ values }) => values.map((value) => value ?? 0)),
  );
  const max = panel.max ?? roundUp(highest);
  const font = `11px ${getComputedStyle(element).fontFamily}`;
  return {
    width: Math.max(200, element.clientWidth),
    height,
    padding: [isFirst ? MARKS_PX : GAP_PX, isNarrow ? 8 : LABELS_PX, isLast ? 0 : GAP_PX, 0],
    legend: { show: false },
    cursor: { sync: { key: 'console' }, drag: { x: false, y: false }, points: { size: 5 } },
    scales: { x: { time: true }, y: { range: [0, max] } },
    axes: [
      {
        show: isLast,
        size: TIMES_PX,
        font,
        stroke: colour('--ink-3'),
        grid: { show: false },
        ticks: { show: false },
        gap: 4,
        space: 90,
        values: (_, splits) => splits.map((seconds) => timeText(seconds * 1_000)),
      },
      {
        size: AXIS_PX,
        font,
        stroke: colour('--ink-3'),
        grid: { stroke: colour('--line'), width: 1 },
        ticks: { show: false },
        gap: 6,
        splits: isFirst ? [0, max / 2, max] : [0, max],
        values: (_, splits) => splits.map((value) => num(value)),
      },
    ],
    series: [
      {},
      ...panel.series.map(({ label, tone, fill }) => ({
        label,
        stroke: colour(TONES[tone]),
        width: 1.4,
        ...(fill && { fill: faded(colour(TONES[tone])) }),
        points: { show: false },
      })),
    ],
    hooks: {
      draw: [
        (plot) => {
          drawMarks(plot, { marks: marks ?? [], font, colour, withText: isFirst });
          if (!isNarrow) drawLabels(plot, panel, font, colour);
        },
      ],
    },
  };
}

const TONES: Readonly<Record<Tone, string>> = {
  ink: '--ink',
  idle: '--ink-3',
  blue: '--blue-fill',
  red: '--red-fill',
  amber: '--amber-fill',
  green: '--green-fill',
};

type Colour = (name: string) => string;

/** A custom property as the browser sees it: its own text has both themes in it. */
function coloursOf(element: HTMLElement): Colour {
  return (name) => {
    const probe = element.appendChild(document.createElement('i'));
    probe.style.color = `var(${name})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}

function faded(colour: string): string {
  return colour.replace('rgb(', 'rgba(').replace(')', ', 0.14)');
}

function drawMarks(
  plot: uPlot,
  o: {
    readonly marks: NonNullable<ChartProps['marks']>;
    font: string;
    colour: Colour;
    withText: boolean;
  },
): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = o.font.replace('11px', `${11 * ratio}px`);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'bottom';
  ctx.setLineDash([2 * ratio, 3 * ratio]);
  ctx.strokeStyle = o.colour('--ink-3');
  ctx.fillStyle = o.colour('--ink-2');
  let freeFrom = -Infinity;
  for (const { atMs, text } of [...o.marks].sort((a, b) => a.atMs - b.atMs)) {
    const x = plot.valToPos(atMs / 1_000, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top - (o.withText ? 12 * ratio : 8 * ratio));
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (!o.withText || x < freeFrom) continue;
    const { width } = ctx.measureText(text);
    // A text that would leave the drawing stands before its line.
    const isInside = x + 5 * ratio + width <= ctx.canvas.width;
    const from = isInside ? x + 5 * ratio : x - 5 * ratio - width;
    if (from < freeFrom) continue;
    ctx.fillText(text, from, bbox.top - 2 * ratio);
    freeFrom = Math.max(x, from + width) + 7 * ratio;
  }
  ctx.restore();
}

function drawLabels(plot: uPlot, panel: ChartPanel, font: string, colour: Colour): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = font.replace('11px', `550 ${11 * ratio}px`);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  const ends = panel.series.map(({ values, label, tone }) => {
    const last = values.findLast((value) => value !== null) ?? 0;
    return { y: plot.valToPos(last, 'y', true), label, tone };
  });
  let above = -Infinity;
  for (const { y, label, tone } of ends.sort((a, b) => a.y - b.y)) {
    above = Math.max(y, above + 13 * ratio);
    ctx.fillStyle = colour(tone === 'ink' || tone === 'idle' ? TONES[tone] : `--${tone}`);
    ctx.fillText(label, bbox.left + bbox.width + 8 * ratio, above);
  }
  ctx.restore();
}

/** 1, 2, 4, 5, 10, 20, … with an even half. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 1.4, 2, 3, 4, 6, 8, 10].find((each) => each * power >= value) ?? 10;
  return Math.max(2, Math.ceil(factor * power));
}
