import { splitSql } from '../apply/array-literal.ts';

/** One value per job: as an array of this type, or as joined texts. */
export type ColumnType = 'text' | 'joined' | 'integer' | 'bigint' | 'boolean' | 'bytea';

export type Columns = readonly (readonly [name: string, type: ColumnType])[];

/** Columns of many jobs as parameters of a function, each named after its column. */
export interface ColumnParameters {
  /** With types, as a function declares them. */
  readonly parameters: string;
  /** As another function is called with them. */
  readonly passedOn: string;
  /** A `from` item with one row per job, and its number from 1 as `ord`. */
  readonly rows: string;
}

export function columnParameters(
  columns: Columns,
  prefix: string,
  alias: string,
): ColumnParameters {
  const names = columns.map(([name]) => name);
  const declared = columns.map(([name, type]) =>
    type === 'joined' ? `${prefix}${name} text` : `${prefix}${name} ${type}[]`,
  );
  const arrays = columns.map(([name, type]) =>
    type === 'joined' ? splitSql(`${prefix}${name}`) : `${prefix}${name}`,
  );
  return {
    parameters: declared.join(', '),
    passedOn: names.map((name) => `${prefix}${name}`).join(', '),
    rows: `unnest(${arrays.join(', ')}) with ordinality as ${alias}(${names.join(', ')}, ord)`,
  };
}
