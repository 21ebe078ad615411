import type { DatabaseSync } from 'node:sqlite';

/** The statements that make this database again, as `.dump` of the program `sqlite3` writes them. */
export function dumpSqlite(db: DatabaseSync): string {
  const texts = (sql: string): string[] =>
    db
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(row)[0]));
  const rowsOf = (table: string): string[] => {
    const quoted = texts(`SELECT 'quote("' || name || '")' FROM pragma_table_info('${table}')`);
    return texts(
      `SELECT 'INSERT INTO ${table} VALUES(' || ${quoted.join(" || ',' || ")} || ');' FROM ${table}`,
    );
  };
  // SQLite makes this table, and a row of it with the first row of a table that counts.
  const isMade = "name <> 'sqlite_sequence'";
  const tables = texts(`SELECT name FROM sqlite_schema WHERE type = 'table' AND ${isMade}`);
  const made = (condition: string): string[] =>
    texts(`SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL AND ${condition}`);
  const marks = ['application_id', 'user_version'].flatMap((name) =>
    texts(`SELECT 'PRAGMA ${name} = ' || ${name} || ';' FROM pragma_${name}`),
  );
  const lines = [
    ...marks,
    ...made(`type = 'table' AND ${isMade}`),
    ...tables.flatMap(rowsOf),
    'DELETE FROM sqlite_sequence;',
    ...rowsOf('sqlite_sequence'),
    ...made("type <> 'table'"),
  ];
  return `${lines.join('\n')}\n`;
}
