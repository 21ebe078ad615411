/** The stages of an act on many: each begins only when enough of the one before went well. */
export interface RampPlan {
  /** Items of each stage; after the last one come all the rest. */
  readonly stages: readonly number[];
  /** More than this share of a stage that came back stops it. */
  readonly stopShare: number;
}

export const RAMP: RampPlan = Object.freeze({
  stages: Object.freeze([1, 10, 100]),
  stopShare: 0.2,
});

/** What is known about the stage under way. */
export interface RampStage {
  /** From 0. */
  readonly stage: number;
  /** Items of it that were sent. */
  readonly sent: number;
  /** Of these, succeeded. */
  readonly succeeded: number;
  /** Of these, failed their first attempt, or anything after it. */
  readonly cameBack: number;
}

export type RampAnswer =
  /** So many more of this stage may be sent. `Infinity`: all. */
  | { readonly kind: 'send'; readonly items: number }
  /** Everything of the stage is sent, and not enough of it has ended. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'next'; readonly stage: number }
  | { readonly kind: 'stop' };

/** What to do now. Stops as soon as too many came back, whatever is still under way. */
export function rampAnswer({ stages, stopShare }: RampPlan, at: RampStage): RampAnswer {
  const size = stages[at.stage] ?? Infinity;
  // Of the rest, a few are no share of it yet: it counts as large as the stage before it.
  const whole = size === Infinity ? Math.max(at.sent, stages.at(-1) ?? 1) : size;
  if (at.cameBack > whole * stopShare) return { kind: 'stop' };
  if (at.sent < size) return { kind: 'send', items: size - at.sent };
  if (at.succeeded + at.cameBack < size) return { kind: 'wait' };
  return { kind: 'next', stage: at.stage + 1 };
}
