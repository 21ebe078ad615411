import type { InnerBlock } from '../decide/decision.ts';
import type { Classification, ClassifyContext, Effect, ErrorClass } from './classification.ts';
import { ask, type ClassifyRules, classify, verdictOfLists } from './classify.ts';
import { meaning } from './classify-status.ts';
import { causesOf, type Fields, fields, isGiveUp, retryErrorOf } from './error-facts.ts';

/** The classification of a failure on a stored rung. */
export interface StoredFailure {
  readonly meaning: Classification;
  /** A breaker, a budget or a kill switch kept an inner session from its next attempt. */
  readonly blockedBy?: InnerBlock | undefined;
  /** That inner session made no attempt at all: its end says nothing about the dependency. */
  readonly untried?: boolean;
}

/**
 * `classify` for event, job and document. A give-up inside is an ordinary failure there, because the waits of a stored
 * rung are longer: it has the class, the effect and the hint of the last failure that the inner session saw. The rung's
 * own lists and classifiers come first. An error that an inner session judged final stays final.
 */
export function classifyStored(
  error: unknown,
  rules: ClassifyRules,
  context: ClassifyContext,
): StoredFailure {
  try {
    const causes = causesOf(error);
    const effect = causes.map(judgedFinal).find((known) => known !== undefined);
    if (effect !== undefined) return { meaning: meaning('final', effect) };
    const giveUp = causes.find(isGiveUp);
    if (giveUp !== undefined) {
      const facts = fields(retryErrorOf(giveUp) ?? giveUp);
      return innerFailure(error, facts, causes, rules, context);
    }
  } catch {
    // A value that throws when it is read: `classify` handles it.
  }
  return { meaning: classify(error, rules, context) };
}

function innerFailure(
  error: unknown,
  giveUp: Fields,
  causes: readonly unknown[],
  rules: ClassifyRules,
  context: ClassifyContext,
): StoredFailure {
  // The work goes on elsewhere: another attempt here would do it twice.
  if (giveUp.reason === 'handed_over') return { meaning: meaning('final', 'none') };
  const known = ask(rules, error, context) ?? seenInside(giveUp);
  const verdict = verdictOfLists(causes, rules);
  const isFinal = verdict === 'final' || (known.errorClass === 'final' && verdict !== 'retryable');
  const retryClass = known.errorClass === 'final' ? 'retryable' : known.errorClass;
  return {
    meaning: isFinal
      ? meaning('final', known.effect)
      : meaning(retryClass, known.effect, known.retryAfterMs),
    blockedBy: blockOf(giveUp, context.nowMs),
    untried: giveUp.errorClass === undefined,
  };
}

function seenInside({ errorClass, effect, retryAfterMs }: Fields): Classification {
  // A `RetryError` of this version. The store checks the answer, as it checks the answer of a classifier.
  return meaning(
    (errorClass as ErrorClass | undefined) ?? 'retryable',
    (effect as Effect | undefined) ?? (errorClass === undefined ? 'none' : 'unknown'),
    typeof retryAfterMs === 'number' ? retryAfterMs : undefined,
  );
}

function blockOf({ reason, retryAt }: Fields, nowMs: number): InnerBlock | undefined {
  if (reason !== 'breaker_open' && reason !== 'budget_exhausted' && reason !== 'kill_switch')
    return undefined;
  const atMs = retryAt instanceof Date ? retryAt.getTime() : nowMs;
  return { cause: reason, retryAfterMs: Math.max(0, atMs - nowMs) || 0 };
}

/** Keyed by the error object: it comes out of a session unchanged, so nothing can be written on it. */
const judged = /* @__PURE__ */ new WeakMap<object, Effect | undefined>();

/** Remembers that the policy of a session classified this error as final, and the effect of the attempt. */
export function rememberFinal(error: unknown, effect: Effect | undefined): void {
  // Only objects have an identity.
  if (Object(error) === error) judged.set(error as object, effect);
}

/** The effect of an error that a session judged final. */
export function judgedFinal(error: unknown): Effect | undefined {
  return judged.get(error as object); // Nothing else than an object is ever found.
}
