import { expect, test } from 'vitest';
import { now } from './clock.ts';
import { filterInput, filterText, parseFilter } from './filter.ts';

test('tokens are key:value, a word alone is looked for in the error', () => {
  const { tokens, problem } = parseFilter(
    'handler:import since:24h "no such file" text:"a \\"b\\""',
  );
  expect(problem).toBeUndefined();
  expect(tokens).toEqual([
    { key: 'handler', value: 'import' },
    { key: 'since', value: '24h' },
    { key: 'text', value: 'no such file' },
    { key: 'text', value: 'a "b"' },
  ]);
  expect(parseFilter(filterText(tokens)).tokens).toEqual(tokens);
});

test('an unknown key is refused with a suggestion', () => {
  expect(parseFilter('handlr:import').problem).toBe(
    'handlr: is not a filter. Did you mean handler: ?',
  );
  expect(parseFilter('zzzzzzz:1').problem).toBe('zzzzzzz: is not a filter.');
  expect(parseFilter('since:soon').problem).toContain('since: takes');
});

test('the filter is the input of the API, with times in whole minutes', () => {
  now.value = Date.parse('2026-11-16T20:14:08.000Z');
  expect(filterInput('reason:final_error since:24h queue:mail')).toEqual({
    reason_code: 'final_error',
    since: '2026-11-15T20:14:00.000Z',
    queue: 'mail',
  });
  expect(filterInput('handlr:x')).toEqual({});
});
