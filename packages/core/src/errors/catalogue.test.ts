import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

// The pages list every code; the unions in the sources are what a program can meet. Both must say the same.
const root = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** The words of a union type, from its source. */
function wordsOf(type: string, path: string): string[] {
  const [, union = ''] = new RegExp(`export type ${type} =([^;]*);`).exec(read(path)) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(([, word = '']) => word);
}

/** The words that a page explains: the first column of its tables. */
function rowsOf(path: string): string[][] {
  return [...read(path).matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, word = '', rest = '']) => [
    word,
    ...rest.split(' | ').map((cell) => cell.trim()),
  ]);
}

describe.each([
  {
    type: 'ErrorCode',
    source: 'packages/core/src/errors/redrive-error.ts',
    page: 'docs/reference/errors.md',
    columns: 3,
  },
  {
    type: 'ReasonCode',
    source: 'packages/core/src/decide/decision.ts',
    page: 'docs/reference/reason-codes.md',
    columns: 4,
  },
])('$page', ({ type, source, page, columns }) => {
  const words = wordsOf(type, source);
  const rows = rowsOf(page);

  it('explains every code there is, once, and no other', () => {
    expect(words.length).toBeGreaterThan(10);
    expect(rows.map(([word]) => word).sort()).toEqual(words.sort());
  });

  it.each(rows)('says all there is to say of %s', (...cells) => {
    expect(cells).toHaveLength(columns);
    for (const cell of cells) expect(cell).not.toBe('');
  });
});

describe('every error code', () => {
  const sources = globSync('packages/*/src/**/*.ts', {
    cwd: root,
    exclude: (path) => path.endsWith('.test.ts') || path.endsWith('redrive-error.ts'),
  }).map(read);

  it.each(wordsOf('ErrorCode', 'packages/core/src/errors/redrive-error.ts'))(
    '%s is used',
    (code) => {
      expect(sources.some((source) => source.includes(`'${code}'`))).toBe(true);
    },
  );
});
