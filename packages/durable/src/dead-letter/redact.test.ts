import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { payloadText, redact, shownJson, shownPayload } from './redact.ts';

const json = (value: unknown) => ({ kind: 'json', text: JSON.stringify(value) }) as const;
const bytesOf = (text: string) =>
  ({ kind: 'bytes', bytes: new TextEncoder().encode(text) }) as const;

describe('by name', () => {
  test.each([
    'password',
    'apiKey',
    'authorization',
    'pin',
    'otp',
    'CVV',
    'card_number',
    'cardNumber',
    'card-number',
    'iban',
    'ssn',
    'accountNumber',
    'connectionString',
    'DSN',
    'verification code',
  ])('%s', (name) => {
    expect(redact({ [name]: 'anything', deep: [{ [name]: { x: 1 } }] })).toEqual({
      [name]: '[masked]',
      deep: [{ [name]: '[masked]' }],
    });
  });

  test.each(['pinned', 'spinner', 'company', 'card', 'account', 'notary', 'designature'])(
    '%s stays',
    (name) => {
      expect(redact({ [name]: 'x' })).toEqual({ [name]: 'x' });
    },
  );
});

describe('by shape', () => {
  test.each([
    ['4111 1111 1111 1111', '[masked]'],
    ['paid with 5555-5555-5555-4444 today', 'paid with [masked] today'],
    ['378282246310005', '[masked]'],
    ['https://bob:hunter2@db/x', 'https://[masked]@db/x'],
    ['AKIAIOSFODNN7EXAMPLE', '[masked]'],
  ])('%s', (text, expected) => {
    expect(redact({ note: text })).toEqual({ note: expected });
  });

  test('a card as a number', () => {
    expect(redact({ n: 4_111_111_111_111_111 })).toEqual({ n: '[masked]' });
  });

  test.each([
    '4111111111111112',
    '1706534400000',
    '2111111111111111',
    '41111111111111111111111',
    '0.4111111111111111',
  ])('%s is no card', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('a payload', () => {
  test('is not shown, shown masked, or as it is', () => {
    const payload = json({ user: 'bob', token: 'abc' });
    expect(shownPayload(payload, 'none')).toBeNull();
    expect(shownPayload(payload, 'redacted')).toEqual({ user: 'bob', token: '[masked]' });
    expect(shownPayload(payload, 'full')).toEqual({ user: 'bob', token: 'abc' });
  });

  test('that is empty or no JSON is shown all the same', () => {
    expect(shownJson('', 'redacted')).toBeNull();
    expect(shownJson('', 'full')).toBeNull();
    expect(shownJson('password=abc', 'redacted')).toBe('password=[masked]');
    expect(shownJson('{"a":', 'full')).toBe('{"a":');
  });

  test('in bytes is masked where it is text, and counted where it is not', () => {
    expect(shownPayload(bytesOf('{"token":"abc","x":1}'), 'redacted')).toEqual({
      bytes: 21,
      text: { token: '[masked]', x: 1 },
    });
    expect(shownPayload(bytesOf('hello\nworld'), 'redacted')).toEqual({
      bytes: 11,
      text: 'hello\nworld',
    });
    expect(shownPayload(bytesOf('a\u0000b'), 'redacted')).toEqual({ bytes: 3 });
    expect(shownPayload({ kind: 'bytes', bytes: Uint8Array.of(0xff, 0xfe) }, 'redacted')).toEqual({
      bytes: 2,
    });
    expect(shownPayload(bytesOf('abc'), 'full')).toEqual({ base64: 'YWJj' });
    expect(shownPayload(bytesOf('abc'), 'none')).toBeNull();
  });

  test('is cut, however large, wide or deep it is', () => {
    const size = (value: unknown) => JSON.stringify(value).length;
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n]));
    expect(size(redact(wide))).toBeLessThan(10_000);
    expect(size(redact('x '.repeat(1_000_000)))).toBeLessThan(2_010);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(size(shownJson(deep, 'redacted'))).toBeLessThan(100);
    expect(shownJson('x'.repeat(5 * 2 ** 20), 'redacted')).toEqual({ characters: 5 * 2 ** 20 });
    const large = { kind: 'bytes', bytes: new Uint8Array(5 * 2 ** 20).fill(65) } as const;
    expect(shownPayload(large, 'redacted')).toEqual({ bytes: 5 * 2 ** 20 });
  });

  test('cannot change what objects are', () => {
    const shown = shownJson('{"__proto__":{"admin":true},"x":{"constructor":1}}', 'redacted');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
    expect(JSON.stringify(shown)).toBe('{"__proto__":{"admin":true},"x":{"constructor":1}}');
  });

  test('of any kind never makes it throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string({ unit: 'binary' })), (text) => {
        expect(() => JSON.stringify(shownJson(text, 'redacted'))).not.toThrow();
        expect(() => shownPayload(bytesOf(text), 'redacted')).not.toThrow();
      }),
    );
  });
});

describe('a payload as text', () => {
  const json = (text: string) => ({ kind: 'json', text }) as const;
  const text =
    '{"ledger":90071992547409931,"rate":1.10,"n":7,"password":"hunter2","list":[12345678901234567890]}';

  test('keeps all digits of its numbers', () => {
    const lines = ['  "ledger": 90071992547409931,', '  "rate": 1.10,', '    12345678901234567890'];
    for (const shown of ['full', 'redacted'] as const) {
      const got = payloadText(json(text), shown).split('\n');
      expect(got).toEqual(expect.arrayContaining(lines));
      expect(got.join().includes('hunter2')).toBe(shown === 'full');
    }
  });

  test('has no number that was a text', () => {
    const forged = '{"\\ue0000":"\\ue0000","n":1e2}';
    expect(payloadText(json(forged), 'full')).toContain('"\u{e000}0": "\u{fffd}0"');
  });

  test('is what it is when it is no JSON, empty, or bytes', () => {
    expect(payloadText(json('not JSON'), 'full')).toBe('not JSON');
    expect(payloadText(json(''), 'full')).toBe('null');
    expect(payloadText(bytesOf('abc'), 'full')).toContain('YWJj');
  });

  test('of any kind never makes it throw, and in full means the same', () => {
    fc.assert(
      fc.property(fc.json(), (any) => {
        expect(JSON.parse(payloadText(json(any), 'full'))).toEqual(JSON.parse(any));
        expect(() => payloadText(json(any), 'redacted')).not.toThrow();
      }),
    );
  });
});
