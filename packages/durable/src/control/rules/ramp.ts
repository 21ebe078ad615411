/** The stages of a bulk operation: each begins only when enough items of the one before succeeded. */
export interface RampPlan {
  /** Items of each stage. After the last one all other items follow. */
  readonly stages: readonly number[];
  /** The ramp stops when more than this share of a stage failed again. */
  readonly stopShare: number;
}

export const RAMP: RampPlan = Object.freeze({
  stages: Object.freeze([1, 10, 100]),
  stopShare: 0.2,
});

/** The results of the present stage. */
export interface RampStage {
  /** From 0. */
  readonly stage: number;
  /** Items of it that were sent. */
  readonly sent: number;
  /** Items of it whose first attempt succeeded. */
  readonly succeeded: number;
  /** Items of it whose first attempt failed. */
  readonly cameBack: number;
}

export const NO_RESULTS: RampStage = Object.freeze({
  stage: 0,
  sent: 0,
  succeeded: 0,
  cameBack: 0,
});

export type RampAnswer =
  /** Send this many more items of this stage. `Infinity`: all. */
  | { readonly kind: 'send'; readonly items: number }
  /** All items of the stage are sent, and some have no result. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'next'; readonly stage: number }
  | { readonly kind: 'stop' };

/** The next step of a ramp. Stops as soon as too many items failed again, also while others have no result. */
export function rampAnswer({ stages, stopShare }: RampPlan, at: RampStage): RampAnswer {
  const size = stages[at.stage] ?? Infinity;
  // The last stage has no size: a few failures at its beginning are not yet a share of it.
  const whole = size === Infinity ? Math.max(at.sent, stages.at(-1) ?? 1) : size;
  if (at.cameBack > whole * stopShare) return { kind: 'stop' };
  if (at.sent < size) return { kind: 'send', items: size - at.sent };
  if (at.succeeded + at.cameBack < size) return { kind: 'wait' };
  return { kind: 'next', stage: at.stage + 1 };
}
