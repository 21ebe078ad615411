import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scaleFor } from './scale.ts';

const waits = (...delays: number[]) => delays.map((nominal) => ({ nominal, max: nominal }));

test('a linear axis begins at 0 and has round delays', () => {
  const scale = scaleFor(waits(1000, 2000, 4000, 8000), 'linear');
  expect(scale).toMatchObject({ kind: 'linear', ticksMs: [0, 2000, 4000, 6000, 8000] });
  expect([0, 4000, 8000].map(scale.fractionOf)).toEqual([0, 0.5, 1]);
});

test('a logarithmic axis has 0 at its bottom', () => {
  const scale = scaleFor(waits(0, 250, 16_000), 'log');
  expect(scale.fractionOf(0)).toBe(0);
  expect(scale.fractionOf(250)).toBeGreaterThan(0);
  expect(scale.fractionOf(16_000)).toBe(1);
});

describe('whatever the waits', () => {
  const any = fc.array(fc.nat(315_360_000_000), { maxLength: 20 });
  test('every delay and every tick is on the axis, and longer is never lower', () => {
    fc.assert(
      fc.property(any, fc.constantFrom('linear' as const, 'log' as const), (delays, kind) => {
        const { fractionOf, ticksMs } = scaleFor(waits(...delays), kind);
        const fractions = [...delays, ...ticksMs].toSorted((a, b) => a - b).map(fractionOf);
        expect(fractions.every((one) => one >= 0 && one <= 1 + 1e-9)).toBe(true);
        expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
        expect(ticksMs.length).toBeLessThan(60);
      }),
    );
  });
});
