import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../parse-config.ts';
import { MAX_BYTES, MAX_PROBLEMS } from './parse-yaml.ts';

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** Each level is nine times the one before: a billion values from half a kilobyte. */
const laughs = lines(11, (level) => {
  const parts = level === 0 ? 'x' : `*a${level - 1}`;
  return `a${level}: &a${level} [${Array(9).fill(parts).join(', ')}]`;
});

const HOSTILE: readonly (readonly [what: string, text: string | Uint8Array, code: string])[] = [
  ['a billion laughs', laughs, 'too_many_aliases'],
  ['an alias inside itself', 'a: &a [*a]', 'too_many_aliases'],
  ['aliases without end', `x: &a 1\n${lines(101, (n) => `b${n}: *a`)}`, 'too_many_aliases'],
  ['lists in lists', '['.repeat(200_000), 'too_deep'],
  ['maps in maps', '{a: '.repeat(60_000), 'too_deep'],
  ['lists on one line', '- '.repeat(100_000), 'too_deep'],
  ['keys on one line', '? '.repeat(100_000), 'too_deep'],
  ['blocks in blocks', lines(600, (n) => `${' '.repeat(n)}a:`), 'too_deep'],
  ['10 MB', 'a'.repeat(10_000_000), 'too_large'],
  ['10 MB of bytes', new Uint8Array(10_000_000), 'too_large'],
  ['one byte too much', ` ${'#'.repeat(MAX_BYTES)}`, 'too_large'],
  ['few letters, many bytes', 'é'.repeat(MAX_BYTES / 2 + 1), 'too_large'],
  ['nothing but lines', '\n'.repeat(200_000), 'too_large'],
  ['nothing but commas', `[${'1,'.repeat(100_000)}]`, 'too_large'],
  ['nothing but quotes', '"'.repeat(200_000), 'syntax_error'],
  ['ends without beginnings', ']'.repeat(200_000), 'syntax_error'],
  ['one end without a beginning', 'a: ]', 'syntax_error'],
  ['many errors', '"" '.repeat(10_000), 'syntax_error'],
  ['two documents', 'version: "1.1.0"\n---\nversion: "1.1.0"', 'syntax_error'],
  ['YAML 1.1', '%YAML 1.1\n---\nversion: "1.1.0"', 'syntax_error'],
  ['a tag', 'version: !!js/function "() => 1"', 'custom_tag'],
  ['a tag of its own', 'version: !env VERSION', 'custom_tag'],
  ['__proto__', 'version: "1.1.0"\n__proto__: { polluted: true }', 'forbidden_key'],
  ['__proto__ in JSON', '{"version": "1.1.0", "policies": {"__proto__": {}}}', 'forbidden_key'],
  [
    'constructor',
    'version: "1.1.0"\npolicies: { constructor: { prototype: {} } }',
    'forbidden_key',
  ],
  ['a key that is a list', 'version: "1.1.0"\n? [a]\n: b', 'forbidden_key'],
  ['a long key', `version: "1.1.0"\n${'k'.repeat(201)}: 1`, 'forbidden_key'],
  ['a merge key', 'version: "1.1.0"\n<<: { policies: {} }', 'unknown_key'],
  ['a key twice', 'version: "1.1.0"\nversion: "1.0.0"', 'duplicate_key'],
  ['UTF-16', Buffer.from('version: "1.1.0"', 'utf16le'), 'not_utf8'],
  ['UTF-16 with its mark', Buffer.from('\uFEFFversion: "1.1.0"', 'utf16le'), 'not_utf8'],
  ['Latin-1', Buffer.from('version: "é"', 'latin1'), 'not_utf8'],
  ['a lone surrogate', 'version: "\uD800"', 'not_utf8'],
  ['a control character', 'version:\n  "\u0007"', 'not_utf8'],
];

describe('hostile input', () => {
  it.each(HOSTILE)('%s is refused', (_, text, code) => {
    const { valid, problems, config } = parseConfig(text);
    expect({ valid, config }).toEqual({ valid: false, config: undefined });
    expect(problems.map((problem) => problem.code)).toContain(code);
    expect(problems.length).toBeLessThanOrEqual(MAX_PROBLEMS + 1);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it.each(HOSTILE)('%s is refused in less than 100 ms', (_, text) => {
    // The processor's time, and the best of three: other tests run at the same time.
    const timesMs = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      parseConfig(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    });
    expect(Math.min(...timesMs)).toBeLessThan(100);
  });

  it('names the place of a refused character', () => {
    expect(parseConfig('version:\n  "\u0007"').problems).toMatchObject([{ line: 2, column: 4 }]);
  });

  it('takes a file of exactly 256 KiB, and a byte order mark', () => {
    const start = '\uFEFFversion: "1.1.0"\n#';
    const text = start + '-'.repeat(MAX_BYTES - Buffer.byteLength(start));
    expect(parseConfig(text)).toMatchObject({ valid: true, problems: [] });
    expect(parseConfig(Buffer.from(text))).toMatchObject({ valid: true, problems: [] });
    expect(parseConfig(`${text}-`)).toMatchObject({ valid: false });
  });

  it('takes aliases that stay within bounds', () => {
    const text = `version: "1.1.0"
policies:
  a: &a { name: A, max_attempts: 2, backoff_type: fixed, base_delay: 1, max_delay: 1 }
  b: *a
subsystem_mappings: { x: { a: a, b: b } }`;
    const { config, problems } = parseConfig(text);
    expect(problems).toEqual([]);
    expect(config?.policies.get('b')?.policy.maxAttempts).toBe(2);
  });
});

describe('parseConfig', () => {
  it('never throws, whatever the text, and every problem has a place', () => {
    const word = fc.constantFrom(
      ...[
        'version: "1.1.0"\n',
        'policies:\n',
        '  a:\n',
        '    max_attempts: ',
        '3',
        '\n',
        '{',
        '}',
        '[',
        ']',
      ],
      ...[
        '&a ',
        '*a',
        '!t ',
        '"',
        "'",
        '- ',
        '? ',
        ': ',
        '#',
        '|',
        '>',
        '%',
        '\t',
        'extends: a\n',
        '<<',
        '~',
        '...',
      ],
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word).map((words) => words.join('')),
    );
    fc.assert(
      fc.property(text, (any) => {
        const { valid, problems, config } = parseConfig(any);
        expect(valid).toBe(config !== undefined);
        expect(valid).toBe(problems.every(({ severity }) => severity === 'warning'));
        for (const { line, column, message, suggestion } of problems) {
          expect(line).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
          expect(message).not.toBe('');
          expect(suggestion).not.toBe('');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void parseConfig(bytes)));
  });
});
