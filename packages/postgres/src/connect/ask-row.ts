import { RedriveError } from '@redrive/core';
import type { TransactionClient } from '../driver-types.ts';

/**
 * Calls a function in the caller's transaction, and returns one row of texts.
 *
 * Drivers and ORMs disagree about the types of parameters and columns: one reads a bigint as a number, another encodes an
 * array once more. So all parameters are texts, and the answer is one text in a column with a name.
 *
 * @param columns SQL expressions by name.
 * @param call the function with its parameters' types: `['begin', 'bigint', 'text']`.
 * @throws RedriveError `store_unsupported`: the answer cannot be read; errors of the database as they are.
 */
export async function askRow<C extends string>(
  client: TransactionClient,
  who: string,
  columns: Readonly<Record<C, string>>,
  [name, ...types]: readonly [name: string, ...types: string[]],
  values: readonly (string | null)[],
): Promise<Readonly<Record<C, string | null>>> {
  const parameters = types.map((type, at) => `$${at + 1}::text::${type}`);
  const pairs = Object.entries(columns).map(([key, sql]) => `'${key}', (${sql})::text`);
  const answer: unknown = await client.query({
    text: `select json_build_object(${pairs.join(', ')})::text as answer from ${name}(${parameters.join(', ')})`,
    values: [...values],
    types: { getTypeParser: () => (value: string) => value },
  });
  try {
    // Made by the statement above.
    return JSON.parse(answerOf(answer)) as Readonly<Record<C, string | null>>;
  } catch (cause) {
    throw new RedriveError(
      'store_unsupported',
      `${who} cannot read the answer of this client: a statement must resolve to rows, and the row must have the column ` +
        'answer as a text. It is not known what the statement did, so roll the transaction back.',
      { column: 'answer' },
      { cause },
    );
  }
}

/** The only column of the only row. A row is an object or a list. */
function answerOf(result: unknown): string {
  const { rows } = Object(result) as { readonly rows?: unknown }; // Checked next.
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  const text: unknown = Array.isArray(row) ? row[0] : Object(row).answer;
  if (typeof text !== 'string') throw new TypeError(`answer is ${typeof text}`);
  return text;
}

export function numberText(value: number | undefined): string | null {
  return value === undefined ? null : String(value);
}
