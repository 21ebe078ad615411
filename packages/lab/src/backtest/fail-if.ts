import type { BacktestFigure, BacktestResult } from './backtest.ts';

/** A condition under which a change of policy is refused: `exhausted > +0.1pp`. */
export interface FailIf {
  readonly text: string;
  readonly figure: BacktestFigure;
  readonly above: boolean;
  readonly limit: number;
  /** `pp`: points of a share. `%`: of the old value. `s`: seconds. `each`: attempts per session. */
  readonly unit: 'pp' | '%' | 's' | 'each';
}

const FIGURES = ['attempts', 'recovered', 'exhausted', 'wasted', 'latency'] as const;
const PATTERN = new RegExp(
  `^(${FIGURES.join('|')})\\s*([<>])\\s*([+-]?\\d+(?:\\.\\d+)?)\\s*(pp|%|s)?$`,
);

/** `undefined`: it is not a condition. */
export function parseFailIf(text: string): FailIf | undefined {
  const [, figure, sign, limit, given] = PATTERN.exec(text.trim()) ?? [];
  const found = FIGURES.find((name) => name === figure);
  if (found === undefined) return undefined;
  const unit = (given ?? 'each') as FailIf['unit']; // The pattern has no others.
  return { text, figure: found, above: sign === '>', limit: Number(limit), unit };
}

/** Why a result meets the condition, if it does. A figure that cannot be given meets none. */
export function failIfProblem(condition: FailIf, result: BacktestResult): string | undefined {
  const { figure, above, limit, unit, text } = condition;
  const [change, old] = [result.change[figure], result.old[figure]];
  if (change === null || old === null) return undefined;
  const value = {
    pp: change.value * 100,
    '%': old.value === 0 ? (change.value === 0 ? 0 : Infinity) : (change.value / old.value) * 100,
    s: change.value / 1_000,
    each: change.value,
  }[unit];
  const isMet = above ? value > limit : value < limit;
  if (!isMet) return undefined;
  const shown = `${value > 0 ? '+' : ''}${Number(value.toFixed(3))}${unit === 'each' ? '' : unit}`;
  return `${figure} changes by ${shown}: ${text}`;
}
