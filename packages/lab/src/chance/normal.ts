import { logarithm } from './arithmetic.ts';

// Peter Acklam's rational approximation: the relative error is below 1.2e-9.
const MIDDLE = [
  [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
    2.506628277459239,
  ],
  [
    -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972,
    -13.28068155288572, 1,
  ],
] as const;
const TAIL = [
  [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734,
    4.374664141464968, 2.938163982698783,
  ],
  [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1],
] as const;
const TAIL_BEGINS = 0.02425;

/** The value that a standard normal number stays below with probability `share`, which lies between 0 and 1. */
export function normalQuantile(share: number): number {
  if (share > 0.5) return -normalQuantile(1 - share);
  if (share < TAIL_BEGINS) {
    const q = Math.sqrt(-2 * logarithm(Math.max(share, Number.MIN_VALUE)));
    return polynomial(TAIL[0], q) / polynomial(TAIL[1], q);
  }
  const q = share - 0.5;
  const r = q * q;
  return (q * polynomial(MIDDLE[0], r)) / polynomial(MIDDLE[1], r);
}

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * x + coefficient;
  return sum;
}
