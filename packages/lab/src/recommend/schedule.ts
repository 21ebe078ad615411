import type { HazardBin } from './hazard.ts';

const MAX_DELAYS = 32;
const MIN_GAP_MS = 50;
/** Where fewer failures than this last as long, their hazard is a guess. */
const THIN = 10;

/** Limits of a schedule. */
export interface ScheduleLimits {
  /** No gap is longer. */
  readonly capMs: number;
  /** The longest failure that was seen. */
  readonly seenMs: number;
  /** The last delay is no shorter than this, where too few failures last as long as the others take together. */
  readonly tailMs: number;
}

/**
 * The gap √(2c ÷ (l · h)) between attempts, within floor and cap. `price` is c ÷ l: an attempt costs as much as a wait of
 * this time.
 */
export function gapMs({ perMs }: HazardBin, price: number, capMs: number): number {
  return Math.min(capMs, Math.max(MIN_GAP_MS, Math.sqrt((2 * price) / perMs)));
}

/**
 * Delays with one attempt per gap, however gaps change on the way. The last of 32 repeats: it is the mean of the gaps that
 * follow, up to the longest failure that was seen.
 */
export function scheduleOf(
  hazard: readonly HazardBin[],
  price: number,
  { capMs, seenMs, tailMs }: ScheduleLimits,
): number[] {
  const delays: number[] = [];
  const thinMs = hazard.find(({ lasting }) => lasting < THIN)?.fromMs ?? seenMs;
  let lastMs = 0;
  let missing = 1;
  let meanMs = MIN_GAP_MS;
  for (const bin of hazard) {
    const gap = gapMs(bin, price, capMs);
    let atMs = bin.fromMs;
    for (; delays.length < MAX_DELAYS - 1; missing = 1) {
      const dueMs = atMs + missing * gap;
      if (dueMs > bin.toMs) break;
      delays.push(rounded(dueMs - lastMs, capMs));
      lastMs = dueMs;
      atMs = dueMs;
    }
    missing -= (bin.toMs - atMs) / gap;
    meanMs = (bin.toMs - lastMs) / Math.max(1, 1 - missing);
    if (bin.toMs >= seenMs) break;
  }
  return [...delays, rounded(Math.max(meanMs, lastMs > thinMs ? tailMs : MIN_GAP_MS), capMs)];
}

/** Three digits. */
function rounded(ms: number, capMs: number): number {
  let unit = 1;
  while (ms / unit >= 1_000) unit *= 10;
  return Math.min(capMs, Math.round(ms / unit) * unit);
}
