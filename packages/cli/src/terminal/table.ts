import { printable } from './printable.ts';
import type { Colour, Screen } from './screen.ts';

export interface Column {
  readonly title: string;
  /** Numbers stand under each other by their last digit. Default `left`. */
  readonly align?: 'left' | 'right';
  readonly colour?: Colour;
  /** This column gives way, with an ellipsis, where the screen is too narrow for all. */
  readonly shrinks?: true;
}

const GAP = '  ';
const MIN_SHRUNK = 8;

/** Rows under their titles, each as wide as it must be and the whole no wider than the screen where that is possible. */
export function tableLines(
  screen: Screen,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string[] {
  const cells = rows.map((row) => row.map(printable));
  const widths = columns.map(({ title }, index) =>
    Math.max(lengthOf(title), ...cells.map((row) => lengthOf(row[index] ?? ''))),
  );
  shrink(widths, columns, screen.columns);
  const line = (row: readonly string[], colourOf: (column: Column) => Colour | undefined) =>
    columns
      .map((column, index) => {
        const text = fit(row[index] ?? '', widths[index] ?? 0, column.align, screen.unicode);
        const colour = colourOf(column);
        return colour === undefined ? text : screen.paint(colour, text);
      })
      .join(GAP)
      .trimEnd();
  return [
    line(
      columns.map(({ title }) => title),
      () => 'dim',
    ),
    ...cells.map((row) => line(row, ({ colour }) => colour)),
  ];
}

/** Takes from the widest of the columns that may shrink until all fit, or none has anything left to give. */
function shrink(widths: number[], columns: readonly Column[], room: number): void {
  const gaps = GAP.length * (columns.length - 1);
  let excess = widths.reduce((sum, width) => sum + width, gaps - room);
  while (excess > 0) {
    const candidates = widths.map((width, index) => (columns[index]?.shrinks ? width : 0));
    const widest = Math.max(...candidates);
    if (widest <= MIN_SHRUNK) return;
    widths[candidates.indexOf(widest)] = widest - 1;
    excess -= 1;
  }
}

/** Exactly this many characters: filled up with blanks, or cut with an ellipsis. */
export function fit(
  text: string,
  width: number,
  align: 'left' | 'right' = 'left',
  unicode = true,
): string {
  const characters = [...text];
  if (characters.length > width) {
    const ellipsis = unicode ? '…' : '.';
    return characters.slice(0, Math.max(0, width - 1)).join('') + ellipsis.slice(0, width);
  }
  const blanks = ' '.repeat(width - characters.length);
  return align === 'left' ? text + blanks : blanks + text;
}

function lengthOf(text: string): number {
  return [...text].length;
}
