/**
 * A time or a duration as stores write it: whole milliseconds, rounded up. `null` is for ever: `Infinity`, and whatever is
 * longer than can be written.
 */
export function wholeMs(ms: number): number | null {
  const whole = Math.ceil(ms);
  return Number.isSafeInteger(whole) ? whole : null;
}
