import { formatDuration } from '../../terminal/duration.ts';
import type { Colour, Screen } from '../../terminal/screen.ts';
import { fit } from '../../terminal/table.ts';
import { ASCII_GLYPHS, type Glyphs, UNICODE_GLYPHS } from './glyphs.ts';
import {
  drawPanel,
  MAX_SLOT,
  MIN_SLOT,
  type Panel,
  type PlottedPolicy,
  panelWidth,
} from './panel.ts';
import type { Scale } from './scale.ts';

const HEIGHT = 10;
/** Between panels. */
const GAP = 3;
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
  const lines = rowsOfPanels(drawn, room).flatMap((row) => [
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
  const margin = ' '.repeat(axisWidth);
  const { line, tick, corner, floor } = glyphs.axis;
  const width = row.reduce((sum, { panel }) => sum + panel.width + GAP, -GAP);
  return [
    margin + across(({ panel, colour }) => screen.paint(colour, panel.titles[0] ?? '')),
    margin + across(({ panel }) => screen.paint('dim', panel.titles[1] ?? '')),
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
    margin + across(({ panel }) => panel.labels[0] ?? ''),
    margin + across(({ panel }) => screen.paint('dim', panel.labels[1] ?? '')),
  ].filter((text) => text.trim() !== '');
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

/** The widest slot with which all policies stand in one row; the narrowest one where none is narrow enough. */
function slotFor(policies: readonly PlottedPolicy[], room: number): number {
  for (let slot = MAX_SLOT; slot > 1; slot--) {
    const width = policies.reduce((sum, policy) => sum + panelWidth(policy, slot) + GAP, -GAP);
    if (width <= room) return slot;
  }
  const longest = Math.max(...policies.map(({ waits }) => waits.length));
  // Alone in a row each: as wide as the longest allows.
  return Math.max(1, Math.min(MIN_SLOT, Math.floor(room / longest)));
}

function rowsOfPanels(drawn: readonly Drawn[], room: number): Drawn[][] {
  const rows: Drawn[][] = [];
  let left = 0;
  for (const each of drawn) {
    const row = rows.at(-1);
    if (row !== undefined && left >= each.panel.width + GAP) {
      row.push(each);
      left -= each.panel.width + GAP;
    } else {
      rows.push([each]);
      left = room - each.panel.width;
    }
  }
  return rows;
}

function cutTo(policy: PlottedPolicy, room: number): PlottedPolicy {
  return policy.waits.length <= room ? policy : { ...policy, waits: policy.waits.slice(0, room) };
}

/** What the marks mean that were used. */
function legend({ kind }: Scale, glyphs: Glyphs, lines: readonly string[]): string[] {
  const drawing = lines.join('');
  const marks = [
    [glyphs.solid.at(-1) ?? '', 'waited in any case'],
    [glyphs.band, 'where jitter may end it'],
    [glyphs.nominal, 'nominal'],
  ] as const;
  const used = marks.filter(
    ([mark]) => drawing.includes(mark.repeat(2)) || drawing.includes(` ${mark} `),
  );
  return [...used.map((mark) => mark.join(' ')), ...(kind === 'log' ? ['log scale'] : [])];
}

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
