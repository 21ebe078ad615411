import { fit } from '../../terminal/table.ts';
import { formatDuration, shortDuration } from '../../terminal/times.ts';
import type { Scale } from './scale.ts';

/** One policy in a plot. */
export interface PlottedPolicy {
  readonly id: string;
  readonly maxAttempts: number;
  readonly totalNominalMs: number;
  /** In words; `""` without jitter. */
  readonly jitter: string;
  readonly waits: readonly Wait[];
}

/** How wide one wait is drawn, the gap after it included. */
export const MAX_SLOT = 8;
/** Wider than this, bars stand two columns apart. */
const WIDE_SLOT = 4;
/** Below this there is no room for a gap. */
export const MIN_SLOT = 2;
/** The text under a policy's id may make a panel this wide; a longer one is cut. The id never is. */
const MAX_TITLE = 28;

/** One policy's part of the plot. All lines have the same width. */
export interface Panel {
  readonly width: number;
  readonly titles: readonly string[];
  /** From the top. */
  readonly rows: readonly string[];
  readonly labels: readonly string[];
}

/** How wide a panel is whose waits have `slot` columns each. */
export function panelWidth(policy: PlottedPolicy, slot: number): number {
  const text = Math.min(summaryOf(policy).length, MAX_TITLE);
  return Math.max(policy.waits.length * slot, policy.id.length, text);
}

export function drawPanel(
  policy: PlottedPolicy,
  { slot, height, scale, glyphs }: { slot: number; height: number; scale: Scale; glyphs: Glyphs },
): Panel {
  const width = panelWidth(policy, slot);
  const barWidth = Math.max(1, slot - (slot > WIDE_SLOT ? 2 : 1));
  const bars = policy.waits.map((wait) => barCells(wait, scale, height, glyphs));
  const line = (cells: readonly string[]) => fit(cells.join(''), width);
  const centred = (text: string) => {
    const left = Math.floor((barWidth - [...text].length) / 2);
    return fit(' '.repeat(Math.max(0, left)) + text, slot);
  };
  const rows = Array.from({ length: height }, (_, row) =>
    line(bars.map((cells) => fit((cells[height - 1 - row] ?? ' ').repeat(barWidth), slot))),
  );
  const durations = policy.waits.map(({ nominal }) => shortDuration(nominal));
  const fits = durations.every((text) => text.length < slot);
  return {
    width,
    titles: [policy.id, summaryOf(policy), jitterLine(policy)].map((text) => fit(text, width)),
    rows,
    labels: [
      line(attemptLabels(policy.waits, slot, centred)),
      line(fits ? durations.map(centred) : []),
    ],
  };
}

/** Every attempt's number where there is room for it, otherwise every fifth or so. */
function attemptLabels(
  waits: readonly Wait[],
  slot: number,
  centred: (text: string) => string,
): string[] {
  const widest = Math.max(0, ...waits.map(({ attempt }) => String(attempt).length));
  if (widest < slot) return waits.map(({ attempt }) => centred(String(attempt)));
  const every = Math.ceil((widest + 1) / slot);
  const cells: string[] = [];
  for (let index = 0; index < waits.length; index += every) {
    const rest = Math.min(every, waits.length - index) * slot;
    const text = String(waits[index]?.attempt ?? '');
    cells.push(text.length <= rest ? text.padEnd(rest) : ' '.repeat(rest));
  }
  return cells;
}

function jitterLine({ jitter, waits }: PlottedPolicy): string {
  return jitter === '' || waits.length === 0 ? '' : `jitter ${jitter}`;
}

function summaryOf({ maxAttempts, totalNominalMs, waits }: PlottedPolicy): string {
  if (waits.length === 0) return 'one attempt, no waits';
  return `${maxAttempts} attempts, ${formatDuration(totalNominalMs)}`;
}

interface Wait {
  readonly attempt: number;
  readonly nominal: number;
  readonly min: number;
  readonly max: number;
}

/**
 * One wait as a column of cells, the lowest first: solid up to the shortest wait, shaded up to the longest wait with
 * jitter, with a mark at the nominal wait where that is inside the shade.
 */
function barCells(wait: Wait, scale: Scale, height: number, glyphs: Glyphs): string[] {
  const parts = glyphs.solid.length;
  const level = (delayMs: number) => Math.round(scale.fractionOf(delayMs) * height * parts);
  const top = level(wait.max);
  const solidTop = Math.min(level(wait.min), top);
  // The shade comes in whole cells. A cell that is mostly beyond it stays empty, unless nothing would be seen of a
  // shade of half a cell or more.
  const seenCells = top - solidTop >= parts / 2 ? Math.ceil(solidTop / parts) + 1 : 0;
  const shadedCells = Math.max(Math.round(top / parts), seenCells);
  if (solidTop === 0 && shadedCells === 0)
    return [glyphs.trace, ...Array<string>(height - 1).fill(' ')];
  const nominalCell = Math.max(1, Math.round(level(wait.nominal) / parts)) - 1;
  return Array.from({ length: height }, (_, cell) => {
    const filled = solidTop - cell * parts;
    if (filled >= parts) return glyphs.solid.at(-1) ?? '';
    if (filled > 0) return glyphs.solid[filled - 1] ?? '';
    if (cell >= shadedCells) return ' ';
    return cell === nominalCell ? glyphs.nominal : glyphs.band;
  });
}

/** The characters that draw a plot. */
export interface Glyphs {
  /** A cell filled from below by 1/n, 2/n, … n/n. */
  readonly solid: readonly string[];
  readonly band: string;
  readonly nominal: string;
  readonly axis: {
    readonly line: string;
    readonly tick: string;
    readonly corner: string;
    readonly floor: string;
  };
  /** A wait that is too small to be seen on the scale, or none. */
  readonly trace: string;
}

export const UNICODE_GLYPHS: Glyphs = {
  solid: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  band: '░',
  nominal: '━',
  axis: { line: '│', tick: '┤', corner: '└', floor: '─' },
  trace: '▁',
};

export const ASCII_GLYPHS: Glyphs = {
  solid: ['#'],
  band: ':',
  nominal: '=',
  axis: { line: '|', tick: '+', corner: '+', floor: '-' },
  trace: '_',
};
