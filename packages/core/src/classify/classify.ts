import { isRedriveError } from '../errors/redrive-error.ts';
import { answerOf } from './answer-of.ts';
import type { Classification, Classifier, ClassifyContext } from './classification.ts';
import { meaning } from './classify-status.ts';
import {
  causesOf,
  type Fields,
  fields,
  hintOf,
  isGiveUp,
  isProgrammerError,
  unitsToMs,
} from './error-facts.ts';
import { classifyKnown } from './known-errors.ts';
import { type ErrorMatcher, isCalled, matches, matchesEvery } from './matcher.ts';

/** The fields of a policy that classify errors. */
export interface ClassifyRules {
  /** Where given and not empty, exclusive: an error that is not in it is final. Default: none. */
  readonly retryableExceptions?: readonly ErrorMatcher[] | undefined;
  /** Errors that are final. Wins over `retryableExceptions`. Default: none. */
  readonly nonRetryableExceptions?: readonly ErrorMatcher[] | undefined;
  /** Called in order before the built-in rules; the first answer counts. If it throws, it is skipped. Default: none. */
  readonly classify?: Classifier | readonly Classifier[] | undefined;
  /** Whether to retry an inner session that gave up. Never applies to a refusal of a budget. Default: false. */
  readonly retryInnerFailures?: boolean | undefined;
  /** The class of an error that no rule matches. Default: `retryable`; event handlers use `final`. */
  readonly unclassified?: 'retryable' | 'final' | undefined;
  /**
   * The class of an `AbortError` that the caller's signal did not cause. Default: `ignored`. Stored work uses
   * `classified`, as for any other error: the job was not cancelled, and its work is not done.
   */
  readonly strayAborts?: 'ignored' | 'classified' | undefined;
}

/**
 * Classifies a thrown value; retry, breaker and budget act on the class. The rules, in this order:
 *
 * 1. the caller's own abort is `ignored`: the reason of `context.signal`, or any `AbortError`. (An operation that aborts
 *    itself to limit its time should use `AbortSignal.timeout`, whose `TimeoutError` is retried, or `attemptTimeoutMs`.)
 * 2. the give-up of an inner session is `final`, unless `retryInnerFailures`;
 * 3. the lists decide whether an error is retried; classifiers cannot overrule them;
 * 4. `classify`, and after it the built-in rules (Redrive's own errors, the tables, Retry-After, programmer's errors) say how:
 *    rate limited or not, its effect, the hint, and everything where the lists say nothing;
 * 5. the rest is `unclassified`.
 *
 * Looks at causes too. Works for any thrown value and never throws.
 */
export function classify(
  error: unknown,
  rules: ClassifyRules = {},
  context: ClassifyContext = FIRST_ATTEMPT,
): Classification {
  try {
    return isAbort(error, rules, context) ? meaning('ignored') : judge(error, rules, context);
  } catch {
    // Only a value that throws when it is looked at, such as a revoked proxy.
    return meaning(rules.unclassified ?? 'retryable');
  }
}

/** Without a clock a hint that names a date is understood only beside a Date header. */
const FIRST_ATTEMPT: ClassifyContext = { attempt: 1, nowMs: Number.NaN };

/** Whether an error is, or was caused by, the give-up of another session of Redrive. Never throws. */
export function isInnerGiveUp(error: unknown): boolean {
  return answerOf(() => causesOf(error).some(isGiveUp), false);
}

function isAbort(
  error: unknown,
  { strayAborts }: ClassifyRules,
  { signal }: ClassifyContext,
): boolean {
  if (signal?.aborted && error === signal.reason) return true;
  const { name, code } = fields(error);
  return strayAborts !== 'classified' && (name === 'AbortError' || code === 'ABORT_ERR');
}

function judge(error: unknown, rules: ClassifyRules, context: ClassifyContext): Classification {
  const causes = causesOf(error);
  const isInner = causes.some(isGiveUp);
  const isRefused = () => causes.some((each) => fields(each).reason === 'budget_exhausted');
  if (isInner && (!rules.retryInnerFailures || isRefused())) return meaning('final');

  const hint = hintIn(causes, context.nowMs);
  const verdict = verdictOfLists(causes, rules);
  const byDefault = verdict || isInner ? 'retryable' : rules.unclassified;
  const known = ask(rules, error, context) ?? builtIn(causes, hint, context) ?? meaning(byDefault);
  const { errorClass, effect, retryAfterMs, idempotent } = known;
  if (errorClass === 'ignored') return known;
  if (verdict === 'final' || (errorClass === 'final' && verdict !== 'retryable')) {
    return meaning('final', effect);
  }
  const retryClass = errorClass === 'final' ? 'retryable' : errorClass;
  return meaning(retryClass, effect, retryAfterMs ?? hint, idempotent);
}

/** The verdict of the lists; `any` if the list of retryable errors matches everything and so decides nothing. */
export function verdictOfLists(
  causes: readonly unknown[],
  { retryableExceptions: wanted, nonRetryableExceptions: unwanted }: ClassifyRules,
): 'final' | 'retryable' | 'any' | undefined {
  const isMeant = (entry: ErrorMatcher) => matches(causes, entry);
  if (unwanted?.some(isMeant)) return 'final';
  if (!wanted?.length) return undefined;
  if (wanted.some((entry) => !matchesEvery(entry) && isMeant(entry))) return 'retryable';
  return wanted.some(matchesEvery) ? 'any' : 'final';
}

export function ask(
  rules: ClassifyRules,
  error: unknown,
  context: ClassifyContext,
): Classification | undefined {
  const { classify: classifiers = [] } = rules;
  for (const classifier of typeof classifiers === 'function' ? [classifiers] : classifiers) {
    // A classifier that throws is skipped, and so is an answer that is no classification: plain JavaScript may answer
    // anything, a promise for instance.
    const answer = answerOf(() => classifier(error, context));
    if (answer?.errorClass) {
      const { errorClass, effect, retryAfterMs, idempotent } = answer;
      return meaning(errorClass, effect, unitsToMs(retryAfterMs, 1), idempotent);
    }
  }
  return undefined;
}

/**
 * The nearest hint among the causes. Redrive's own errors are passed over: an open breaker names a time too, but it is
 * not a rate limit of the dependency.
 */
export function hintIn(causes: readonly unknown[], nowMs: number): number | undefined {
  for (const each of causes) {
    const hint = hintOf(each, nowMs);
    if (hint !== undefined && !isGiveUp(each) && !isRedriveError(each)) return hint;
  }
  return undefined;
}

/** The classification that `retry` makes by itself: the nearest cause that it knows decides. */
export function builtIn(
  causes: readonly unknown[],
  hint: number | undefined,
  context: ClassifyContext,
): Classification | undefined {
  const known = classifyKnown(causes, context, ownMeaning);
  if (known) return known;
  // Only the hint is known: the dependency asked for a wait.
  if (hint !== undefined) return meaning('rate_limited');
  return causes.some(isProgrammerError) ? meaning('final') : undefined;
}

/** The class of an error of Redrive, or of one that a handler throws to say that it may pass. */
function ownMeaning(
  error: Fields,
  known: Readonly<Record<string, Classification>>,
): Classification | undefined {
  const { code } = error;
  // Another copy of the package may have codes that this one does not know.
  if (typeof code === 'string' && Object.hasOwn(known, code) && isRedriveError(error)) {
    return known[code];
  }
  return ['RetryableError', 'DocumentNotFoundError'].some((name) => isCalled(error, name))
    ? meaning()
    : undefined;
}
