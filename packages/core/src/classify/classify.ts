import { builtIn, hintIn, isGiveUp } from './built-in.ts';
import { causesOf, fields } from './causes.ts';
import type { Classification, Classifier, ClassifyContext } from './classification.ts';
import { meaning } from './classification.ts';
import { unitsToMs } from './hints.ts';
import { type ErrorMatcher, matches, matchesEvery } from './matcher.ts';
import { answerOf, understood } from './understood.ts';

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
 * 4. `classify`, and after it the built-in rules (status, Retry-After, programmer's errors, Redrive's own errors) say how:
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
    const bare = isBare(error);
    return isAbort(error, bare, rules, context)
      ? meaning('ignored')
      : judge(error, bare, rules, context);
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

/** Whether an error has only a message, as most errors do: no built-in rule can match it. */
function isBare(error: unknown): boolean {
  if (!(error instanceof Error) || error.constructor !== Error) return false; // A class may have getters.
  const own = Object.getOwnPropertyNames(error);
  return error.name === 'Error' && own.every((name) => name === 'stack' || name === 'message');
}

function isAbort(
  error: unknown,
  bare: boolean,
  { strayAborts }: ClassifyRules,
  { signal }: ClassifyContext,
): boolean {
  if (signal?.aborted && error === signal.reason) return true;
  if (bare || strayAborts === 'classified') return false;
  const { name, code } = fields(error);
  return name === 'AbortError' || code === 'ABORT_ERR';
}

function judge(
  error: unknown,
  bare: boolean,
  rules: ClassifyRules,
  context: ClassifyContext,
): Classification {
  const causes = bare ? [error] : causesOf(error);
  const isInner = !bare && causes.some(isGiveUp);
  const isRefused = () => causes.some((each) => fields(each).reason === 'budget_exhausted');
  if (isInner && (!rules.retryInnerFailures || isRefused())) return meaning('final');

  const hint = bare ? undefined : hintIn(causes, context.nowMs);
  const verdict = verdictOfLists(causes, rules);
  const byDefault = verdict || isInner ? 'retryable' : rules.unclassified;
  const known =
    ask(rules, error, context) ?? (bare ? undefined : builtIn(causes, hint)) ?? meaning(byDefault);
  const { errorClass, effect, retryAfterMs } = known;
  if (errorClass === 'ignored') return known;
  if (verdict === 'final' || (errorClass === 'final' && verdict !== 'retryable')) {
    return meaning('final', effect);
  }
  const retryClass = errorClass === 'final' ? 'retryable' : errorClass;
  return meaning(retryClass, effect, retryAfterMs ?? hint);
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
    // A broken classifier knows nothing; the call goes on without it.
    const answer = understood(() => classifier(error, context));
    if (answer) return meaning(answer.errorClass, answer.effect, unitsToMs(answer.retryAfterMs, 1));
  }
  return undefined;
}
