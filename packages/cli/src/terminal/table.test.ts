import { expect, test } from 'vitest';
import { screenOf } from './screen.ts';
import { fit, tableLines } from './table.ts';

const columns = [
  { title: 'id' },
  { title: 'n', align: 'right' },
  { title: 'text', shrinks: true },
] as const;
const rows = [
  ['a', '5', 'short'],
  ['bcd', '1000', 'a text that is longer than all the others in here'],
];

test('columns are as wide as they must be, numbers end under each other', () => {
  expect(tableLines(screenOf({}, {}), columns, rows)).toEqual([
    'id      n  text',
    'a       5  short',
    'bcd  1000  a text that is longer than all the others in here',
  ]);
});

test('where the screen is narrow, the column that may shrink does', () => {
  const lines = tableLines(screenOf({}, { COLUMNS: '40' }), columns, rows);
  expect(lines[2]).toBe('bcd  1000  a text that is longer than a…');
  expect(lines.every((line) => line.length <= 40)).toBe(true);
  const ascii = tableLines(screenOf({}, { COLUMNS: '40', LANG: 'C' }), columns, rows);
  expect(ascii[2]).toBe('bcd  1000  a text that is longer than a.');
});

test('what a cell holds cannot break the table', () => {
  expect(tableLines(screenOf({}, {}), [{ title: 'x' }], [['a\nb']])).toEqual(['x', 'a\\x0ab']);
});

test('fit is exact', () => {
  expect(fit('abc', 5)).toBe('abc  ');
  expect(fit('abc', 5, 'right')).toBe('  abc');
  expect(fit('abcdef', 4)).toBe('abc…');
  expect(fit('abc', 0)).toBe('');
  expect(fit('😀😀😀', 3)).toBe('😀😀😀');
});
