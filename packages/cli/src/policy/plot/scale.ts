/** Where a delay stands on the axis: 0 is the bottom, 1 the top. */
export interface Scale {
  readonly kind: 'linear' | 'log';
  /** Nice delays to write beside the axis, the smallest first. */
  readonly ticksMs: readonly number[];
  fractionOf(delayMs: number): number;
}

/** Delays that read well beside an axis. */
const NICE_MS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 20, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 5, 10, 12].map((hours) => hours * 3_600_000),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000].map((days) => days * 86_400_000),
];
const LINEAR_TICKS = 5;

/** The scale for these delays. */
export function scaleFor(
  delays: readonly { readonly nominal: number; readonly max: number }[],
  kind: 'linear' | 'log',
): Scale {
  const highestMs = Math.max(1, ...delays.map(({ max }) => max));
  const positive = delays.map(({ nominal }) => nominal).filter((nominal) => nominal > 0);
  const lowestMs = Math.min(highestMs, ...positive);
  return kind === 'log' ? logScale(lowestMs, highestMs) : linearScale(highestMs);
}

function linearScale(highestMs: number): Scale {
  const stepMs = NICE_MS.find((nice) => highestMs / nice <= LINEAR_TICKS) ?? highestMs;
  const steps = Math.ceil(highestMs / stepMs);
  return {
    kind: 'linear',
    ticksMs: Array.from({ length: steps + 1 }, (_, step) => step * stepMs),
    fractionOf: (delayMs) => delayMs / (steps * stepMs),
  };
}

/** From half the smallest wait, so that it is seen to be more than nothing; what is below stands at the bottom. */
function logScale(lowestMs: number, highestMs: number): Scale {
  const bottomMs = Math.max(1, lowestMs) / 2;
  const decades = Math.log(highestMs / bottomMs);
  return {
    kind: 'log',
    ticksMs: NICE_MS.filter((nice) => nice >= bottomMs && nice <= highestMs),
    fractionOf: (delayMs) => (delayMs <= bottomMs ? 0 : Math.log(delayMs / bottomMs) / decades),
  };
}
