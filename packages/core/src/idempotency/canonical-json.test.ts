import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRedriveError } from '../errors/redrive-error.ts';
import { canonicalJson } from './canonical-json.ts';

function refusal(value: unknown): string {
  try {
    return `accepted: ${canonicalJson(value)}`;
  } catch (error) {
    if (!isRedriveError(error, 'not_canonical')) throw error;
    expect(error.message).toContain(` at "${error.details.path}"`);
    return error.message.replace('No canonical JSON for ', '');
  }
}

/** The double with these 64 bits. */
function double(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}

/** The same value with the members of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

describe('canonicalJson', () => {
  it('writes the number samples of RFC 8785, appendix B, that are no large integers', () => {
    const samples: Record<string, string> = {
      '0000000000000000': '0',
      '8000000000000000': '0',
      '0000000000000001': '5e-324',
      '8000000000000001': '-5e-324',
      '3eb0c6f7a0b5ed8c': '9.999999999999997e-7',
      '3eb0c6f7a0b5ed8d': '0.000001',
      '41b3de4355555553': '333333333.3333332',
      '41b3de4355555554': '333333333.33333325',
      '41b3de4355555555': '333333333.3333333',
      '41b3de4355555556': '333333333.3333334',
      '41b3de4355555557': '333333333.33333343',
      becbf647612f3696: '-0.0000033333333333333333',
      '43143ff3c1cb0959': '1424953923781206.2',
    };
    for (const [bits, text] of Object.entries(samples)) {
      expect(canonicalJson(double(bits)), bits).toBe(text);
    }
  });

  it('sorts members as the sample of RFC 8785, section 3.2.3', () => {
    const sample = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(canonicalJson(sample)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control",' +
        '"\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign",' +
        '"\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  it.each([
    [null, 'null'],
    [true, 'true'],
    [false, 'false'],
    ['', '""'],
    [-0, '0'],
    [[], '[]'],
    [{}, '{}'],
    [Object.create(null), '{}'],
    [[1, [2, {}], 'x'], '[1,[2,{}],"x"]'],
    [{ b: [], a: { d: 1, c: 2 } }, '{"a":{"c":2,"d":1},"b":[]}'],
    [{ toJSON: 'data' }, '{"toJSON":"data"}'],
    [JSON.parse('{"__proto__":1,"a":2}'), '{"__proto__":1,"a":2}'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [Number.MIN_SAFE_INTEGER, '-9007199254740991'],
  ])('writes %j', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('leaves out members that are undefined, as JSON does', () => {
    const gone = { toJSON: () => undefined };
    expect(canonicalJson({ a: undefined, b: 1, c: gone, d: undefined, e: 2 })).toBe(
      '{"b":1,"e":2}',
    );
    expect(canonicalJson({ a: undefined })).toBe('{}');
  });

  it('uses toJSON once, with the name of the member', () => {
    const named = { toJSON: (name: string) => ({ name, toJSON: 'data' }) };
    expect(canonicalJson(named)).toBe('{"name":"","toJSON":"data"}');
    expect(canonicalJson({ x: [named] })).toBe('{"x":[{"name":"0","toJSON":"data"}]}');
    expect(canonicalJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
  });

  it('writes the fields of a class instance', () => {
    class Money {
      readonly currency = 'EUR';
      readonly cents = 5;
    }
    expect(canonicalJson(new Money())).toBe('{"cents":5,"currency":"EUR"}');
  });

  it('writes the same object twice when it is no cycle', () => {
    const twice = { a: 1 };
    expect(canonicalJson([twice, twice, { twice }])).toBe('[{"a":1},{"a":1},{"twice":{"a":1}}]');
  });

  const cycle: Record<string, unknown> = {};
  cycle.self = [cycle];

  it.each([
    [Number.NaN, 'the number NaN; pass large integers as strings at ""'],
    [{ a: [0, Number.NaN] }, 'the number NaN; pass large integers as strings at "/a/1"'],
    [[Number.POSITIVE_INFINITY], 'the number Infinity; pass large integers as strings at "/0"'],
    [[Number.NEGATIVE_INFINITY], 'the number -Infinity; pass large integers as strings at "/0"'],
    [2 ** 53, 'the number 9007199254740992; pass large integers as strings at ""'],
    [-(2 ** 53), 'the number -9007199254740992; pass large integers as strings at ""'],
    [1e23, 'the number 1e+23; pass large integers as strings at ""'],
    [Number.MAX_VALUE, `the number ${Number.MAX_VALUE}; pass large integers as strings at ""`],
    [{ a: '\ud800' }, 'a lone surrogate at "/a"'],
    [['\udc00\ud800'], 'a lone surrogate at "/0"'],
    [{ ok: { 'x\udfff': 1 } }, 'a lone surrogate at "/ok/x\udfff"'],
    [undefined, 'undefined at ""'],
    [{ list: [1, undefined] }, 'undefined at "/list/1"'],
    [new Array(1), 'undefined at "/0"'],
    [{ big: 1n }, 'a bigint at "/big"'],
    [{ f: () => 1 }, 'a function at "/f"'],
    [{ s: Symbol('s') }, 'a symbol at "/s"'],
    [cycle, 'a cycle at "/self/0"'],
    [{ when: new Date(Number.NaN) }, 'an invalid date at "/when"'],
    [{ m: new Map([['a', 1]]) }, 'a Map; pass Object.fromEntries(map) at "/m"'],
    [[new Set([1])], 'a Set; pass a sorted array at "/0"'],
    [/x/, 'a RegExp at ""'],
    [new Error('x'), 'a Error at ""'],
    [new Uint8Array(1), 'a Uint8Array at ""'],
    [Object(1), 'a Number at ""'],
    [
      { 'a/b': { 'c~d': Number.NaN } },
      'the number NaN; pass large integers as strings at "/a~1b/c~0d"',
    ],
  ])('refuses what has no canonical form and says where (%#)', (value, problem) => {
    expect(refusal(value)).toBe(problem);
  });

  it('refuses more than 64 levels', () => {
    expect(canonicalJson(nested(64))).toBe(`${'['.repeat(64)}1${']'.repeat(64)}`);
    expect(refusal(nested(65))).toBe(`more than 64 levels at "${'/0'.repeat(64)}"`);
  });

  it('refuses more than 2^20 characters, also when they come from few objects', () => {
    expect(canonicalJson('x'.repeat(2 ** 20 - 2))).toHaveLength(2 ** 20);
    expect(refusal('x'.repeat(2 ** 20 - 1))).toBe('more than 1048576 characters at ""');
    let doubling: unknown = 'leaf';
    for (let level = 0; level < 60; level++) doubling = [doubling, doubling];
    expect(refusal(doubling)).toMatch(/^more than 1048576 characters at/);
  });

  it('has one text per value: whatever the order of members, and again after parsing', () => {
    const values = fc.jsonValue({ noUnicodeString: false, maxDepth: 4 }).filter((value) => {
      return !/\d{16}|e\+/.test(JSON.stringify(value)) && JSON.stringify(value).isWellFormed();
    });
    fc.assert(
      fc.property(values, (value) => {
        const text = canonicalJson(value);
        return (
          canonicalJson(reversed(value)) === text &&
          canonicalJson(JSON.parse(text)) === text &&
          isDeepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
        );
      }),
      { numRuns: 10_000 },
    );
  });
});
