import type { PoliciesExplainAnswer } from '@redrive/client';
import { type Column, List } from '../../components/index.ts';
import { duration, short, sum } from '../../format.ts';

export type Explained = PoliciesExplainAnswer;
type Delay = Explained['delays_ms'][number];

const TICKS_MS = [
  1, 10, 100, 1_000, 10_000, 60_000, 600_000, 3_600_000, 21_600_000, 86_400_000, 864_000_000,
];
/** Bars of one policy: more cannot be distinguished. */
const MOST_BARS = 24;
const [LEFT, GAP, BOTTOM, TOP] = [50, 30, 262, 22];

/** `0`, `1 min`, `2 h 3 min` */
export function wait(ms: number): string {
  return ms === 0 ? '0' : duration(ms);
}

/** The wait before each attempt, side by side on one logarithmic axis. */
export function WaitsChart({
  sides,
}: {
  readonly sides: readonly { readonly id: string; readonly delays_ms: readonly Delay[] }[];
}) {
  const delays = sides.flatMap(({ delays_ms }) => delays_ms.slice(0, MOST_BARS));
  const waits = delays.filter(({ max }) => max > 0);
  if (waits.length === 0) return <p class="soft">There is no wait: each makes one attempt.</p>;
  const highest = Math.max(...waits.map(({ max }) => max));
  const lowest = Math.min(...waits.map(({ nominal, max }) => nominal || max));
  // Below the smallest wait there is room for the band of its jitter.
  const bottom = lowest / 60;
  const y = (ms: number) => {
    const share = Math.log(Math.max(ms, bottom) / bottom) / Math.log(highest / bottom);
    return BOTTOM - share * (BOTTOM - TOP);
  };
  const width = sides.length > 1 ? 375 : 780;
  const slots = Math.max(...sides.map(({ delays_ms }) => Math.min(MOST_BARS, delays_ms.length)));
  const ticks = TICKS_MS.filter((ms) => ms >= bottom && ms <= highest * 1.01);
  const names = sides.map(({ id }) => id).join(' and ');
  return (
    <svg
      class="waits-chart"
      viewBox="0 0 824 300"
      role="img"
      aria-label={`Wait before each attempt of ${names}, logarithmic; the table below has the numbers`}
    >
      {ticks.map((ms) => (
        <text key={ms} x={LEFT - 8} y={y(ms) + 3.5} class="end">
          {tick(ms)}
        </text>
      ))}
      {sides.map(({ id, delays_ms }, side) => {
        const x = LEFT + side * (width + GAP);
        return (
          <g key={id}>
            {ticks.map((ms) => (
              <line key={ms} class="grid" x1={x} x2={x + width} y1={y(ms)} y2={y(ms)} />
            ))}
            {delays_ms.slice(0, MOST_BARS).map((delay, at) => (
              <Bar
                key={delay.attempt}
                delay={delay}
                x={x + (at * width) / slots}
                slot={width / slots}
                y={y}
              />
            ))}
            <line class="base" x1={x} x2={x + width} y1={BOTTOM} y2={BOTTOM} />
            <text x={x} y={295}>
              wait before attempt
              {delays_ms.length > MOST_BARS && `, the first ${MOST_BARS}`}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

interface BarProps {
  readonly delay: Delay;
  readonly x: number;
  readonly slot: number;
  readonly y: (ms: number) => number;
}

/** Solid up to the least wait, hatched up to the most, a line at the nominal one, a ring at the mean. */
function Bar({ delay, x, slot, y }: BarProps) {
  const { attempt, nominal, min, max } = delay;
  const width = slot * 0.72;
  const left = x + (slot - width) / 2;
  const middle = x + slot / 2;
  const [low, high, line] = [min === 0 ? BOTTOM : y(min), y(max), y(nominal)];
  const isSpread = min !== max;
  const isLabelled = slot >= 40 || attempt % Math.ceil(40 / slot) === 0;
  return (
    <g>
      {min > 0 && <rect class="solid" x={left} y={low} width={width} height={BOTTOM - low} />}
      {isSpread && <rect class="band" x={left} y={high} width={width} height={low - high} />}
      {nominal > 0 && <rect class="nominal" x={left} y={line - 1} width={width} height={2} />}
      {isSpread && <circle cx={middle} cy={y((min + max) / 2)} r={2.6} />}
      {isLabelled && (
        <>
          <text x={middle} y={Math.min(line, high) - 6} class="value">
            {nominal === 0 ? '0' : nominal < 60_000 ? duration(nominal) : tick(nominal)}
          </text>
          <text x={middle} y={277} class="middle">
            {attempt}
          </text>
        </>
      )}
    </g>
  );
}

/** One unit where it is exact. */
function tick(ms: number): string {
  return ms < 60_000
    ? duration(ms)
    : ms % 60_000 === 0 && ms < 3_600_000
      ? short(ms)
      : duration(ms);
}

const LEGEND = [
  ['solid', 'waits in any case'],
  ['hatch', 'jitter may end the wait here'],
  ['line', 'nominal'],
  ['ring', 'mean'],
] as const;

export function WaitsLegend() {
  return (
    <div class="legend waits-legend">
      {LEGEND.map(([mark, text]) => (
        <span key={mark}>
          <i class={mark} />
          {text}
        </span>
      ))}
      <span class="sp n">log scale</span>
    </div>
  );
}

const MOST_ROWS = 50;

/** Nominal wait, its band, and when each attempt starts at the latest. */
export function WaitsTable({ sides }: { readonly sides: readonly Explained[] }) {
  const longest = Math.max(...sides.map(({ delays_ms }) => delays_ms.length));
  // The first attempt has no wait.
  const attempts = Array.from({ length: Math.min(MOST_ROWS, longest) + 1 }, (_, at) => at);
  const columns: readonly Column<number>[] = [
    ['Attempt', (at) => `${at + 1}`, 'n soft'],
    ...sides.flatMap(({ delays_ms }, side): Column<number>[] => [
      [
        'Nominal wait',
        (at) => (at === 0 ? '' : waitOf(delays_ms[at - 1]?.nominal)),
        side > 0 ? 'n gap' : 'n',
      ],
      ['Least to most', (at) => (at === 0 ? '' : bandOf(delays_ms[at - 1])), 'n soft'],
      ['Starts after, at most', (at) => waitOf(startOf(delays_ms, at)), 'n'],
    ]),
  ];
  return (
    <section>
      <List
        label="Waits by attempt"
        rows={attempts}
        columns={columns}
        idOf={String}
        groups={sides.map(({ id }) => [id, 3])}
        className="waits"
      />
      {longest > MOST_ROWS && (
        <p class="l2">
          The first {MOST_ROWS} waits of {longest}.
        </p>
      )}
    </section>
  );
}

const waitOf = (ms: number | undefined) => (ms === undefined ? '' : wait(ms));

function bandOf(delay: Delay | undefined): string {
  if (delay === undefined) return '';
  return delay.min === delay.max ? 'exact' : `${wait(delay.min)} to ${wait(delay.max)}`;
}

/** All waits before an attempt, each as long as jitter allows. */
function startOf(delays: readonly Delay[], before: number): number | undefined {
  if (before > delays.length) return undefined;
  return sum(delays.slice(0, before).map(({ max }) => max));
}
