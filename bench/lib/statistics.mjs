/** The value below which the given share of the samples lies, with linear interpolation. */
export function quantile(samples, share) {
  if (samples.length === 0) throw new Error('quantile of no samples');
  const sorted = Float64Array.from(samples).sort();
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

export const median = (samples) => quantile(samples, 0.5);

/**
 * Compares two series measured in the same rounds. The ratio is taken inside each round, before the
 * median: what disturbs the machine during a round disturbs both sides of its ratio.
 */
export function pairedRatio(samples, baseline) {
  if (samples.length !== baseline.length) throw new Error('paired series differ in length');
  const ratios = samples.map((sample, round) => sample / baseline[round]);
  return { ratio: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}
