import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MAX_DURATION_MS } from '../clock/clock.ts';
import { header, headerHint, hintOf, httpDateToMs, unitsToMs } from './error-facts.ts';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
const LATEST_MS = Date.parse('2049-12-31T23:59:59Z');

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The three forms of an HTTP-date, each built from the parts of the date. */
function formsOf(ms: number): { imf: string; rfc850: string; asctime: string } {
  const date = new Date(ms);
  const imf = date.toUTCString();
  const [, day = '', month = '', year = '', time = ''] = imf.split(/[ ,]+/);
  const weekday = WEEKDAYS[date.getUTCDay()] ?? '';
  return {
    imf,
    rfc850: `${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`,
    asctime: `${weekday.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`,
  };
}

describe('httpDateToMs', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    '  Sun, 06 Nov 1994 08:49:37 GMT ',
  ])('reads %s', (text) => {
    expect(httpDateToMs(text)).toBe(784_111_777_000);
  });

  it('reads it alike in every time zone', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    expect(new Date(0).getTimezoneOffset()).toBe(-540);
    expect(httpDateToMs('Sun Nov  6 08:49:37 1994')).toBe(784_111_777_000);
  });

  it.each([
    '',
    'soon',
    '5',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 CET',
    'Sun, 06 Foo 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 99:99:99 GMT',
    'Sun, 06 Nov 99999999 08:49:37 GMT',
    'Sun Nov 6 08:49:37 GMT',
  ])('does not take %j for a date', (text) => {
    expect(httpDateToMs(text)).toBeNaN();
  });
});

describe('unitsToMs', () => {
  it.each([
    ['0', 1000, 0],
    [0, 1000, 0],
    ['120', 1000, 120_000],
    [' 7 ', 1000, 7000],
    ['0.65', 1000, 650],
    ['0.0001', 1000, 1],
    [1.5, 1, 2],
    ['9'.repeat(400), 1000, MAX_DURATION_MS],
    [Number.POSITIVE_INFINITY, 1, MAX_DURATION_MS],
    [MAX_DURATION_MS + 1, 1, MAX_DURATION_MS],
  ])('%j of %d ms is %d', (value, unitMs, expected) => {
    expect(unitsToMs(value, unitMs)).toBe(expected);
  });

  it.each([
    '',
    '-1',
    '+1',
    '1e3',
    '0x10',
    '1.',
    '.5',
    '1,2',
    '5 5',
    'NaN',
    'Infinity',
    -1,
    Number.NaN,
  ])('ignores %j', (value) => {
    expect(unitsToMs(value, 1000)).toBeUndefined();
  });

  it.each([undefined, null, true, 5n, [5], { valueOf: () => 5 }])('ignores %s', (value) => {
    expect(unitsToMs(value, 1000)).toBeUndefined();
  });
});

describe('header', () => {
  it.each([
    ['Headers', new Headers({ 'Retry-After': '5' })],
    ['a lower-case Map', new Map([['retry-after', '5']])],
    ['a Map', new Map([['Retry-After', '5']])],
    ['pairs', [['RETRY-AFTER', '5']]],
    ['a plain object', { 'Retry-After': '5' }],
    ['a plain object of lists', { 'retry-after': ['5'] }],
    ['a plain object of numbers', { 'retry-after': 5 }],
    ['something with get only', { get: (name: string) => (name === 'retry-after' ? '5' : null) }],
  ])('reads from %s', (_, headers) => {
    expect(header(headers, 'retry-after')).toBe('5');
    expect(header(headers, 'date')).toBe('');
  });

  it.each([undefined, null, 5, 'retry-after', [1, 2], ['retry-after', '5'], [null], new Set([1])])(
    'finds nothing in %j',
    (headers) => {
      expect(header(headers, 'retry-after')).toBe('');
    },
  );

  it('keeps a zero', () => {
    expect(header({ 'retry-after': 0 }, 'retry-after')).toBe('0');
  });
});

describe('headerHint', () => {
  it('reads delta seconds, also 0', () => {
    expect(headerHint({ 'retry-after': '120' }, NOW_MS)).toBe(120_000);
    expect(headerHint({ 'retry-after': '0' }, NOW_MS)).toBe(0);
  });

  it('prefers the finer retry-after-ms', () => {
    expect(headerHint({ 'retry-after': '1', 'retry-after-ms': '350' }, NOW_MS)).toBe(350);
    expect(headerHint({ 'retry-after': '1', 'retry-after-ms': 'x' }, NOW_MS)).toBe(1000);
  });

  it('compares a date with our clock when the server does not tell its own', () => {
    const { imf } = formsOf(NOW_MS + 90_000);
    expect(headerHint({ 'retry-after': imf }, NOW_MS)).toBe(90_000);
    expect(headerHint({ 'retry-after': imf, date: 'garbage' }, NOW_MS)).toBe(90_000);
  });

  it('takes a date in the past as now', () => {
    expect(headerHint({ 'retry-after': formsOf(NOW_MS - 1000).imf }, NOW_MS)).toBe(0);
  });

  it('bounds a date that means never', () => {
    const never = 'Fri, 31 Dec 9999 23:59:59 GMT';
    expect(headerHint({ 'retry-after': never }, NOW_MS)).toBe(MAX_DURATION_MS);
  });

  it.each(['-5', '5, 6', ['5', '6'], 'soon', ''])('ignores %j', (value) => {
    expect(headerHint({ 'retry-after': value }, NOW_MS)).toBeUndefined();
  });

  it('reads every form of a date, whatever our clock says, when the server tells its own', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('imf', 'rfc850', 'asctime'),
        fc.constantFrom('imf', 'rfc850', 'asctime'),
        fc.integer({ min: NOW_MS / 1000, max: LATEST_MS / 1000 }),
        fc.integer({ min: -86_400, max: 86_400 }),
        fc.integer({ min: -1e12, max: 1e12 }),
        (form, dateForm, serverSeconds, waitSeconds, skewMs) => {
          const serverMs = serverSeconds * 1000;
          const atMs = Math.min(serverMs + waitSeconds * 1000, LATEST_MS);
          const headers = {
            'Retry-After': formsOf(atMs)[form],
            Date: formsOf(serverMs)[dateForm],
          };
          expect(headerHint(headers, serverMs + skewMs)).toBe(Math.max(0, atMs - serverMs));
        },
      ),
      { numRuns: 10_000 },
    );
  });

  it('is a whole number within bounds or nothing, for any text', () => {
    const digits = fc.stringMatching(/^-?\d{1,400}(\.\d{1,20})?$/);
    const pieces = fc.constantFrom(
      'Sun, ',
      '06 ',
      '99 ',
      'Nov ',
      '94 ',
      '275761 ',
      '08:49:37 ',
      'GMT',
      '5',
      ',',
    );
    const text = fc.oneof(
      fc.string(),
      digits,
      fc.array(pieces).map((each) => each.join('')),
    );
    fc.assert(
      fc.property(text, text, text, (after, afterMs, date) => {
        const hint = headerHint({ 'retry-after': after, 'retry-after-ms': afterMs, date }, NOW_MS);
        if (hint === undefined) return;
        expect(Number.isSafeInteger(hint)).toBe(true);
        expect(hint).toBeGreaterThanOrEqual(0);
        expect(hint).toBeLessThanOrEqual(MAX_DURATION_MS);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('hintOf', () => {
  const headers = { 'retry-after': '3' };

  it.each([
    ['retryAfterMs', { retryAfterMs: 250, retryAfter: 9, headers }, 250],
    ['retryAfter, in seconds', { retryAfter: 2, headers }, 2000],
    ['headers', { headers, response: { headers: { 'retry-after': '4' } } }, 3000],
    [
      'the headers of response',
      { headers: {}, response: { headers: { 'retry-after': '4' } } },
      4000,
    ],
    ['nothing', {}, undefined],
    [
      'nothing usable',
      { retryAfterMs: -1, retryAfter: 'soon', headers: 7, response: null },
      undefined,
    ],
  ])('takes %s', (_, error, expected) => {
    expect(hintOf(error, NOW_MS)).toBe(expected);
  });
});
