import type { BacktestResult } from './backtest.ts';

/** Sessions that a back-test needs. */
export const MIN_BACKTEST_SESSIONS = 20;

/**
 * The limits of a back-test's figures, in sentences.
 *
 * @param durationText writes milliseconds for people.
 */
export function backtestLimits(
  { dependencies, unfinished }: BacktestResult,
  durationText: (ms: number) => string,
): string[] {
  const gapMs = dependencies.reduce((most, each) => Math.max(most, each.gapMs), 0);
  const outages = dependencies.reduce((sum, each) => sum + each.outages, 0);
  return [
    `${outages === 1 ? '1 outage was' : `${outages} outages were`} seen. The sampling gap is ${durationText(Math.round(gapMs))}: shorter outages were not seen, and latency after shorter waits has no figure.`,
    ...(unfinished.old + unfinished.new === 0
      ? []
      : [
          `The recording ends in an outage: ${unfinished.old} sessions of the old policy and ${unfinished.new} of the new one had not ended then. They count as neither recovered nor exhausted.`,
        ]),
    'The retries themselves did not change the outage here; in reality more of them can prolong it.',
    'A budget is not part of it, and a breaker only as its threshold and its timeout.',
  ];
}
