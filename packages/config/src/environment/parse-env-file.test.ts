import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEnvFile } from './parse-env-file.ts';

const valuesOf = (text: string) => {
  const { entries, faults } = parseEnvFile(text);
  expect(faults).toEqual([]);
  return entries.map(({ name, value }) => [name, value]);
};

describe('an environment file', () => {
  it.each([
    ['plain', 'A=1', '1'],
    ['spaces around', '  A = 1  ', '1'],
    ['export', 'export A=1', '1'],
    ['a tab after export', 'export\tA=1', '1'],
    ['nothing', 'A=', ''],
    ['a comment behind', 'A=1 # one', '1'],
    ['a comment instead of a value', 'A=# none', ''],
    ['a hash in the value', 'A=a#b', 'a#b'],
    ['an equals sign in the value', 'A=b=c', 'b=c'],
    ['a quote in the value', `A=it's`, "it's"],
    ['single quotes', `A='1 # $HOME \\n'`, '1 # $HOME \\n'],
    ['double quotes', 'A="1 # 2"', '1 # 2'],
    ['escapes', 'A="a\\tb\\nc\\"d\\\\n\\q"', 'a\tb\nc"d\\n\\q'],
    ['a comment behind quotes', `A="1" # one`, '1'],
    ['a value on two lines', 'A="1\n2"', '1\n2'],
    ['Windows line ends', 'A=1\r\nB=2\r\n', '1'],
    ['a byte order mark', '\uFEFFA=1', '1'],
    ['no expansion', 'A=$HOME', '$HOME'],
  ])('has %s', (_, text, value) => {
    expect(valuesOf(text)[0]).toEqual(['A', value]);
  });

  it('keeps order, lines and repetitions, and passes over comments and blank lines', () => {
    expect(parseEnvFile('# first\n\nA=1\n  # second\nB="x\ny"\nA=2\n').entries).toEqual([
      { name: 'A', value: '1', line: 3 },
      { name: 'B', value: 'x\ny', line: 5 },
      { name: 'A', value: '2', line: 7 },
    ]);
  });

  it.each([
    ['A', 1, 1, 'this line is not an assignment'],
    ['\n  retry: 3', 2, 3, 'this line is not an assignment'],
    ['1A=2', 1, 1, 'this line is not an assignment'],
    ['A="1', 1, 3, 'A: the quote is never closed'],
    [`A='1\nB=2`, 1, 3, 'A: the quote is never closed'],
    ['A="1"2', 1, 3, 'A: text follows the closing quote'],
  ])('finds fault with %j', (text, line, column, message) => {
    expect(parseEnvFile(text).faults[0]).toMatchObject({ line, column, message });
  });

  it('goes on behind a fault', () => {
    const { entries, faults } = parseEnvFile('oops\nA="open\nB=2\n');
    expect(faults.map(({ line }) => line)).toEqual([1, 2]);
    expect(entries).toEqual([{ name: 'B', value: '2', line: 3 }]);
  });

  it('does not answer a file of another kind with a report as long as itself', () => {
    expect(parseEnvFile('oops\n'.repeat(5_000)).faults).toHaveLength(20);
  });

  it('reads back whatever is written in quotes', () => {
    const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,20}$/);
    const written = (value: string) =>
      `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`;
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string({ unit: 'binary' }))), (pairs) => {
        const text = pairs.map(([key, value]) => `${key}=${written(value)}\n`).join('');
        expect(valuesOf(text)).toEqual(pairs);
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        parseEnvFile(text);
      }),
    );
  });
});
