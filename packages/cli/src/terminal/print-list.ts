import type { Invocation } from '../command/command-spec.ts';
import { type Io, note, printJson, printJsonLine, printLines, printText } from './io.ts';
import { printable } from './printable.ts';
import { type Cell, type Column, exactText, plainLines, shownText, tableLines } from './table.ts';

/** A list as every `… list` command prints it. */
export interface List<Item> {
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
  /** What people see in place of the table. */
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
