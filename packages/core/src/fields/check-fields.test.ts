import { expect, test } from 'vitest';
import { type FieldRules, fieldProblems, resolveOptions } from './check-fields.ts';

const size = { kind: 'integer', min: 1, max: 10 } as const;
const rules: FieldRules = {
  size,
  share: { kind: 'number', min: Number.MIN_VALUE, max: 1 },
  mode: { kind: 'choice', values: ['a', 'b'] },
  name: { kind: 'string' },
};

test('right values have no problem', () => {
  expect(fieldProblems({ size: 1, share: 1, mode: 'b', name: 'x', more: 1 }, rules)).toEqual([]);
});

test.each<[string, unknown, string]>([
  ['size', 0, 'size must be a whole number from 1 to 10, not 0'],
  ['size', 11, 'size must be a whole number from 1 to 10, not 11'],
  ['size', 1.5, 'size must be a whole number from 1 to 10, not 1.5'],
  ['size', Number.NaN, 'size must be a whole number from 1 to 10, not NaN'],
  ['size', '1', 'size must be a whole number from 1 to 10, not the string "1"'],
  ['size', 1n, 'size must be a whole number from 1 to 10, not a bigint'],
  ['share', 0, 'share must be a number above 0, up to 1, not 0'],
  ['share', Object.create(null), 'share must be a number above 0, up to 1, not an object'],
  ['mode', 'c', 'mode must be one of a, b, not the string "c"'],
  ['mode', null, 'mode must be one of a, b, not null'],
  ['name', '', 'name must be a text, not the string ""'],
  ['name', undefined, 'name must be a text, not undefined'],
])('%s: %s', (field, value, message) => {
  const values = { size: 1, share: 1, mode: 'b', name: 'x', [field]: value };
  expect(fieldProblems(values, rules)).toEqual([{ field, message }]);
});

test('options: defaults fill gaps, also explicit ones, and the given object stays as it is', () => {
  const table = { a: [1, size], b: [undefined] } as const;
  const given = Object.freeze({ a: undefined, b: 'any' });
  expect(resolveOptions<{ a?: number | undefined; b?: unknown }>('thing', given, table)).toEqual({
    a: 1,
    b: 'any',
  });
});

test('options: a missing required one, a wrong one and an unknown one are reported together', () => {
  const table = { a: [null, size], b: [1, size] } as const;
  const given: { a?: number; b?: number } = JSON.parse('{ "b": 0, "toString": 1 }');
  expect(() => resolveOptions('thing', given, table)).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      message:
        'Invalid thing: toString is unknown; known are a, b; a must be a whole number from 1 to 10, not undefined; ' +
        'b must be a whole number from 1 to 10, not 0.',
    }),
  );
});

test('options: several findings between fields are told with all the others', () => {
  const pair = { low: [1, { kind: 'integer', min: 0, max: 9 }], high: [2] } as const;
  const also = () => [
    { field: 'low', message: 'low is odd' },
    { field: 'high', message: 'high is even' },
  ];
  expect(() => resolveOptions('pair', { low: 10, high: 2 }, pair, 'invalid_option', also)).toThrow(
    'Invalid pair: low must be a whole number from 0 to 9, not 10; low is odd; high is even.',
  );
});
