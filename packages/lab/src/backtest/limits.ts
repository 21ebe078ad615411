import type { BacktestFigure, BacktestResult } from './backtest.ts';

/** Sessions that a back-test needs. */
export const MIN_BACKTEST_SESSIONS = 20;

const FIGURES = ['attempts', 'recovered', 'exhausted', 'wasted', 'latency'] as const;

/** The figures that say nothing, because their spread is larger than the figure itself, and the outages behind them. */
export function tooFewOutages(
  result: BacktestResult,
): { readonly outages: number; readonly figures: readonly BacktestFigure[] } | null {
  const figures = FIGURES.filter((figure) =>
    [result.old[figure], result.new[figure]].some(
      (measured) => measured !== null && measured.value > 0 && measured.spread > measured.value,
    ),
  );
  return figures.length === 0 ? null : { outages: outagesOf(result), figures };
}

function outagesOf({ dependencies }: BacktestResult): number {
  return dependencies.reduce((sum, each) => sum + each.outages, 0);
}

/**
 * The limits of a back-test's figures, in sentences.
 *
 * @param durationText writes milliseconds for people.
 */
export function backtestLimits(
  result: BacktestResult,
  durationText: (ms: number) => string,
): string[] {
  const { dependencies, unfinished } = result;
  const few = tooFewOutages(result);
  const gapMs = dependencies.reduce((most, each) => Math.max(most, each.gapMs), 0);
  const outages = outagesOf(result);
  return [
    ...(few === null
      ? []
      : [
          `The recording has too few outages (${outages}) to tell about ${few.figures.join(', ')}: their spread is larger than the figure itself. Use a longer recording.`,
        ]),
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
