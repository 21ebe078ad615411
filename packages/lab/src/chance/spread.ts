import { exponential, logarithm } from './arithmetic.ts';
import { normalQuantile } from './normal.ts';

/** How a time is distributed, in milliseconds. */
export type Spread =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly sigma: number }
  | {
      readonly kind: 'normal';
      readonly meanMs: number;
      readonly deviationMs: number;
      /** A smaller number becomes this one. */
      readonly minMs: number;
    }
  | { readonly kind: 'exponential'; readonly meanMs: number }
  /** Known shares, rising, with the time below which each lies; straight lines between them. */
  | {
      readonly kind: 'percentiles';
      readonly points: readonly (readonly [share: number, ms: number])[];
    };

/** A time for a uniform number on [0, 1). */
export type Sampler = (uniform: number) => number;

/** Cells of a quantile table. The tails, below the first cell and above the last one, are computed. */
const CELLS = 1_024;

export function samplerOf(spread: Spread): Sampler {
  switch (spread.kind) {
    case 'fixed':
      return () => spread.ms;
    case 'exponential':
      return tabled((share) => -spread.meanMs * logarithm(1 - share));
    case 'lognormal':
      return tabled((share) => spread.medianMs * exponential(spread.sigma * normalQuantile(share)));
    case 'normal':
      return tabled((share) =>
        Math.max(spread.minMs, spread.meanMs + spread.deviationMs * normalQuantile(share)),
      );
    case 'percentiles':
      return (uniform) => between(spread.points, uniform);
  }
}

/** One of several samplers, each with its share; `pick` and the time are two numbers of the same generator. */
export function mixtureOf(
  parts: readonly { readonly share: number; readonly sampler: Sampler }[],
): (pick: number, uniform: number) => number {
  const all = parts.reduce((sum, { share }) => sum + share, 0);
  return (pick, uniform) => {
    let left = pick * all;
    for (const { share, sampler } of parts) {
      if (left < share) return sampler(uniform);
      left -= share;
    }
    return parts.at(-1)?.sampler(uniform) ?? 0;
  };
}

function tabled(quantile: (share: number) => number): Sampler {
  const table = new Float64Array(CELLS + 1);
  for (let cell = 1; cell < CELLS; cell += 1) table[cell] = quantile(cell / CELLS);
  return (uniform) => {
    const place = uniform * CELLS;
    const cell = Math.floor(place);
    if (cell < 1 || cell >= CELLS - 1) return quantile(Math.max(uniform, Number.MIN_VALUE));
    const lower = table[cell] ?? 0;
    return lower + ((table[cell + 1] ?? 0) - lower) * (place - cell);
  };
}

function between(points: readonly (readonly [number, number])[], uniform: number): number {
  let [fromShare, fromMs] = points[0] ?? [0, 0];
  if (uniform <= fromShare) return fromMs;
  for (const [share, ms] of points) {
    if (uniform <= share) {
      return fromMs + ((ms - fromMs) * (uniform - fromShare)) / (share - fromShare);
    }
    fromShare = share;
    fromMs = ms;
  }
  return fromMs;
}
