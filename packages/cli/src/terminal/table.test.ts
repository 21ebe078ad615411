import { expect, test } from 'vitest';
import { screenOf } from './screen.ts';
import { fit, plainLines, tableLines } from './table.ts';

const columns = [
  { title: 'id' },
  { title: 'n', align: 'right' },
  { title: 'text', shrinks: true },
] as const;
const rows = [
  ['a', '5', 'short'],
  ['bcd', '1000', 'a text that is longer than all the others in here'],
];
const pipe = screenOf({}, {});
const terminal = (width: number, env = {}) => screenOf({ isTTY: true, columns: width }, env);

test('columns are as wide as they must be, numbers end under each other', () => {
  expect(tableLines(pipe, columns, rows)).toEqual([
    'id      n  text',
    'a       5  short',
    'bcd  1000  a text that is longer than all the others in here',
  ]);
});

test('in a pipe nothing is cut, however long it is', () => {
  const text = 'word '.repeat(100).trim();
  const narrow = screenOf({}, { COLUMNS: '40' });
  for (const screen of [pipe, narrow]) {
    const [, first, ...rest] = tableLines(screen, columns, [['a', '5', text]]);
    expect(first).toBe(`a   5  ${text}`);
    expect(rest).toEqual([]);
  }
});

test('on a narrow terminal the free text shrinks', () => {
  const lines = tableLines(terminal(40), columns, rows);
  expect(lines[2]).toBe('bcd  1000  a text that is longer than a…');
  expect(lines.every((line) => line.length <= 40)).toBe(true);
  const ascii = tableLines(terminal(40, { LANG: 'C' }), columns, rows);
  expect(ascii[2]).toBe('bcd  1000  a text that is longer than a.');
});

test('where shrinking is not enough the rows wrap, and ids and names are never cut', () => {
  const id = '01980f4e-6f9a-7c3e-9d55-1b0f6f1f2a3b';
  const names = [{ title: 'id' }, { title: 'handler' }, { title: 'why', shrinks: true }] as const;
  const table = [
    [id, 'send-invoice', 'ETIMEDOUT: no answer from the bank for 30 seconds'],
    ['2', 'sync', ''],
  ];
  expect(tableLines(terminal(56), names, table)).toEqual([
    'id                                    handler',
    '  why',
    `${id}  send-invoice`,
    '  ETIMEDOUT: no answer from the bank for 30 seconds',
    '2                                     sync',
  ]);
  expect(tableLines(terminal(40), names, table).slice(2, 4)).toEqual([
    id,
    '  send-invoice  ETIMEDOUT: no answer fr…',
  ]);
});

test('a name that is longer than the terminal stays whole', () => {
  const name = 'n'.repeat(60);
  expect(tableLines(terminal(40), [{ title: 'name' }], [[name]])).toContain(name);
});

test('a column that may be left out is, where no row has anything in it', () => {
  const some = [{ title: 'id' }, { title: 'tenant', optional: true }, { title: 'n' }] as const;
  expect(tableLines(pipe, some, [['a', '', '1']])).toEqual(['id  n', 'a   1']);
  expect(tableLines(pipe, some, [['a', 'b', '1']])).toEqual(['id  tenant  n', 'a   b       1']);
});

test('plain: one line per row, every cell, tabs between them, no titles', () => {
  expect(plainLines(rows)).toEqual([
    'a\t5\tshort',
    'bcd\t1000\ta text that is longer than all the others in here',
  ]);
  expect(plainLines([['a\tb', '', 'c\nd']])).toEqual(['a\\x09b\t\tc\\x0ad']);
});

test('what a cell holds cannot break the table', () => {
  expect(tableLines(pipe, [{ title: 'x' }], [['a\nb']])).toEqual(['x', 'a\\x0ab']);
});

test('fit is exact', () => {
  expect(fit('abc', 5)).toBe('abc  ');
  expect(fit('abc', 5, 'right')).toBe('  abc');
  expect(fit('abcdef', 4)).toBe('abc…');
  expect(fit('abc', 0)).toBe('');
  expect(fit('😀😀😀', 3)).toBe('😀😀😀');
});
