import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FAST_PATHS } from '../fast-paths.ts';
import { FUNCTIONS } from './migrations.ts';

const directory = join(import.meta.dirname, '../../sql');

const HEADER = '-- Made by src/schema, where the comments are; a test compares it.';

/** As a person reads it: in the schema `redrive`, from the first column on. */
function readable(sql: string): string {
  const lines = sql.split('\n').map((line) => line.replace(/^ {4}/u, '').trimEnd());
  return `${HEADER}\n${lines.join('\n').trim()}\n`;
}

it.each(Object.entries(FUNCTIONS))(
  'sql/%s.sql has the statements that the store runs',
  async (name, sql) => {
    await expect(readable(sql('redrive', FAST_PATHS))).toMatchFileSnapshot(
      join(directory, `${name}.sql`),
    );
  },
);

it('sql/ has no other files', () => {
  const names = Object.keys(FUNCTIONS).map((name) => `${name}.sql`);
  expect(readdirSync(directory).sort()).toEqual(names.sort());
});
