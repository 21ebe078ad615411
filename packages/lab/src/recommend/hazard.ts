import { exponential, logarithm } from '../chance/arithmetic.ts';
import type { Recovery } from './recoveries.ts';

/** A part of the time since the first failure. */
export interface HazardBin {
  readonly fromMs: number;
  readonly toMs: number;
  /** Failures that lasted this long, and those that ended within it. Both may be fractions. */
  readonly lasting: number;
  readonly ended: number;
  /** The share of lasting failures that ends in a millisecond. */
  readonly perMs: number;
}

const FIRST_MS = 20;
const GROWTH = 1.35;
/** Up to two weeks. */
const BINS = 60;
/** A light prior: in a part without data, half of the failures end. */
const PRIOR = { ended: 0.1, lasting: 0.2 };

/**
 * The hazard of recovery since the first failure. An end that lies between two attempts is spread evenly in the logarithm
 * of time between them.
 */
export function hazardOf(recoveries: readonly Recovery[]): HazardBin[] {
  const step = logarithm(GROWTH);
  const first = logarithm(FIRST_MS);
  const placeOf = (ms: number) =>
    Math.min(BINS, Math.max(0, (logarithm(Math.max(FIRST_MS, ms)) - first) / step));
  const ended = new Array<number>(BINS).fill(0);
  const lasting = new Array<number>(BINS).fill(0);
  for (const { weight, lastMs, succeededMs } of recoveries) {
    const from = placeOf(lastMs);
    const isSeen = succeededMs !== Number.POSITIVE_INFINITY;
    const to = isSeen ? Math.max(placeOf(succeededMs), from + 1e-6) : from;
    for (let bin = 0; bin < Math.min(BINS, Math.ceil(to)); bin += 1) {
      const share = (place: number) =>
        isSeen ? Math.min(1, Math.max(0, (place - from) / (to - from))) : 0;
      const inBin = weight * (share(bin + 1) - share(bin));
      ended[bin] = (ended[bin] ?? 0) + inBin;
      const present = isSeen ? 1 - share(bin) : Math.min(1, from - bin);
      lasting[bin] = (lasting[bin] ?? 0) + weight * present - inBin / 2;
    }
  }
  const share = (bin: number) =>
    ((ended[bin] ?? 0) + PRIOR.ended) / ((lasting[bin] ?? 0) + PRIOR.lasting);
  return ended.map((own, bin) => {
    const fromMs = bin === 0 ? 0 : FIRST_MS * exponential(step * bin);
    const toMs = FIRST_MS * exponential(step * (bin + 1));
    const smooth =
      (share(Math.max(0, bin - 1)) + 2 * share(bin) + share(Math.min(BINS - 1, bin + 1))) / 4;
    return {
      fromMs,
      toMs,
      lasting: lasting[bin] ?? 0,
      ended: own,
      perMs: smooth / (toMs - fromMs),
    };
  });
}
