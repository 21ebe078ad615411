import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_DURATION_MS } from '../clock/clock.ts';
import { vendorHint } from './vendor-hints.ts';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
const NOW_S = NOW_MS / 1000;

describe('vendorHint', () => {
  it.each([
    ['Azure milliseconds', { 'x-ms-retry-after-ms': '1200' }, 1200],
    ['AWS milliseconds', { 'x-amz-retry-after': '1500' }, 1500],
    ['a used-up quota', { RateLimit: '"default";r=0;t=30' }, 30_000],
    [
      'the longest of the used-up quotas',
      { ratelimit: '"a";r=0;t=2, "b";r=0;t=60,"c";r=5;t=900' },
      60_000,
    ],
    ['a quota whose name has commas', { ratelimit: '"a,b;r=9;t=1";r=0;t=2' }, 2000],
    ['parameters in any order, with spaces', { ratelimit: '"a"; t=4; r=0' }, 4000],
    ['the dictionary of an older draft', { ratelimit: 'limit=10, remaining=0, reset=50' }, 50_000],
    ['RateLimit-Reset', { 'ratelimit-remaining': '0', 'ratelimit-reset': '7' }, 7000],
    ['a delta', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1.5' }, 1500],
    [
      'epoch seconds',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${NOW_S + 20}` },
      20_000,
    ],
    [
      'epoch milliseconds',
      { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': `${NOW_MS + 5}` },
      5,
    ],
    [
      'a reset that has passed',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${NOW_S - 9}` },
      0,
    ],
  ])('reads %s', (_, headers, expected) => {
    expect(vendorHint(headers, NOW_MS, false)).toBe(expected);
    expect(vendorHint(headers, NOW_MS, true)).toBe(expected);
  });

  it('takes an epoch by the clock of the server', () => {
    const headers = {
      date: 'Sun, 15 Nov 2026 11:00:00 GMT',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(NOW_S),
    };
    expect(vendorHint(headers, NOW_MS, false)).toBe(3_600_000);
  });

  it('prefers Retry-After', () => {
    const headers = { 'retry-after': '0', 'x-amz-retry-after': '1', ratelimit: '"a";r=0;t=2' };
    expect(vendorHint(headers, NOW_MS, false)).toBe(0);
  });

  it('takes a reset without a remainder only where too many calls are the trouble', () => {
    const headers = { 'x-ratelimit-reset': '30' };
    expect(vendorHint(headers, NOW_MS, true)).toBe(30_000);
    expect(vendorHint(headers, NOW_MS, false)).toBeUndefined();
  });

  it.each([
    undefined,
    null,
    {},
    { ratelimit: '"a";r=5;t=30' },
    { ratelimit: '"a";r=0' },
    { ratelimit: '"a";r=0;t=-30' },
    { ratelimit: '"a";r=0;t=30x' },
    { ratelimit: '"a";r=0.5;t=30' },
    { ratelimit: '"a;r=0;t=30' },
    { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '30' },
    { 'x-ratelimit-remaining': 'some', 'x-ratelimit-reset': '30' },
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' },
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30, 40' },
    { 'x-ratelimit-remaining': '0' },
    { 'x-amz-retry-after': '-1' },
  ])('ignores %j', (headers) => {
    expect(vendorHint(headers, NOW_MS, true)).toBeUndefined();
  });

  it('is a whole number within bounds or nothing, for any text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.stringMatching(/^\d{1,400}$/),
      fc
        .tuple(fc.string(), fc.nat(2), fc.bigInt())
        .map(([name, r, t]) => `"${name}";r=${r};t=${t}`),
    );
    const names = ['ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-amz-retry-after'];
    fc.assert(
      fc.property(fc.tuple(text, text, text, text), fc.boolean(), (values, isTooMany) => {
        const headers = values.map((value, index) => [names[index], value]);
        const hint = vendorHint(headers, NOW_MS, isTooMany);
        if (hint === undefined) return;
        expect(Number.isSafeInteger(hint)).toBe(true);
        expect(hint).toBeGreaterThanOrEqual(0);
        expect(hint).toBeLessThanOrEqual(MAX_DURATION_MS);
      }),
      { numRuns: 10_000 },
    );
  });
});
