import { expect, test } from 'vitest';
import { parseConfig } from '../parse-config.ts';
import { diffConfig, renderDiff } from '../reload/diff-config.ts';
import { causesSettings } from '../settings/causes-settings.ts';

const file = (causes: string) => parseConfig(`version: "1.1.0"\ncauses:\n${causes}`);

test('rules of causes keep the order of the file and have the names of code', () => {
  const { config, problems } = file(
    [
      '  zulu: { messages: ["*declined*"], title: Card refused }',
      '  alpha: { fingerprints: ["fp1:0123456789abcdef"], split_by: code }',
      '  mike: { handlers: [pay], split_pattern: "*bank 7*", into: "fp1:0123456789abcdef" }\n',
    ].join('\n'),
  );
  expect(problems).toEqual([]);
  expect(config && causesSettings(config)).toEqual([
    { name: 'zulu', messages: ['*declined*'], title: 'Card refused' },
    { name: 'alpha', fingerprints: ['fp1:0123456789abcdef'], splitBy: 'code' },
    {
      ...{ name: 'mike', handlers: ['pay'], splitPattern: '*bank 7*' },
      into: 'fp1:0123456789abcdef',
    },
  ]);
});

test('a file without rules of causes has none', () => {
  const { config } = parseConfig('version: "1.1.0"');
  expect(config && causesSettings(config)).toEqual([]);
});

test.each([
  ['  cards: { messages: [""] }', 3, 'cards: a pattern of messages is empty'],
  ['  cards:\n    title: "a\\tb"\n    types: [E*]', 4, 'cards: title must have 1 to 200'],
  ['  cards:\n    types: [E*]\n    split_by: color', 5, 'color'],
  [
    '  cards:\n    types: [E*]\n    split_pattern: "*a*"\n    split_by: code',
    5,
    'cards: it splits either by a value or by a pattern',
  ],
  ['  "a b":\n    types: [E*]', 4, 'a b: its name must be'],
  ['  "404":\n    codes: ["404"]', 4, '404: its name must have a letter'],
  ['  cards:\n    title: Cards', 4, 'cards: it matches nothing'],
  ['  cards:\n    fingerprint: [fp1:0123456789abcdef]', 4, 'fingerprint'],
])('a rule that cannot be is a problem of its line: %s', (causes, line, message) => {
  const { valid, problems } = file(causes);
  expect(valid).toBe(false);
  expect(problems).toContainEqual(
    expect.objectContaining({ line, message: expect.stringContaining(message) }),
  );
});

test('another order of the same rules is another configuration', () => {
  const one = file('  a: { types: [A] }\n  b: { types: [B] }').config;
  const other = file('  b: { types: [B] }\n  a: { types: [A] }').config;
  expect(one?.hash).not.toBe(other?.hash);
  expect(one && other && renderDiff(diffConfig(one, other))).toEqual([
    '~ causes (order): a, b → b, a',
  ]);
});

test('more than 500 rules are refused', () => {
  const many = Array.from({ length: 501 }, (_, at) => `  r${at}: { types: [E${at}] }`);
  expect(file(many.join('\n')).problems).toMatchObject([
    { code: 'invalid_cause', message: expect.stringContaining('501 rules') },
  ]);
});
