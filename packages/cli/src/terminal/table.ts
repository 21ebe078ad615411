import type { Invocation } from '../command/command-spec.ts';
import { type Io, note, printJson, printJsonLine, printLines, printText } from './io.ts';
import { printable } from './printable.ts';
import type { Colour, Screen } from './screen.ts';
import { formatAge, isoTime } from './times.ts';

export interface Column {
  readonly title: string;
  /** Numbers stand under each other by their last digit. Default `left`. */
  readonly align?: 'left' | 'right';
  /** A function derives it from the cell: a number of dead letters is red unless it is 0. */
  readonly colour?: Colour | ((cell: string) => Colour | undefined);
  /** Free text: a narrow terminal cuts it, with an ellipsis. Never set it for an id or a name: people copy those. */
  readonly shrinks?: true;
  /** The column is left out where no row has anything in it. */
  readonly optional?: true;
}

const COLOURS: readonly string[] = 'bold dim green red yellow cyan magenta blue'.split(' ');

/** Columns in one line, each with its traits: `id:cyan | tries:right | why:shrinks,optional`. */
export function columns(line: string): readonly Column[] {
  return line.split(' | ').map((each) => {
    const [title = '', traits = ''] = each.split(':');
    const column: Record<string, unknown> = {};
    for (const trait of traits.split(',').filter(Boolean)) {
      if (trait === 'right') column.align = trait;
      else if (COLOURS.includes(trait)) column.colour = trait;
      else if (trait === 'shrinks' || trait === 'optional') column[trait] = true;
      else throw new TypeError(`A column has no trait ${trait}`);
    }
    return { title, ...column };
  });
}

/** A column with its place in the rows and the width that it gets. */
interface Placed {
  readonly column: Column;
  readonly index: number;
  readonly natural: number;
  width: number;
}

const GAP = '  ';
/** Before the lines of a row that do not fit into its first. */
const INDENT = '  ';
/** Free text that has less room than this goes to a line of its own. */
const MIN_SHRUNK = 20;

/**
 * Rows under their titles. In a pipe nothing is cut. On a terminal that is too narrow the free text shrinks first; then
 * the last columns go to lines of their own, under their row. A table without titles has no line for them.
 */
export function tableLines(
  screen: Screen,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string[] {
  const cells = rows.map((row) => row.map(printable));
  const titles = columns.map(({ title }) => title);
  const placed = columns.flatMap((column, index): Placed[] => {
    if (column.optional && cells.every((row) => (row[index] ?? '') === '')) return [];
    const natural = Math.max(...[titles, ...cells].map((row) => lengthOf(row[index] ?? '')));
    return [{ column, index, natural, width: natural }];
  });
  const lines = screen.isTerminal ? intoLines(placed, screen.columns) : [placed];
  const draw = (
    row: readonly string[],
    colourOf: (column: Column, cell: string) => Colour | undefined,
  ) =>
    lines
      .map((line, number) => {
        const drawn = line.map(({ column, index, width }) => {
          const text = fit(row[index] ?? '', width, column.align, screen.unicode);
          const colour = colourOf(column, row[index] ?? '');
          // An empty cell has no colour, so that an empty line is recognised.
          return colour === undefined || text.trim() === '' ? text : screen.paint(colour, text);
        });
        return ((number === 0 ? '' : INDENT) + drawn.join(GAP)).trimEnd();
      })
      .filter((line, number) => number === 0 || line !== '');
  return [
    ...(titles.some((title) => title !== '') ? draw(titles, () => 'dim') : []),
    ...cells.flatMap((row) =>
      draw(row, ({ colour }, cell) => (typeof colour === 'function' ? colour(cell) : colour)),
    ),
  ];
}

/** One line per row for other programs: every cell in full, tabs between them, no titles. */
export function plainLines(rows: readonly (readonly string[])[]): string[] {
  return rows.map((row) => row.map(printable).join('\t'));
}

/** The columns in as few lines as the room allows, in their order; the free text of each line takes what is left. */
function intoLines(placed: readonly Placed[], room: number): Placed[][] {
  const lines: Placed[][] = [];
  let left = 0;
  for (const each of placed) {
    each.width = each.column.shrinks ? Math.min(each.natural, MIN_SHRUNK) : each.natural;
    const needed = GAP.length + each.width;
    const line = lines.at(-1);
    if (line !== undefined && left >= needed) {
      line.push(each);
      left -= needed;
    } else {
      lines.push([each]);
      left = room - each.width - (line === undefined ? 0 : INDENT.length);
    }
  }
  for (const [number, line] of lines.entries())
    widen(line, number === 0 ? room : room - INDENT.length);
  return lines;
}

/** Gives the room that a line has left to its narrowest free text, until none wants more. */
function widen(line: readonly Placed[], room: number): void {
  const used = line.reduce((sum, { width }) => sum + width, GAP.length * (line.length - 1));
  for (let left = room - used; left > 0; left--) {
    const wanting = line.filter(({ width, natural }) => width < natural);
    const narrowest = wanting.sort((a, b) => a.width - b.width)[0];
    if (narrowest === undefined) return;
    narrowest.width += 1;
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

/** A cell of a list. `--plain` prints the exact value where a table is rounded, relative or in words. */
export type Cell = string | { readonly shown: string; readonly exact: string };

/** `3 min ago` in a table, an ISO time in `--plain`. A text is an ISO time. */
export function ageCell(at: number | string | null | undefined, nowMs: number): Cell {
  if (at === null || at === undefined) return '';
  const atMs = typeof at === 'string' ? Date.parse(at) : at;
  return timeCell(formatAge(atMs, nowMs), atMs);
}

/** A time in other words than `formatAge` has. */
export function timeCell(shown: string, atMs: number): Cell {
  return { shown, exact: isoTime(atMs) ?? shown };
}

/** `1,204+` in a table, `1204` in `--plain`. `bounded`: there are more. */
export function countCell(count: number, bounded = false): Cell {
  const more = bounded && count > 0 ? '+' : '';
  return { shown: `${count.toLocaleString('en')}${more}`, exact: String(count) };
}

export function shownText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.shown;
}

function exactText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.exact;
}

/** A list as every `… list` command prints it. */
interface List<Item> {
  /** The field of the JSON document that holds the items: `jobs`. */
  readonly name: string;
  readonly items: readonly Item[];
  /** An item as JSON prints it. */
  readonly document: (item: Item) => object;
  readonly columns: readonly Column[];
  readonly row: (item: Item) => readonly Cell[];
  /** A sentence for an empty list: what it means, or how to get one. */
  readonly none: string;
  /** Where the next page begins. Absent: this is the last page, or the list has no pages. */
  readonly next?: string | undefined;
  /** Items that the page has looked at, where it ended for that and not because it was full. */
  readonly looked?: number | undefined;
  /** Other fields of the JSON document. */
  readonly beside?: object;
  /** Lines for people under the table. */
  readonly below?: readonly string[];
  /** The text for people, in place of the table. */
  readonly lines?: (io: Io) => readonly string[];
}

/**
 * Prints a list: one JSON document with `--json`, one object per line with `--jsonl`, tab-separated rows with
 * `--plain`, otherwise a table.
 */
export function printList<Item>(
  invocation: Pick<Invocation, 'io' | 'options'>,
  list: List<Item>,
): void {
  const { io, options } = invocation;
  const { name, items, document, next } = list;
  if (options.json) {
    printJson(io, { [name]: items.map(document), ...list.beside, next: next ?? null });
    return;
  }
  if (options.jsonl) for (const item of items) printJsonLine(io, document(item));
  // Not by printLines: it drops the tabs of empty cells at the end.
  else if (options.plain)
    for (const line of plainLines(items.map((item) => list.row(item).map(exactText))))
      io.stdout(`${line}\n`);
  else printForPeople(io, list);
  if (next !== undefined) note(io, `${moreText(list)}: --after ${printable(next)}`);
}

function moreText<Item>({ name, items, looked }: List<Item>): string {
  if (looked === undefined) return 'There may be more';
  const found = items.length.toLocaleString('en');
  return `Looked at ${looked.toLocaleString('en')} ${name} and found ${found}. To look further`;
}

function printForPeople<Item>(io: Io, list: List<Item>): void {
  const { items, columns, row, none, below = [], lines } = list;
  if (items.length === 0) printText(io, none);
  else {
    const rows = () => items.map((item) => row(item).map(shownText));
    printLines(io, lines?.(io) ?? tableLines(io.screen, columns, rows()));
  }
  printLines(io, below);
}
