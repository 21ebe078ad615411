import { splitSql } from '../apply/array-literal.ts';

/** One value per job: as an array of this type, or as joined texts. */
export type ColumnType = 'text' | 'joined' | 'integer' | 'bigint' | 'boolean' | 'bytea' | 'tid';

/**
 * Columns with one value per job. `alike`: never null, and sent once where it is the same for all. That is most columns
 * most of the time, and each array costs as much as a lookup.
 */
export type Columns = readonly (readonly [name: string, type: ColumnType, alike?: 'alike'])[];

/** Columns of many jobs as parameters of a function, each named after its column. */
export interface ColumnParameters {
  /** With types, as a function declares them. */
  readonly parameters: string;
  /** The type of each parameter. */
  readonly types: readonly string[];
  /** As another function is called with them. */
  readonly passedOn: string;
  /** A `from` item with one row per job, and its number from 1 as `ord`. `more` are arrays beside the parameters. */
  readonly rows: (more?: Readonly<Record<string, string>>) => string;
}

export function columnParameters(
  columns: Columns,
  prefix: string,
  alias: string,
): ColumnParameters {
  const all = columns.map(([name, type, alike]) => {
    const parameter = `${prefix}${name}`;
    const joined = type === 'joined';
    const only = joined ? parameter : `${parameter}[1]`;
    const declaredType = joined ? 'text' : `${type}[]`;
    return {
      name,
      parameter,
      parameterType: declaredType,
      declared: `${parameter} ${declaredType}`,
      array: joined ? splitSql(parameter) : parameter,
      value: alike ? `coalesce(r.${name}, ${only}) as ${name}` : `r.${name}`,
    };
  });
  const list = (of: (column: (typeof all)[number]) => string): string[] => all.map(of);
  return {
    parameters: listed(list(({ declared }) => declared)),
    types: list(({ parameterType }) => parameterType),
    passedOn: listed(list(({ parameter }) => parameter)),
    rows(more = {}) {
      const arrays = listed([...list(({ array }) => array), ...Object.values(more)]);
      const names = listed([...list(({ name }) => name), ...Object.keys(more), 'ord']);
      const values = listed([...list(({ value }) => value), ...Object.keys(more), 'ord']);
      return `(
          select ${values}
          from unnest(${arrays})
            with ordinality as r(${names})) ${alias}`;
    },
  };
}

/** A list, in lines of bearable length. */
export function listed(items: readonly string[]): string {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last === undefined || last.length + item.length > 100) lines.push(item);
    else lines[lines.length - 1] = `${last}, ${item}`;
  }
  return lines.join(',\n            ');
}
