import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAST_PATHS } from '../fast-paths.ts';
import { joinRecords } from './audit-sql.ts';
import { CLAIMED_COLUMNS, claimedSql } from './claimed-columns.ts';
import { listed } from './columns.ts';
import { FUNCTIONS } from './migrations.ts';
import { numbersOf } from './sql-file.ts';
import { SQL_TEXTS } from './sql-texts.ts';
import { setSql, type TransitionSql, transitionGroupsSql } from './transition-sql.ts';

const directory = join(import.meta.dirname, '../../sql');

const HEADER = '-- Made by src/schema, where the comments are; a test compares it.';

/** As a person reads it: in the schema `redrive`, from the first column on. */
function readable(sql: string): string {
  const lines = sql.split('\n').map((line) => line.replace(/^ {4}/u, '').trimEnd());
  return `${HEADER}\n${lines.join('\n').trim()}\n`;
}

const isWritten = (name: string): name is keyof typeof SQL_TEXTS => Object.hasOwn(SQL_TEXTS, name);

it.each(Object.entries(FUNCTIONS).filter(([name]) => !isWritten(name)))(
  'sql/%s.sql has the statements that the store runs',
  async (name, sql) => {
    await expect(readable(sql('redrive', FAST_PATHS))).toMatchFileSnapshot(
      join(directory, `${name}.sql`),
    );
  },
);

describe('a file that is written by hand', () => {
  const CLAIM: TransitionSql = {
    of: 'j',
    given: {
      worker: 'c_worker',
      leaseMs: 'c_lease',
      policy_hash: 'l_policy_hash[a.lane]',
      alone: 'c_alone',
    },
  };

  /** Parts that follow from the transition table and from the columns of an answer. */
  const MADE: Readonly<Record<string, string>> = {
    'claim records': `v_records := ${joinRecords(
      'v_records',
      transitionGroupsSql('redrive', 'claim', CLAIM, {
        detail: 'l_detail[a.lane]',
        rows: 'unnest(v_tids[1:v_taken], v_lane_of[1:v_taken]) as a(tid, lane) join redrive.jobs j on j.ctid = a.tid',
      }),
    )};`,
    'claim set': setSql('claim', CLAIM),
    'claimed columns': listed([
      'null',
      'null',
      ...CLAIMED_COLUMNS.map((column) => claimedSql(column, 'redrive')),
    ]),
  };

  /** The file with these parts made anew. */
  function remade(name: string): string {
    const text = readFileSync(join(directory, `${name}.sql`), 'utf8');
    return text.replace(
      /^( *)-- made: (.+)\n[\s\S]*?\n *-- end$/gmu,
      (_, indent: string, part: string) => {
        const lines = (MADE[part] ?? expect.fail(part)).split('\n');
        const own = lines.map((line, at) => `${indent}${at === 0 ? '' : '  '}${line.trim()}`);
        return [`${indent}-- made: ${part}`, ...own, `${indent}-- end`].join('\n');
      },
    );
  }

  it.each(Object.keys(SQL_TEXTS))(
    'sql/%s.sql follows the transition table and the numbers of the code',
    async (name) => {
      const text = remade(name);
      await expect(text).toMatchFileSnapshot(join(directory, `${name}.sql`));
      const numbers = numbersOf(FAST_PATHS);
      for (const [, value, of = ''] of text.matchAll(/(\d+) \/\* (\w+) \*\//gu)) {
        expect([of, Number(value)]).toEqual([of, numbers[of]]);
      }
    },
  );

  it('is in the package as a module', async () => {
    const texts = Object.keys(SQL_TEXTS).map((name) => {
      const text = remade(name).replace(/[\\`]|\$(?=\{)/gu, '\\$&');
      const key = /^\w+$/u.test(name) ? name : `'${name}'`;
      return `  ${key}: \`${text}\`,\n`;
    });
    const what =
      '/** Files of `sql/`, by their names. Made from them by `sql-files.test.ts`, with `-u`. */';
    await expect(
      `${what}\nexport const SQL_TEXTS = {\n${texts.join('')}} as const;\n`,
    ).toMatchFileSnapshot(join(import.meta.dirname, 'sql-texts.ts'));
  });

  it('is used in the schema of the store', () => {
    const sql = FUNCTIONS.claim?.('"a b"', { ...FAST_PATHS, cursorPages: 1 }) ?? '';
    expect(sql).toContain('create or replace function "a b".claim(');
    expect(sql).toContain('v_pages >= 1 then');
    expect(sql).not.toContain('redrive.');
    const first = FUNCTIONS['claim-first']?.('"a b"', FAST_PATHS);
    expect(first).toContain("current_setting('redrive.cursor_a b', true)");
    expect(sql).toContain("hashtextextended('a b kill', 13)");
  });
});

it('sql/ has no other files', () => {
  const names = Object.keys(FUNCTIONS).map((name) => `${name}.sql`);
  expect(readdirSync(directory).sort()).toEqual(names.sort());
});
