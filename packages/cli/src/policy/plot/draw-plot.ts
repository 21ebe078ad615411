import type { Colour, Screen } from '../../terminal/screen.ts';
import { fit } from '../../terminal/table.ts';
import { formatDuration } from '../../terminal/times.ts';
import {
  ASCII_GLYPHS,
  drawPanel,
  type Glyphs,
  MAX_SLOT,
  MIN_SLOT,
  type Panel,
  type PlottedPolicy,
  panelWidth,
  UNICODE_GLYPHS,
} from './panel.ts';
import type { Scale } from './scale.ts';

const HEIGHT = 10;
/** Rows between two delays that are written beside the axis. */
const MIN_TICK_ROWS = 2;
const COLOURS: readonly Colour[] = ['cyan', 'magenta', 'yellow', 'green', 'blue', 'red'];

/**
 * Policies side by side on one scale, as wide as the screen; those that do not fit go below:
 *
 * ```
 *        RETRY_NATS_CONNECT
 *        5 attempts, 15 s
 *  10 s ┤
 *       │                  ░░░░
 *   5 s ┤          ░░░░    ████
 *       │  ▁▁  ██  ████    ████
 *     0 └──────────────────────
 *          2   3    4       5
 * ```
 */
export function drawPlot(
  screen: Screen,
  policies: readonly PlottedPolicy[],
  scale: Scale,
  ascii = !screen.unicode,
): string[] {
  const glyphs = ascii ? ASCII_GLYPHS : UNICODE_GLYPHS;
  const axis = axisLabels(scale);
  const axisWidth = Math.max(...axis.map(({ length }) => length)) + 3;
  const room = screen.columns - axisWidth;
  const shown = policies.map((policy) => cutTo(policy, room));
  const slot = slotFor(shown, room);
  const drawn = shown.map((policy, index) => ({
    panel: drawPanel(policy, { slot, height: HEIGHT, scale, glyphs }),
    colour: COLOURS[index % COLOURS.length] ?? 'cyan',
  }));
  const lines = intoRows(drawn, ({ panel }) => panel.width, room).flatMap((row) => [
    ...drawRow(screen, row, axis, axisWidth, glyphs),
    '',
  ]);
  const notes = [...legend(scale, glyphs, lines), ...cutNotes(policies, shown)];
  return [...lines, ...flow(notes, screen.columns).map((line) => screen.paint('dim', line))];
}

interface Drawn {
  readonly panel: Panel;
  readonly colour: Colour;
}

function drawRow(
  screen: Screen,
  row: readonly Drawn[],
  axis: readonly string[],
  axisWidth: number,
  glyphs: Glyphs,
): string[] {
  const gap = ' '.repeat(GAP);
  const across = (part: (drawn: Drawn) => string) => row.map(part).join(gap);
  /** A line of words under each other's panels; none where no panel has any. */
  const text = (
    of: (panel: Panel) => string | undefined,
    colour: (drawn: Drawn) => Colour = () => 'dim',
  ) =>
    row.some(({ panel }) => of(panel)?.trim())
      ? [
          ' '.repeat(axisWidth) +
            across((drawn) => screen.paint(colour(drawn), of(drawn.panel) ?? '')),
        ]
      : [];
  const { line, tick, corner, floor } = glyphs.axis;
  const width = row.reduce((sum, { panel }) => sum + panel.width + GAP, -GAP);
  return [
    ...text(
      ({ titles }) => titles[0],
      (drawn) => drawn.colour,
    ),
    ...text(({ titles }) => titles[1]),
    ...text(({ titles }) => titles[2]),
    ...axis.slice(0, HEIGHT).map((label, index) => {
      const left = screen.paint(
        'dim',
        `${fit(label, axisWidth - 3, 'right')} ${label ? tick : line}`,
      );
      return `${left} ${across(({ panel, colour }) => screen.paint(colour, panel.rows[index] ?? ''))}`;
    }),
    screen.paint(
      'dim',
      `${fit(axis[HEIGHT] ?? '', axisWidth - 3, 'right')} ${corner}${floor.repeat(width + 1)}`,
    ),
    ...text(({ labels }) => labels[0]),
    ...text(({ labels }) => labels[1]),
  ];
}

/** The delays beside the axis, from the top; the last one is at the floor. */
function axisLabels({ ticksMs, fractionOf, kind }: Scale): string[] {
  const labels: string[] = Array.from({ length: HEIGHT + 1 }, () => '');
  let last = Number.POSITIVE_INFINITY;
  for (const delayMs of ticksMs.toReversed()) {
    const row = HEIGHT - Math.round(fractionOf(delayMs) * HEIGHT);
    if (row < HEIGHT && Math.abs(row - last) < MIN_TICK_ROWS) continue;
    labels[row] = formatDuration(delayMs);
    last = row;
  }
  if (kind === 'log') labels[HEIGHT] = '0';
  return labels;
}

function cutTo(policy: PlottedPolicy, room: number): PlottedPolicy {
  return policy.waits.length <= room ? policy : { ...policy, waits: policy.waits.slice(0, room) };
}

/** The meanings of the marks that the plot has. */
function legend({ kind }: Scale, glyphs: Glyphs, lines: readonly string[]): string[] {
  const drawing = lines.join('');
  const marks = [
    [glyphs.solid.at(-1) ?? '', 'shortest wait'],
    [glyphs.band, 'added by jitter'],
    [glyphs.nominal, 'nominal'],
  ] as const;
  const used = marks.filter(
    ([mark]) => drawing.includes(mark.repeat(2)) || drawing.includes(` ${mark} `),
  );
  return [...used.map((mark) => mark.join(' ')), ...(kind === 'log' ? ['log scale'] : [])];
}

/** Which policies have more waits than there was room for. */
function cutNotes(all: readonly PlottedPolicy[], shown: readonly PlottedPolicy[]): string[] {
  return all.flatMap(({ id, maxAttempts }, index) => {
    const last = shown[index]?.waits.at(-1)?.attempt ?? maxAttempts;
    return last < maxAttempts ? [`${id}: up to attempt ${last} of ${maxAttempts}`] : [];
  });
}

/** Texts one after the other, in as few lines as they need. */
function flow(texts: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + GAP + text.length <= columns)
      lines.splice(-1, 1, `${line}${' '.repeat(GAP)}${text}`);
    else lines.push(text);
  }
  return lines;
}

/** Columns between panels. */
export const GAP = 3;

/** The widest slot with which the policies need no more rows of panels than they must. */
function slotFor(policies: readonly PlottedPolicy[], room: number): number {
  const rowsWith = (slot: number) =>
    intoRows(policies, (each) => panelWidth(each, slot), room).length;
  const longest = Math.max(1, ...policies.map(({ waits }) => waits.length));
  const widest = Math.min(MAX_SLOT, Math.floor(room / longest));
  const fewest = rowsWith(Math.min(MIN_SLOT, widest));
  for (let slot = widest; slot > MIN_SLOT; slot--) if (rowsWith(slot) === fewest) return slot;
  return Math.max(1, Math.min(MIN_SLOT, widest));
}

/** As many in a row as fit into the room; one at least. */
function intoRows<T>(items: readonly T[], widthOf: (item: T) => number, room: number): T[][] {
  const rows: T[][] = [];
  let left = 0;
  for (const item of items) {
    const width = widthOf(item);
    const row = rows.at(-1);
    if (row !== undefined && left >= width + GAP) {
      row.push(item);
      left -= width + GAP;
    } else {
      rows.push([item]);
      left = room - width;
    }
  }
  return rows;
}
