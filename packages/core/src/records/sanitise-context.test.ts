import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitiseContext } from './sanitise-context.ts';

test('copies what JSON knows, and puts the rest into words', () => {
  const given = {
    text: 'a',
    number: 1.5,
    flag: true,
    nothing: null,
    list: [1, [2]],
    nan: Number.NaN,
    big: 10n,
    when: new Date(0),
    never: new Date(Number.NaN),
    error: new TypeError('token=abc'),
    bytes: new Uint8Array(3),
    call: () => 1,
    mark: Symbol('x'),
    absent: undefined,
  };
  expect(sanitiseContext(given)).toStrictEqual({
    text: 'a',
    number: 1.5,
    flag: true,
    nothing: null,
    list: [1, [2]],
    nan: 'NaN',
    big: '10',
    when: '1970-01-01T00:00:00.000Z',
    never: null,
    error: { type: 'TypeError', message: 'token=[masked]' },
    bytes: '[binary]',
    call: '[function]',
    mark: '[symbol]',
    absent: undefined,
  });
});

test.each([
  'password',
  'passwd',
  'PWD',
  'db_pass',
  'secret',
  'clientSecret',
  'token',
  'session_token',
  'X-Auth-Token',
  'authorization',
  'Proxy-Authorization',
  'auth',
  'cookie',
  'Set-Cookie',
  'api_key',
  'apiKey',
  'APIKEY',
  'access-key',
  'private_key',
  'credentials',
  'passphrase',
])('a member called %s is masked whatever it holds', (name) => {
  expect(sanitiseContext({ [name]: { deep: ['x'] }, other: [{ [name]: 5 }] })).toStrictEqual({
    [name]: '[masked]',
    other: [{ [name]: '[masked]' }],
  });
});

test.each(['author', 'max_tokens', 'compass', 'key', 'bypass'])(
  'a member called %s is not',
  (name) => {
    expect(sanitiseContext({ [name]: 'x' })).toStrictEqual({ [name]: 'x' });
  },
);

test('texts and names are masked by their shape and cut', () => {
  expect(
    sanitiseContext({ note: 'Bearer abc1', [`${'n'.repeat(200)}`]: 'x'.repeat(600) }),
  ).toStrictEqual({
    note: 'Bearer [masked]',
    [`${'n'.repeat(99)}…`]: `${'x'.repeat(499)}…`,
  });
});

test('depth, keys, items and values are bounded, and what is left out is marked', () => {
  expect(sanitiseContext({ a: { b: { c: { d: { e: 1 } } } } })).toStrictEqual({
    a: { b: { c: { d: '…' } } },
  });
  expect(sanitiseContext({ a: 1, b: 2, c: [1, 2, 3] }, { maxKeys: 2 })).toStrictEqual({
    a: 1,
    b: 2,
    '…': 1,
  });
  expect(sanitiseContext([1, { a: 1, b: 2 }], { maxKeys: 2 })).toStrictEqual([1, { a: 1, b: 2 }]);
  expect(sanitiseContext([1, 2, 3], { maxKeys: 2 })).toStrictEqual([1, 2, '…']);
  expect(sanitiseContext('abcdef', { maxText: 4 })).toBe('abc…');
  expect(sanitiseContext([1, [2], [3]], { maxValues: 3 })).toStrictEqual([1, ['…'], '…']);
  const wide = (level: number): unknown =>
    level === 0 ? 1 : Array.from({ length: 50 }, () => wide(level - 1));
  const leaves = (copied: unknown): number =>
    Array.isArray(copied) ? copied.reduce((sum, item) => sum + leaves(item), 1) : 1;
  expect(leaves(sanitiseContext(wide(3)))).toBeLessThanOrEqual(1_000 + 19 * 50);
});

test('cycles, getters, proxies and prototypes do no harm', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(sanitiseContext(cycle)).toStrictEqual({ self: { self: { self: { self: '…' } } } });
  const hostile = {
    get bad() {
      throw new Error('hostile');
    },
    good: 1,
  };
  expect(sanitiseContext(hostile)).toStrictEqual({ bad: undefined, good: 1 });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(sanitiseContext({ proxy })).toStrictEqual({ proxy: '[unreadable]' });
  const copied = sanitiseContext(JSON.parse('{"__proto__":{"polluted":1}}'));
  expect(Object.getPrototypeOf(copied)).toBe(Object.prototype);
});

test('whatever is given becomes JSON', () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }),
      (value) => {
        JSON.stringify(sanitiseContext(value));
      },
    ),
    { numRuns: 10_000 },
  );
});

test('a card as a number is masked, ids and times stay numbers', () => {
  const context = { card: 4_111_111_111_111_111, id: 1_706_534_400_000_000, share: 0.25, n: -7 };
  expect(sanitiseContext(context)).toEqual({ ...context, card: '[masked]' });
  expect(sanitiseContext({ none: Number.NaN, all: -Infinity })).toEqual({
    none: 'NaN',
    all: '-Infinity',
  });
});
