import { expect, test } from 'vitest';
import { COMMAND_TREE } from '../command-tree.ts';
import type { CommandSpec } from './command-spec.ts';
import { jsonFields, under } from './json-fields.ts';

const SPEC: CommandSpec = {
  name: 'list',
  summary: 'list things',
  load: () => Promise.reject(new Error('it is not run')),
};

test('a line is a field: its path, its type, its meaning', () => {
  const json = `
    things | list | by name
    ${under('things[].', 'name | text | its name')}
  `;
  expect(jsonFields({ ...SPEC, json })).toEqual([
    { path: 'things', type: 'list', meaning: 'by name' },
    { path: 'things[].name', type: 'text', meaning: 'its name' },
  ]);
  expect(jsonFields(SPEC)).toEqual([]);
});

test('a list has one field more: where the next page begins', () => {
  expect(jsonFields({ ...SPEC, rows: 'name' }).map(({ path }) => path)).toEqual(['next']);
});

const commands = COMMAND_TREE.flatMap((each) => ('commands' in each ? each.commands : [each]));

test.each(commands)('$name: every line of its fields has three parts', ({ json = '' }) => {
  for (const line of json.split('\n').filter((each) => each.trim() !== ''))
    expect(line.trim().split(' | ')).toHaveLength(3);
});

test.each(commands)('$name: an option on one line has two parts', ({ options = [] }) => {
  const lines = options.filter((each) => typeof each === 'string');
  for (const line of lines) expect(line).toMatch(/^-[^|]+ \| [^|]+$/);
});
