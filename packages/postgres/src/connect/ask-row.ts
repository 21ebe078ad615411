import { RedriveError } from '@redrive/core';
import type { TransactionClient } from '../driver-types.ts';

/**
 * Asks for one row of text. Clients return rows as lists or as objects by column (those made of Kysely or Prisma do), so
 * every column has a name.
 *
 * @param columns SQL expressions by name.
 * @throws RedriveError `store_unsupported`: the answer is not such a row; errors of the database as they are.
 */
export async function askRow<C extends string>(
  client: TransactionClient,
  who: string,
  columns: Readonly<Record<C, string>>,
  from: string,
  values: readonly unknown[],
): Promise<Readonly<Record<C, string | null>>> {
  const names = Object.keys(columns) as C[]; // It has no other keys.
  const answer: unknown = await client.query({
    text: `select ${names.map((name) => `(${columns[name]})::text as ${name}`).join(', ')} from ${from}`,
    values: [...values],
    rowMode: 'array',
    types: { getTypeParser: () => (value: string) => value },
  });
  const row = rowOf(answer);
  const isList = Array.isArray(row);
  const read = names.map((name, at) => [name, row[isList ? at : name]] as const);
  const wrong = read.find(([, value]) => value !== null && typeof value !== 'string');
  if (wrong === undefined) {
    // Every column was checked.
    return Object.fromEntries(read) as Readonly<Record<C, string | null>>;
  }
  throw new RedriveError(
    'store_unsupported',
    `${who} cannot read the answer of this client: its query() must resolve to { rows }, and the row must have the column ` +
      `${wrong[0]} as a text. It is not known what the statement did, so roll the transaction back.`,
    { column: wrong[0] },
  );
}

/** A row without columns if there is none. */
function rowOf(answer: unknown): Readonly<Record<string | number, unknown>> {
  const { rows } = Object(answer) as { readonly rows?: unknown }; // Checked next.
  return Array.isArray(rows) ? Object(rows[0]) : {};
}
