import type { Clock } from '../clock/clock.ts';

const TIME_DIGITS = 9;
const COUNTER_DIGITS = 3;
const COUNTER_END = 36 ** COUNTER_DIGITS;
/** The counter and the random part. */
const UNIQUE_DIGITS = 11;

let processPart: string | undefined;
let lastMs = 0;
let counter = 0;
/** The beginning of all ids of one millisecond. */
let timePart = '';

/**
 * An id of 20 characters, digits and small letters. Ids sort by creation: millisecond, a counter within it, and a random
 * part per process, drawn at the first call. Ids of one process always increase, also when the clock is set back; ids of
 * several processes sort by the millisecond.
 */
export function newSortableId(clock: Clock): string {
  const nowMs = clock.now();
  if (clock.uniquePart !== undefined) {
    return digits(nowMs, TIME_DIGITS) + clock.uniquePart().padStart(UNIQUE_DIGITS, '0');
  }
  processPart ??= drawProcessPart();
  if (nowMs > lastMs) startMillisecond(nowMs);
  // More than fits into one millisecond: borrow from the next one.
  else if (counter === COUNTER_END) startMillisecond(lastMs + 1);
  const id = timePart + digits(counter, COUNTER_DIGITS) + processPart;
  counter += 1;
  return id;
}

function startMillisecond(ms: number): void {
  lastMs = ms;
  counter = 0;
  timePart = digits(ms, TIME_DIGITS);
}

function drawProcessPart(): string {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return Array.from(words, (word) => digits(word % 36 ** 4, 4)).join('');
}

function digits(value: number, count: number): string {
  return value.toString(36).padStart(count, '0');
}
