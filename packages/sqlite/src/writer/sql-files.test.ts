import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { MIGRATIONS } from '../database/schema.ts';
import { FAST_PATHS } from '../fast-paths.ts';
import { Writer } from './writer.ts';

/** Statements for many rows, with one row. */
const ONE_ROW = { ...FAST_PATHS, newRows: [1], settledRows: [1], claimedRows: [1] };

/** The file of this package that asked for a statement. */
function askedFor(stack = ''): string {
  const files = [...stack.matchAll(/\/sqlite\/src\/([\w/-]+\.ts)/gu)].map(([, file]) => file);
  return files.find((file) => !file?.startsWith('database/')) ?? '';
}

/** The lines behind the first one, two columns in at least. */
function readable(sql: string): string {
  const [first = '', ...rest] = sql.trim().split('\n');
  const indent = Math.min(...rest.map((line) => line.search(/\S/u)).filter((at) => at >= 0));
  return `${[first, ...rest.map((line) => `  ${line.slice(indent)}`)].join('\n')};`;
}

it('sql/writer.sql has the statements that the writer runs', async () => {
  const statements = new Map<string, Set<string>>();
  const db = new DatabaseSync(':memory:');
  for (const step of MIGRATIONS) db.exec(step);
  const prepare = db.prepare.bind(db);
  db.prepare = (sql) => {
    const file = askedFor(new Error('asked').stack?.replace(/.*sql-files\.test\.ts.*/gu, ''));
    statements.set(file, (statements.get(file) ?? new Set()).add(readable(sql)));
    return prepare(sql);
  };
  new Writer(db, true, ONE_ROW);
  db.close();
  const text = [...statements]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, texts]) => `-- ${file}\n\n${[...texts].join('\n\n')}\n`)
    .join('\n');
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, '../../sql/writer.sql'));
});
