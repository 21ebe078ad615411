// Exponential and logarithm from the four operations and the square root, which every engine rounds alike. Engines differ
// in the last bit of `Math.exp`, and a simulation must have the same result in Node and in a browser.

const LN2 = Math.LN2;
const TERMS = 18;

/** e to the power of `x`. */
export function exponential(x: number): number {
  if (x < -740) return 0;
  if (x > 709) return Infinity;
  const halvings = Math.round(x / LN2);
  const rest = x - halvings * LN2;
  let sum = 1;
  for (let term = TERMS; term > 0; term -= 1) sum = 1 + (sum * rest) / term;
  return sum * powerOfTwo(halvings);
}

/** The natural logarithm of `x`; `x` must be above 0. */
export function logarithm(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : Number.NaN;
  if (x === Infinity) return Infinity;
  let mantissa = x;
  let doublings = 0;
  for (; mantissa > Math.SQRT2; mantissa /= 2) doublings += 1;
  for (; mantissa < Math.SQRT1_2; mantissa *= 2) doublings -= 1;
  const part = (mantissa - 1) / (mantissa + 1);
  const square = part * part;
  let sum = 0;
  for (let odd = 2 * TERMS - 1; odd > 0; odd -= 2) sum = 1 / odd + square * sum;
  return doublings * LN2 + 2 * part * sum;
}

function powerOfTwo(exponent: number): number {
  let result = 1;
  const step = exponent < 0 ? 0.5 : 2;
  for (let left = Math.abs(exponent); left > 0; left -= 1) result *= step;
  return result;
}
