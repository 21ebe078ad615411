import { attemptsProblem, decodeSpec, problemText } from '@redrive/durable/store';
import type { Row } from '../connect/connection.ts';
import { CLAIMED_COLUMNS, type ClaimedColumnName } from '../schema/claimed-columns.ts';
import { numbersIn } from './account-text.ts';
import { headersOf } from './read-job.ts';

/** The columns that hold more than a number, a name or a list, and how each is read. */
const READERS: readonly (readonly [name: ClaimedColumnName, read: (text: string) => unknown])[] = [
  ['account', numbersIn],
  ['headers', headersOf],
  ['spec', decodeSpec],
  [
    'attempts',
    (text) => {
      const problem = attemptsProblem(text);
      if (problem !== undefined) throw new Error(problem);
    },
  ],
];

/** The names of these columns, for queries. */
export const READ_COLUMNS = READERS.map(([name]) => name);

const PLACES = READERS.map(([name]) => CLAIMED_COLUMNS.findIndex((column) => column.name === name));

/**
 * The first column of a row that cannot be read, and its problem. `undefined`: the row can be read.
 *
 * @param from where the columns of a claimed job begin.
 */
export function rowProblem(row: Row, from = 0): string | undefined {
  return firstProblem((index) => row[from + (PLACES[index] ?? 0)]);
}

/** The same for the columns alone, in the order of `READ_COLUMNS`. */
export function textsProblem(texts: Row): string | undefined {
  return firstProblem((index) => texts[index]);
}

function firstProblem(textOf: (index: number) => string | null | undefined): string | undefined {
  for (let index = 0; index < READERS.length; index += 1) {
    const problem = columnProblem(index, textOf(index));
    if (problem !== undefined) return `${READ_COLUMNS[index]}: ${problem}`;
  }
  return undefined;
}

/** The readable part of a row: columns that cannot be read count as empty. */
export function readablePart(row: Row): Row {
  if (rowProblem(row) === undefined) return row;
  const part = [...row];
  for (const [index, place] of PLACES.entries()) {
    if (columnProblem(index, row[place]) !== undefined) part[place] = null;
  }
  return part;
}

function columnProblem(index: number, text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  try {
    READERS[index]?.[1](text);
    return undefined;
  } catch (error) {
    return problemText(error);
  }
}
